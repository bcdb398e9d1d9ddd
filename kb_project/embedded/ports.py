"""TCP ports: is one free, find a free one, keep using the same one."""

from __future__ import annotations

import errno
import socket
from pathlib import Path

from kb_project.embedded import CannotStart

LOOPBACK = "127.0.0.1"


def is_free(port: int, host: str = LOOPBACK) -> bool:
    """Whether a server could listen on the address now. Raises OSError when the host itself is impossible."""
    family, kind, protocol, _, address = socket.getaddrinfo(
        host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )[0]
    with socket.socket(family, kind, protocol) as probe:
        # As servers do: connections of an earlier run that are still winding down do not count.
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(address)
            probe.listen(1)
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                return False
            raise
    return True


def free_port() -> int:
    """A port of the loopback address that nobody listens on at this moment."""
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        return int(probe.getsockname()[1])


def kept_port(note: Path) -> int:
    """The port written in the file if it is still free, else a free one, which is written there."""
    try:
        port = int(note.read_text(encoding="ascii"))
    except (FileNotFoundError, ValueError):
        port = 0
    if not 1024 <= port <= 65535 or not is_free(port):
        port = free_port()
        note.write_text(str(port), encoding="ascii")
    return port


def require_free(port: int, host: str) -> None:
    """Refuse, in one sentence, an address that the web server could not listen on."""
    if not 1 <= port <= 65535:
        raise CannotStart(f"KB_PORT={port} is not a port: choose a number from 1 to 65535.")
    try:
        free = is_free(port, host)
    except PermissionError:
        raise CannotStart(f"This user may not listen on port {port}: set KB_PORT to one above 1023.") from None
    except OSError as error:
        raise CannotStart(f"Cannot listen on KB_BIND={host}: {error.strerror or error}.") from None
    if not free:
        raise CannotStart(
            f"Port {port} of {host} is already in use: stop what listens there or set KB_PORT to another."
        )
