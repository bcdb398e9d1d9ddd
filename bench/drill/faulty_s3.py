"""S3 on this machine (moto), behind a proxy that can refuse and hang."""

import contextlib
import http.client
import logging
from collections.abc import Iterator

from tests.local_server import LocalCall, ProtocolServer

BUCKET, REGION, CREDENTIAL = "kb-drill", "us-east-1", "drill"
HOP_BY_HOP = {"connection", "transfer-encoding", "keep-alive", "host", "expect"}
SLOW_DOWN = b"<Error><Code>SlowDown</Code><Message>Please reduce your request rate.</Message></Error>"
MAX_HANG_S = 300.0


class FaultyS3(ProtocolServer):
    """`refuse`, `hang` and `heal` say how requests are answered from now on; one that hangs is never answered."""

    def __init__(self, upstream: tuple[str, int]) -> None:
        super().__init__(_Proxy)
        self.upstream = upstream
        self.mode = "heal"

    def refuse(self) -> None:
        self.mode = "refuse"

    def hang(self) -> None:
        self.mode = "hang"

    def heal(self) -> None:
        self.mode = "heal"


class _Proxy(LocalCall):
    server_of: FaultyS3

    def handle_expect_100(self) -> bool:
        return self.server_of.mode != "heal" or super().handle_expect_100()

    def _forward(self) -> None:
        if self.server_of.mode == "hang":
            self._pause(MAX_HANG_S)  # also beyond the fault, for a lost connection stays lost
            self.close_connection = True
            return
        if self.server_of.mode == "refuse":
            self.close_connection = True
            self._reply(503, [("Content-Type", "application/xml"), ("Connection", "close")], SLOW_DOWN)
            return
        body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
        headers = {name: value for name, value in self.headers.items() if name.lower() not in HOP_BY_HOP}
        with contextlib.closing(http.client.HTTPConnection(*self.server_of.upstream, timeout=60)) as upstream:
            upstream.request(self.command, self.path, body=body, headers=headers)
            answer = upstream.getresponse()
            content = answer.read()
        kept = [(name, value) for name, value in answer.getheaders() if name.lower() not in HOP_BY_HOP]
        self._reply(answer.status, kept, content)

    do_GET = do_PUT = do_POST = do_DELETE = do_HEAD = _forward

    def _reply(self, status: int, headers: list[tuple[str, str]], content: bytes) -> None:
        self.send_response_only(status)
        for name, value in headers:
            self.send_header(name, value)
        if "content-length" not in {name.lower() for name, _ in headers}:
            self.send_header("Content-Length", str(len(content)))
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
    try:
        address = server.get_host_and_port()
        keys = {"aws_access_key_id": CREDENTIAL, "aws_secret_access_key": CREDENTIAL, "region_name": REGION}
        boto3.client("s3", endpoint_url=f"http://{address[0]}:{address[1]}", **keys).create_bucket(Bucket=BUCKET)
        with FaultyS3(address) as proxy:
            yield proxy
    finally:
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
