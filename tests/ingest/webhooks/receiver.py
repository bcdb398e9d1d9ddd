"""A receiver of webhooks as a process: it writes what it gets to a file, a JSON object to a line, and answers by path.

`/ok/…` answers 204, `/slow/…` after 50 ms, `/status/NNN`, `/later/TEXT` 503 with that text as `Retry-After`,
`/redirect` to `/ok/elsewhere`, `/refusing/ID` 500 for the message with this id, `/drip` a byte of a header now and
then, `/garbage` something that is no HTTP.
"""

import json
import sys
import time
from pathlib import Path
from threading import Lock
from urllib.parse import unquote

from tests.local_server import LocalCall, LocalServer

LOG = Path(sys.argv[1])
LOCK = Lock()


class Receiver(LocalCall):
    protocol_version = "HTTP/1.0"

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers["content-length"]))
        first, _, rest = self.path.strip("/").partition("/")
        if first == "slow":
            time.sleep(0.05)
        headers = {name.lower(): value for name, value in self.headers.items()}
        with LOCK, LOG.open("a", encoding="utf-8") as log:
            log.write(json.dumps({"path": self.path, "headers": headers, "body": body.decode()}) + "\n")
        if first == "drip":
            self.drip()
        elif first == "garbage":
            self.wfile.write(b"SSH-2.0-none\r\n\r\n")
        else:
            refuses = first == "refusing" and rest == headers["webhook-id"]
            status = {"status": rest, "redirect": "302", "later": "503"}.get(first, "500" if refuses else "204")
            self.answer(int(status), later=unquote(rest) if first == "later" else "")

    def answer(self, status: int, *, later: str) -> None:
        self.send_response(status)
        if later:
            self.send_header("retry-after", later)
        if status == 302:
            self.send_header("location", "/ok/elsewhere")
        self.send_header("content-length", "0")
        self.end_headers()

    def drip(self) -> None:
        self.wfile.write(b"HTTP/1.1 200 OK\r\nx-endless: ")
        try:
            while True:
                self.wfile.write(b".")
                time.sleep(0.1)
        except OSError:
            self.close_connection = True


if __name__ == "__main__":
    server = LocalServer(Receiver)
    print(server.url, flush=True)
    server.serve_forever()
