"""Temporary files and directories, and throwing out those that a killed process left behind.

Whoever makes one holds a lock on it. The kernel lets go of it when the process ends, however it ends. So what is not
locked has no owner, whether that ran here or in another container with the same disk.
"""

import contextlib
import fcntl
import os
import re
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Literal

Purpose = Literal["copy", "job", "marks", "metrics", "office", "page", "restore", "text", "unpack", "upload"]

LEFT_AFTER_S = 6 * 3600  # a lock comes a moment after its file; versions before had none
LOOKED_EVERY_S = 3600
# Ours, and what Django keeps of a request with a large file while it reads it.
_OURS = re.compile(r"kb-(copy|job|marks|metrics|office|page|restore|text|unpack|upload)-|tmp\w{8}\.upload(\.|$)")
_next_look = 0.0


@contextmanager
def directory(purpose: Purpose) -> Iterator[Path]:
    """A directory that only this account can read, gone at the end. Raises `OSError`."""
    _look_now_and_then()
    with tempfile.TemporaryDirectory(prefix=f"kb-{purpose}-") as name:
        descriptor = os.open(name, os.O_RDONLY | os.O_DIRECTORY)
        try:
            _hold(descriptor)
            yield Path(name)
        finally:
            os.close(descriptor)


def directory_for_life(purpose: Purpose) -> Path:
    """A directory that is this process's for as long as it lives, also as another program after `exec`.

    It is thrown out like one that a killed process left. Raises `OSError`.
    """
    _look_now_and_then()
    path = Path(tempfile.mkdtemp(prefix=f"kb-{purpose}-"))
    descriptor = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    os.set_inheritable(descriptor, True)
    _hold(descriptor)
    return path


@contextmanager
def file(purpose: Purpose, *, suffix: str = "") -> Iterator[IO[bytes]]:
    """A named file to write to, that only this account can read, gone at the end. Raises `OSError`."""
    _look_now_and_then()
    with tempfile.NamedTemporaryFile(prefix=f"kb-{purpose}-", suffix=suffix) as temporary:
        _hold(temporary.fileno())
        yield temporary


def delete_stale() -> list[Path]:
    """Delete what this account's processes left in the directory of temporary files hours ago. Gives what it was."""
    gone = []
    for path in Path(tempfile.gettempdir()).iterdir():
        if _OURS.match(path.name):
            with contextlib.suppress(OSError):  # another process was first, or the disk knows no locks
                if _is_left(path):
                    shutil.rmtree(path) if path.is_dir() else path.unlink()
                    gone.append(path)
    return gone


def _look_now_and_then() -> None:
    """Each process looks when it first makes something, and then every hour: no task would reach every machine."""
    global _next_look
    if time.monotonic() >= _next_look:
        _next_look = time.monotonic() + LOOKED_EVERY_S
        delete_stale()


def _hold(descriptor: int) -> None:
    with contextlib.suppress(OSError):  # the disk knows no locks: then nothing on it is ever thrown out
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)


def _is_left(path: Path) -> bool:
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        state = os.fstat(descriptor)
        if state.st_uid != os.getuid() or state.st_mtime > time.time() - LEFT_AFTER_S:
            return False
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    finally:
        os.close(descriptor)
    return True
