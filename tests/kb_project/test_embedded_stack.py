"""What the stack says of itself."""

from __future__ import annotations

from pathlib import Path

from kb_project.embedded.stack import Options


def options(*, https: bool) -> Options:
    here = Path()
    return Options(
        project=here,
        data=here,
        bind="0.0.0.0",
        port=8000,
        web_processes=16,
        concurrency=16,
        classify_concurrency=5,
        demo=False,
        https=https,
    )


def test_a_service_on_plain_http_is_opened_where_it_listens() -> None:
    assert options(https=False).way_in == "open http://127.0.0.1:8000/ in a browser"


def test_behind_https_a_proxy_is_asked_for_and_no_address_that_leads_nowhere_is_named_to_be_opened() -> None:
    sentence = options(https=True).way_in
    assert "proxy that speaks TLS" in sentence
    assert "open http" not in sentence


def test_the_database_takes_the_connections_of_all_processes() -> None:
    assert options(https=False).database_connections >= 16 * 10 + 16
