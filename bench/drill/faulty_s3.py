"""S3 on this machine (moto), behind a proxy that can refuse and hang."""

import contextlib
import http.client
import http.server
import logging
import threading
from collections.abc import Iterator
from typing import Any

BUCKET, REGION, CREDENTIAL = "kb-drill", "us-east-1", "drill"
HOP_BY_HOP = {"connection", "transfer-encoding", "keep-alive", "host", "expect"}
SLOW_DOWN = b"<Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>"
LONGEST_HANG_S = 300.0


class FaultyS3:
    """`refuse`, `hang` and `heal` say how requests are answered from now on; one that hangs is never answered."""

    def __init__(self, upstream: tuple[str, int]) -> None:
        self._upstream = upstream
        self._mode = "heal"
        self._ended = threading.Event()
        handler = type("BoundProxy", (_Proxy,), {"owner": self})
        self._server = _Server(("127.0.0.1", 0), handler)
        threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.1}, daemon=True).start()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    @property
    def mode(self) -> str:
        return self._mode

    @property
    def upstream(self) -> tuple[str, int]:
        return self._upstream

    def refuse(self) -> None:
        self._mode = "refuse"

    def hang(self) -> None:
        self._mode = "hang"

    def heal(self) -> None:
        self._mode = "heal"

    def wait(self) -> None:
        """As long as a request that hangs hangs: also beyond the fault, for a lost connection stays lost."""
        self._ended.wait(LONGEST_HANG_S)

    def close(self) -> None:
        self._ended.set()
        self._server.shutdown()
        self._server.server_close()


class _Server(http.server.ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 128

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that hangs up is what the drill is about."""


class _Proxy(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    owner: FaultyS3

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def handle_expect_100(self) -> bool:
        return self.owner.mode != "heal" or super().handle_expect_100()

    def _forward(self) -> None:
        if self.owner.mode == "hang":
            self.owner.wait()
            self.close_connection = True
            return
        if self.owner.mode == "refuse":
            self.close_connection = True
            self._reply(503, [("Content-Type", "application/xml")], SLOW_DOWN)
            return
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        headers = {name: value for name, value in self.headers.items() if name.lower() not in HOP_BY_HOP}
        upstream = http.client.HTTPConnection(*self.owner.upstream, timeout=60)
        try:
            upstream.request(self.command, self.path, body=body, headers=headers)
            answer = upstream.getresponse()
            content = answer.read()
        finally:
            upstream.close()
        kept = [(name, value) for name, value in answer.getheaders() if name.lower() not in HOP_BY_HOP]
        self._reply(answer.status, kept, content)

    do_GET = do_PUT = do_POST = do_DELETE = do_HEAD = _forward

    def _reply(self, status: int, headers: list[tuple[str, str]], content: bytes) -> None:
        self.send_response_only(status)
        named = {name.lower() for name, _ in headers}
        for name, value in headers:
            self.send_header(name, value)
        if "content-length" not in named:
            self.send_header("Content-Length", str(len(content)))
        if self.close_connection:
            self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(content)


@contextlib.contextmanager
def faulty_s3() -> Iterator[FaultyS3]:
    """An empty bucket behind a proxy that is in order at first."""
    import boto3  # slow to import, and an act on local files needs neither
    from moto.server import ThreadedMotoServer

    logging.getLogger("werkzeug").setLevel(logging.ERROR)  # which says a line to each request
    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    proxy = None
    try:
        address = server.get_host_and_port()
        keys = {"aws_access_key_id": CREDENTIAL, "aws_secret_access_key": CREDENTIAL, "region_name": REGION}
        boto3.client("s3", endpoint_url=f"http://{address[0]}:{address[1]}", **keys).create_bucket(Bucket=BUCKET)
        proxy = FaultyS3(address)
        yield proxy
    finally:
        if proxy is not None:
            proxy.close()
        server.stop()


def environment(proxy: FaultyS3) -> dict[str, str]:
    """The settings of a service that keeps its files there."""
    return {
        "KB_STORAGE": "s3",
        "KB_S3_BUCKET": BUCKET,
        "KB_S3_ENDPOINT_URL": proxy.url,
        "KB_S3_REGION": REGION,
        "AWS_ACCESS_KEY_ID": CREDENTIAL,
        "AWS_SECRET_ACCESS_KEY": CREDENTIAL,
    }
