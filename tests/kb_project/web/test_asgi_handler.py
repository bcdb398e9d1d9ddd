"""What cannot even be read is refused in the API's own words, before Django's error views could."""

import asyncio
import json
import threading
from collections.abc import Mapping
from typing import Any

import pytest

from kb_project.web.asgi_handler import Utf8Handler, get_application

pytestmark = pytest.mark.urls("tests.kb_project.api.probes")


def call(
    path: str = "/healthz",
    *,
    query: bytes = b"",
    headers: dict[bytes, bytes] | None = None,
    application: Utf8Handler | None = None,
) -> tuple[int, Any]:
    """One GET through the handler, by default a new one; the status and the parsed body."""
    scope = {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": "GET",
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": query,
        "headers": [(b"host", b"localhost"), *(headers or {}).items()],
        "client": ("127.0.0.1", 1),
        "server": ("localhost", 80),
    }
    sent: list[dict[str, Any]] = []
    received = [{"type": "http.request", "body": b"", "more_body": False}]

    async def receive() -> dict[str, Any]:
        while not received:
            await asyncio.sleep(3600)  # the client stays on the line until Django is done with it
        return received.pop()

    async def send(message: Mapping[str, Any]) -> None:
        sent.append(dict(message))

    asyncio.run((application or get_application())(scope, receive, send))
    body = b"".join(message.get("body", b"") for message in sent[1:])
    return sent[0]["status"], json.loads(body)


def test_a_readable_request_is_answered() -> None:
    assert call() == (200, {"status": "ok"})


def test_requests_that_follow_one_another_share_threads() -> None:
    application, before = get_application(), set(threading.enumerate())
    for _ in range(30):
        assert call(application=application)[0] == 200
    made = [thread for thread in set(threading.enumerate()) - before if thread.name.startswith("request")]
    assert len(made) < 10  # one may not yet count as free when the next request comes


@pytest.mark.parametrize("charset", [b"hex", b"bz2_codec", b"undefined", b"idna", b"utf-7", b"no-such-codec"])
def test_a_strange_charset_changes_nothing(charset: bytes) -> None:
    status, problem = call(query=b"a=%41%D7%A9", headers={b"content-type": b"text/plain; charset=" + charset})
    assert (status, problem["code"]) == (400, "unknown_parameter")


@pytest.mark.parametrize("content_type", [b"text/plain; a*=foo'x'%41", b"text/plain; charset*=foo'x'%41"])
def test_an_unreadable_content_type_is_refused(content_type: bytes) -> None:
    status, problem = call(headers={b"content-type": content_type})
    assert (status, problem["code"]) == (400, "invalid")


def test_a_query_string_that_is_not_text_is_refused() -> None:
    status, problem = call(query=b"a=\xff")
    assert (status, problem["code"]) == (400, "invalid")
