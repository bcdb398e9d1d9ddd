"""What this machine offers: memory within its limits, secrets kept in files, free ports."""

import errno
import os
import secrets
import socket
import sys
from collections.abc import Sequence
from pathlib import Path

import psutil

from kb_project.operations.local_stack import CannotStart

CGROUP_LIMITS = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")
LOOPBACK = "127.0.0.1"
UNASSIGNED_PORTS = range(15_000, 32_768)  # below those that Linux gives out itself


def require_linux() -> None:
    """Raises CannotStart elsewhere: readers of documents need packets over sockets, and `/proc`."""
    if not sys.platform.startswith("linux"):
        raise CannotStart("This runs on Linux. On another system run it in a Linux container or machine.")


def memory_bytes() -> int:
    """The memory we may use: the machine's, or less where a container sets a limit."""
    total = int(psutil.virtual_memory().total)
    for path in CGROUP_LIMITS:
        try:
            total = min(total, int(Path(path).read_text(encoding="ascii")))
        except (OSError, ValueError):
            continue  # no such control group, or its limit is the word "max"
    return total


def kept_secret(path: Path) -> str:
    """The secret in the file, made at first use. Only its owner can read it."""
    try:
        return path.read_text(encoding="ascii")
    except FileNotFoundError:
        secret = secrets.token_hex(24)
        write_private(path, secret)
        return secret


def write_private(path: Path, text: str) -> None:
    """Write a file that only its owner can read, whole or not at all."""
    draft = path.with_name(path.name + ".new")
    draft.unlink(missing_ok=True)
    with open(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "w", encoding="utf-8") as file:
        file.write(text)
    draft.replace(path)


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


def free_port(among: Sequence[int] = UNASSIGNED_PORTS) -> int:
    """A port of the loopback address that nobody listens on at this moment.

    The system gives none of these to connections or to servers without a port of their own, so it is still free when
    whoever wants it has started, seconds later.
    """
    for _ in range(100):
        port = secrets.choice(among)
        if is_free(port):
            return port
    raise CannotStart(f"No port of {LOOPBACK} from {among[0]} to {among[-1]} is free.")


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
