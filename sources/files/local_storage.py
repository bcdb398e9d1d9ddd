"""Documents in a folder of this machine, on disk when they are said to be stored."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from django.core.files.base import File
from django.core.files.storage import FileSystemStorage

FILE_MODE = 0o600


class DurableFileSystemStorage(FileSystemStorage):
    """Django's storage of local files, whose `save` returns when the bytes and all folders above them are on disk.

    A row that names a file may be committed only then: the database writes its log to disk, and a machine that stops
    would otherwise come back with a row whose file is empty or not there. A file that exists is written over.
    """

    def _save(self, name: str, content: File[Any]) -> str:
        path = Path(self.path(name))
        path.parent.mkdir(parents=True, exist_ok=True)
        with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | os.O_CLOEXEC, FILE_MODE), "wb") as stored:
            os.fchmod(stored.fileno(), FILE_MODE)  # a file that is written over keeps the mode that it had
            for block in content.chunks():
                stored.write(block)
            stored.flush()
            os.fsync(stored.fileno())
        # Every folder each time: another process may have made one a moment ago and not have come to sync it.
        root = Path(self.location)
        folder = path.parent
        while folder != root.parent:
            _sync_folder(folder)
            folder = folder.parent
        _sync_folder(root.parent)
        return name


def _sync_folder(folder: Path) -> None:
    """Sync a folder, so that the names in it are on disk."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
