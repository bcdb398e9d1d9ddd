"""What the stack says of itself."""

from typing import Any

import pytest

from kb_project.operations.local_stack.stack import database_connections, way_in


@pytest.fixture(autouse=True)
def large_service(settings: Any) -> None:
    settings.KB_BIND, settings.KB_PORT = "0.0.0.0", 8000
    settings.KB_LOCAL_WEB_PROCESSES = settings.KB_LOCAL_WORKER_CONCURRENCY = 16
    settings.KB_DB_POOL_SIZE = 10


def test_a_service_on_plain_http_is_opened_where_it_listens(settings: Any) -> None:
    settings.KB_HTTPS = False
    assert way_in() == "open http://127.0.0.1:8000/ in a browser"


def test_behind_https_the_proxy_is_asked_for(
    settings: Any,
) -> None:
    settings.KB_HTTPS = True
    assert "proxy that speaks TLS" in way_in()
    assert "open http" not in way_in()


def test_the_database_takes_the_connections_of_all_processes() -> None:
    assert database_connections() >= 16 * 10 + 16
