"""Bodies are refused before they are kept: by size, by who sends them, and by time. Over real connections."""

import contextlib
import gzip
import json
import socket
from collections.abc import Iterator
from typing import Any
from urllib.parse import urlsplit

import pytest

from kb_project.web import request_body
from kb_project.web.http_protocol import TimedHttp
from kb_project.web.request_body import Allowance
from tests.servers import AsgiServer
from topics.keys import issue_key

MB = 1024 * 1024
BOUNDARY = "kb-boundary"


class Impatient(TimedHttp):
    headers_within_s = 0.5


@pytest.fixture(scope="module")
def impatient() -> Iterator[AsgiServer]:
    with AsgiServer(http=Impatient).running() as server:
        yield server


@pytest.fixture
def impatient_server(impatient: AsgiServer, transactional_db: None) -> Iterator[str]:
    with impatient.at_rest_afterwards() as url:
        yield url


@pytest.fixture(autouse=True)
def no_lingering(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request_body, "LINGER_S", 0.2)


class Connection:
    """One connection, spoken to in bytes."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        self.socket = socket.create_connection((parts.hostname or "", parts.port or 0), timeout=60)

    def send(self, data: bytes) -> None:
        self.socket.sendall(data)

    def post(self, path: str, *headers: str, body: bytes = b"", host: str = "localhost") -> None:
        lines = [f"POST {path} HTTP/1.1", f"Host: {host}", *headers]
        self.send("\r\n".join([*lines, "", ""]).encode() + body)

    def answer(self) -> tuple[int, Any]:
        """Status and body of the answer, after which the server has ended the connection."""
        data = b""
        while piece := self.socket.recv(65_536):
            data += piece
        head, _, body = data.partition(b"\r\n\r\n")
        return int(head.split()[1]), json.loads(body) if b"problem+json" in head else body.decode()

    def ended(self) -> bytes:
        return self.socket.recv(65_536)


def key(**options: Any) -> str:
    return f"Authorization: Api-Key {issue_key(name='tests', by='tests', **options)[1]}"


def form(size: int) -> bytes:
    """A whole upload form with a text file of so many bytes."""
    head = (
        f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="kind"\r\n\r\nlaw\r\n'
        f'--{BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n'
    )
    return head.encode() + (b"a line of text\n" * (size // 15 + 1))[:size] + f"\r\n--{BOUNDARY}--\r\n".encode()


MULTIPART = f"Content-Type: multipart/form-data; boundary={BOUNDARY}"


@pytest.mark.parametrize("path", ["/kb/search", "/admin/kb/labels"])
def test_large_body_is_refused_before_it_comes(asgi_server: str, path: str) -> None:
    connection = Connection(asgi_server)
    connection.post(path, key(admin=True), "Content-Type: application/json", f"Content-Length: {2 * MB}")
    status, problem = connection.answer()
    assert (status, problem["code"]) == (413, "too_large")


def test_message_larger_than_any_is_refused_before_it_comes(asgi_server: str) -> None:
    connection = Connection(asgi_server)
    connection.post("/mcp/general/", "Content-Type: application/json", f"Content-Length: {5 * MB}")
    status, problem = connection.answer()
    assert (status, problem["code"]) == (413, "too_large")


def test_large_body_of_no_announced_length_is_refused_on_its_way(asgi_server: str) -> None:
    connection = Connection(asgi_server)
    connection.post("/kb/search", "Content-Type: application/json", "Transfer-Encoding: chunked")
    piece = b"10000\r\n" + b" " * 65_536 + b"\r\n"
    for _ in range(17):  # of 64 KB; no last one comes
        connection.send(piece)
    status, problem = connection.answer()
    assert (status, problem["code"]) == (413, "too_large")


@pytest.mark.parametrize(
    ("path", "status", "words"),
    [("/no/such/path", 413, "זה גדול מדי"), ("/sign-in/", 413, "זה גדול מדי"), ("/review/upload/", 401, "לא נכנסתם")],
)
def test_a_screen_says_so_on_a_page_in_the_reader_s_language(
    asgi_server: str, path: str, status: int, words: str
) -> None:
    connection = Connection(asgi_server)
    connection.post(path, MULTIPART, "Accept-Language: he", f"Content-Length: {2 * MB}")
    said, page = connection.answer()
    assert (said, words in page, 'dir="rtl"' in page) == (status, True, True)


@pytest.mark.parametrize("path", ["/admin/kb/upload", "/admin/kb/upload-batch"])
@pytest.mark.parametrize(
    ("who", "status", "code"), [("nobody", 401, "not_authenticated"), ("reader", 403, "permission_denied")]
)
def test_files_of_others_are_refused_before_they_come(
    asgi_server: str, path: str, who: str, status: int, code: str
) -> None:
    connection = Connection(asgi_server)
    headers = [key()] if who == "reader" else []
    connection.post(path, *headers, MULTIPART, f"Content-Length: {50 * MB}")
    said, problem = connection.answer()
    assert (said, problem["code"]) == (status, code)


def test_false_key_is_refused_before_the_file_comes(asgi_server: str) -> None:
    connection = Connection(asgi_server)
    connection.post("/admin/kb/upload", f"Authorization: Api-Key abcdefgh.{'x' * 32}", f"Content-Length: {50 * MB}")
    assert connection.answer()[0] == 401


def test_file_of_staff_comes_in_and_a_too_large_one_does_not(asgi_server: str, settings: Any) -> None:
    settings.KB_MAX_UPLOAD_MB = 2
    admin, body = key(admin=True), form(int(1.5 * MB))
    connection = Connection(asgi_server)
    connection.post(
        "/admin/kb/upload", admin, MULTIPART, f"Content-Length: {len(body)}", "Connection: close", body=body
    )
    assert connection.answer()[0] == 202
    connection = Connection(asgi_server)
    connection.post("/admin/kb/upload", admin, MULTIPART, f"Content-Length: {4 * MB}")
    status, problem = connection.answer()
    assert (status, problem["code"]) == (413, "too_large")


def in_chunks(body: bytes, size: int = 7_000) -> bytes:
    pieces = [body[start : start + size] for start in range(0, len(body), size)]
    return b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces) + b"0\r\n\r\n"


CHUNKED = "Transfer-Encoding: chunked"
JSON = "Content-Type: application/json"


def test_body_in_chunks_is_taken_as_one_of_a_length_is(asgi_server: str, settings: Any) -> None:
    settings.KB_MAX_UPLOAD_MB = 2
    admin = key(admin=True)
    body = json.dumps({"query": "how many lifts"}).encode()
    message = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "ping"}).encode()
    label = json.dumps({"name": "Hoists"}).encode()
    for path, headers, content, expected in [
        ("/kb/search", [JSON], body, 200),
        ("/admin/kb/labels", [admin, JSON], label, 201),
        ("/admin/kb/upload", [admin, MULTIPART], form(int(1.5 * MB)), 202),
        ("/admin/kb/upload", [admin, MULTIPART], form(4 * MB), 413),
        ("/mcp/general/", [JSON, "Accept: application/json, text/event-stream"], message, 200),
    ]:
        connection = Connection(asgi_server)
        connection.post(path, *headers, CHUNKED, "Connection: close", body=in_chunks(content))
        status, answer = connection.answer()
        assert (path, status) == (path, expected), answer


def test_body_in_gzip_is_taken_and_bounded_as_what_is_in_it(asgi_server: str, settings: Any) -> None:
    settings.KB_MAX_UPLOAD_MB = 2
    admin = key(admin=True)
    query = json.dumps({"query": "how many lifts"}).encode()
    bomb = gzip.compress(bytes(64 * MB))
    for path, headers, content, expected in [
        ("/kb/search", [JSON, "Content-Encoding: gzip"], gzip.compress(query), 200),
        ("/kb/search", [JSON, "Content-Encoding: identity"], query, 200),
        ("/admin/kb/upload", [admin, MULTIPART, "Content-Encoding: gzip"], gzip.compress(form(int(1.5 * MB))), 202),
        ("/admin/kb/upload", [admin, MULTIPART, "Content-Encoding: gzip"], bomb, 413),
        ("/kb/search", [JSON, "Content-Encoding: gzip"], bomb, 413),
        ("/kb/search", [JSON, "Content-Encoding: gzip"], gzip.compress(query)[:-9], 400),
        ("/kb/search", [JSON, "Content-Encoding: gzip"], query, 400),
        ("/kb/search", [JSON, "Content-Encoding: br"], query, 415),
    ]:
        connection = Connection(asgi_server)
        connection.post(path, *headers, f"Content-Length: {len(content)}", "Connection: close", body=content)
        status, answer = connection.answer()
        assert (path, headers, status) == (path, headers, expected), answer


def test_form_of_a_screen_may_come_in_chunks(asgi_server: str, client: Any) -> None:
    client.get("/sign-in/")
    token = client.cookies["csrftoken"].value
    connection = Connection(asgi_server)
    form_type = "Content-Type: application/x-www-form-urlencoded"
    body = in_chunks(f"csrfmiddlewaretoken={token}&username=&password=".encode())
    connection.post("/sign-in/", f"Cookie: csrftoken={token}", form_type, CHUNKED, "Connection: close", body=body)
    assert connection.answer()[0] == 200  # the form again: the token was read, and nobody was named


def test_signed_in_person_may_send_files_to_the_screen(asgi_server: str, staff_client: Any) -> None:
    session = staff_client.cookies["sessionid"].value
    body = form(int(1.5 * MB))
    connection = Connection(asgi_server)
    cookie = f"Cookie: sessionid={session}"
    connection.post(
        "/review/upload/", cookie, MULTIPART, f"Content-Length: {len(body)}", "Connection: close", body=body
    )
    # It was taken in: what is missing now is the CSRF token, which only the view looks at.
    assert b" 403 " in connection.ended()[:20]


def test_body_that_does_not_arrive_ends_with_408(asgi_server: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(request_body, "ORDINARY", Allowance(MB, 0.3))
    connection = Connection(asgi_server)
    connection.post("/kb/search", "Content-Type: application/json", "Content-Length: 100", body=b'{"query": ')
    status, problem = connection.answer()
    assert (status, problem["code"]) == (408, "request_timeout")


@pytest.mark.parametrize("sent", [b"", b"GET /healthz HT", b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Slow: "])
def test_connection_without_a_whole_request_is_ended(impatient_server: str, sent: bytes) -> None:
    connection = Connection(impatient_server)
    connection.send(sent)
    assert connection.ended() == b""


def test_second_half_sent_request_of_a_connection_ends_it_too(impatient_server: str) -> None:
    connection = Connection(impatient_server)
    connection.send(b"GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n")
    assert b" 200 " in connection.ended()
    connection.send(b"GET /healthz HT")
    assert connection.ended() == b""


@pytest.mark.parametrize("head", [b"GET /healthz HTTP/1.1\r\nHost: localhost\r\nX-Long: ", b"GET /healthz?q="])
def test_headers_without_end_are_refused(asgi_server: str, head: bytes) -> None:
    connection, sent = Connection(asgi_server), 0
    with contextlib.suppress(ConnectionError):  # the server has ended it
        connection.send(head)
        while sent < 20 * MB:
            connection.send(b"x" * 8_192)
            sent += 8_192
    assert sent < 20 * MB


def test_headers_of_tens_of_kilobytes_are_read(asgi_server: str) -> None:
    connection = Connection(asgi_server)
    more = "\r\n".join(f"X-Part-{place}: {'x' * 6_000}" for place in range(8))
    connection.send(f"GET /healthz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{more}\r\n\r\n".encode())
    assert connection.answer()[0] == 200


def test_answer_that_takes_longer_than_headers_may_is_given(impatient_server: str) -> None:
    connection = Connection(impatient_server)
    connection.send(b"GET /kb/topics HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n")
    assert connection.answer()[0] == 200


def test_json_beyond_its_bound_is_refused_before_it_is_parsed(asgi_server: str) -> None:
    body = json.dumps({"query": "x", "kind": ["law"] * 40_000}).encode()
    connection = Connection(asgi_server)
    length = f"Content-Length: {len(body)}"
    connection.post("/kb/search", "Content-Type: application/json", length, "Connection: close", body=body)
    status, problem = connection.answer()
    assert (status, problem["code"]) == (413, "too_large")


def test_list_of_kinds_has_a_bound(asgi_server: str) -> None:
    body = json.dumps({"query": "x", "kind": ["law"] * 6}).encode()
    connection = Connection(asgi_server)
    length = f"Content-Length: {len(body)}"
    connection.post("/kb/search", "Content-Type: application/json", length, "Connection: close", body=body)
    status, problem = connection.answer()
    assert (status, list(problem["errors"])) == (400, ["kind"])
