"""A mail server that speaks SMTP (RFC 5321) and keeps what it is sent."""

import email
import email.policy
import socketserver
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email.message import EmailMessage

REFUSED = b"550 5.1.1 There is no such mailbox\r\n"


class SmtpServer(socketserver.ThreadingTCPServer):
    """Takes every message, but those to `refused`. `on_message` is called with each before it is answered."""

    daemon_threads = True
    allow_reuse_address = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Session)
        self.messages: list[EmailMessage] = []
        self.refused: set[str] = set()
        self.sessions = 0
        self.on_message: Callable[[EmailMessage], object] = lambda message: None

    @property
    def port(self) -> int:
        return int(self.server_address[1])

    @property
    def url(self) -> str:
        return f"smtp://127.0.0.1:{self.port}"

    def to(self, address: str) -> list[EmailMessage]:
        """What came for an address."""
        return [one for one in list(self.messages) if one["To"] == address]


class _Session(socketserver.StreamRequestHandler):
    """A client's conversation."""

    server: SmtpServer

    def handle(self) -> None:
        self.server.sessions += 1
        self.wfile.write(b"220 mail.example ready\r\n")
        for line in self.rfile:
            command = line[:4].upper().strip()
            if command == b"DATA":
                self._take()
            elif command == b"RCPT" and any(address.encode() in line for address in self.server.refused):
                self.wfile.write(REFUSED)
            elif command == b"QUIT":
                self.wfile.write(b"221 bye\r\n")
                return
            else:
                self.wfile.write(b"250 ok\r\n")

    def _take(self) -> None:
        self.wfile.write(b"354 go on\r\n")
        lines = []
        for line in self.rfile:
            if line == b".\r\n":
                break
            lines.append(line[1:] if line.startswith(b"..") else line)
        message = email.message_from_bytes(b"".join(lines), policy=email.policy.default)
        assert isinstance(message, EmailMessage)
        self.server.messages.append(message)
        self.server.on_message(message)
        self.wfile.write(b"250 taken\r\n")


@contextmanager
def smtp_server() -> Iterator[SmtpServer]:
    """One that serves on a free port of this machine until the block ends."""
    with SmtpServer() as server:
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        thread.start()
        try:
            yield server
        finally:
            server.shutdown()
            thread.join()


def plain_text(message: EmailMessage) -> str:
    """What a message says in plain text."""
    return _part(message, "plain")


def html(message: EmailMessage) -> str:
    """What it says in HTML."""
    return _part(message, "html")


def _part(message: EmailMessage, kind: str) -> str:
    body = message.get_body((kind,))
    assert body is not None, message
    return str(body.get_content()).replace("\r\n", "\n")
