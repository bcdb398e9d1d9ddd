"""A cache of local copies of stored files, for screens that show a document page by page.

Where the storage is on this machine there is nothing to copy. Otherwise a file is downloaded once, however many
processes of this machine ask, and kept for a while in a directory that only this account can read.
"""

import contextlib
import fcntl
import hashlib
import os
import posixpath
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import NamedTemporaryFile, TemporaryDirectory

from django.conf import settings

from sources.files import storage

KEPT_S = 15 * 60  # after the last look
MAX_BYTES = 512 << 20  # of all copies together; the one that is being looked at is kept whatever its size
_LOCKS = 16


@contextmanager
def cached_copy(key: str) -> Iterator[Path]:
    """A local path with the stored file's bytes, for reading. Raises `FileNotFoundError`."""
    if storage.local_path(key):
        with storage.local_copy(key) as path:
            yield path
        return
    directory = _directory()
    kept = directory / (hashlib.sha256(key.encode("utf-8", "surrogatepass")).hexdigest() + posixpath.splitext(key)[1])
    with TemporaryDirectory(prefix="look-", dir=directory) as own:
        looked_at = Path(own) / kept.name
        with _alone(directory, kept.name):
            try:
                os.link(kept, looked_at)  # a link of one's own: another process may throw the copy out meanwhile
            except FileNotFoundError:
                _download(key, kept)
                os.link(kept, looked_at)
            os.utime(looked_at)
        _throw_out(directory, besides=kept.name)
        yield looked_at


def _directory() -> Path:
    directory: Path = settings.DATA_DIR / "copies"
    directory.mkdir(mode=0o700, parents=True, exist_ok=True)
    return directory


@contextmanager
def _alone(directory: Path, name: str) -> Iterator[None]:
    """One process or thread at a time for each file, so that pages asked for together download it once."""
    number = int(name[:8], 16) % _LOCKS
    descriptor = os.open(directory / f"lock-{number}", os.O_CREAT | os.O_RDWR, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX)
        yield
    finally:
        os.close(descriptor)


def _download(key: str, target: Path) -> None:
    with storage.open_stored(key) as stored, NamedTemporaryFile(dir=target.parent, prefix="new-", delete=False) as new:
        try:
            for block in stored.chunks(1024 * 1024):
                new.write(block)
            new.flush()
            os.replace(new.name, target)
        except BaseException:
            os.unlink(new.name)
            raise


def _throw_out(directory: Path, *, besides: str) -> None:
    """Delete copies that were not used for a while, then the least recently used ones above the size limit."""
    found = []
    for path in directory.iterdir():
        if path.name != besides and not path.name.startswith("lock-"):
            with contextlib.suppress(FileNotFoundError):  # another process was first
                found.append((path.stat(), path))
    room = MAX_BYTES
    for state, path in sorted(found, key=lambda one: one[0].st_mtime, reverse=True):
        outdated = state.st_mtime < time.time() - KEPT_S
        if path.is_dir():  # of a process that is looking, or was killed while it was
            if outdated:
                shutil.rmtree(path, ignore_errors=True)
            continue
        room -= state.st_size
        if room < 0 or outdated:
            path.unlink(missing_ok=True)
