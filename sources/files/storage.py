"""Where files lie: the three areas, the keys in them, and moving a file from one to another.

Local files and S3 are both Django storages, chosen by settings. Nothing above this module knows which.
"""

from __future__ import annotations

import enum
import hashlib
import posixpath
import re
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from secrets import token_hex
from typing import Any
from uuid import UUID

from django.core.files import File
from django.core.files.storage import default_storage

from kb_project.observability import tracing
from kb_project.processes import scratch

MAX_NAME_BYTES = 120
MAX_DISPLAY_LENGTH = 255
UUID_LENGTH = 36
BLOCK = 1024 * 1024
_OF_A_COPY = re.compile(r"^-[0-9a-f]{8}(?=-)")  # replaced in the next copy, so that no key grows from move to move
_UNSAFE = re.compile(r"[\x00-\x1f\x7f<>:\"/\\|?*#%&{}$!'@+`=\s]+")


class Area(enum.StrEnum):
    INBOX = "inbox"
    PROCESSED = "processed"
    FAILED = "failed"


@dataclass(frozen=True, slots=True)
class StoredFile:
    """A file as a listing shows it. `size` in bytes."""

    key: str
    size: int
    modified_at: datetime


def display_name(filename: str) -> str:
    """The last part of a client's file name, without control and direction characters, never empty."""
    last = re.split(r"[/\\]", filename)[-1]
    visible = "".join(
        char
        for char in unicodedata.normalize("NFC", last)
        if unicodedata.category(char) not in ("Cc", "Cf", "Cs", "Co", "Cn")
    ).strip()
    if not visible.strip(". "):
        return "file"
    stem, extension = _split(visible)
    return stem[: MAX_DISPLAY_LENGTH - len(extension)] + extension


def display_path(path: str) -> str:
    """Names of files and folders, one in another, each as `display_name` has it. The innermost ones if it is long."""
    return "/".join(display_name(name) for name in path.split("/") if name)[-MAX_DISPLAY_LENGTH * 4 :]


def safe_name(filename: str) -> str:
    """A name that is safe in a path and in a URL: letters of any script, digits, `.`, `-` and `_`."""
    name = _UNSAFE.sub("-", display_name(filename)).strip("-. ") or "file"
    stem, extension = _split(name)
    room = MAX_NAME_BYTES - len(extension.encode())
    return (stem.encode()[:room].decode("utf-8", "ignore").rstrip("-. ") or "file") + extension


def _split(name: str) -> tuple[str, str]:
    """Stem and extension with its dot. What is too long to be an extension is part of the stem."""
    stem, dot, extension = name.rpartition(".")
    return (stem, dot + extension) if stem and len(extension) <= 10 else (name, "")


def key_for(*, area: Area, topic_slug: str, kind: str, job_id: UUID, filename: str) -> str:
    """`<area>/<topic_slug>/<kind>/<job id>-<safe name>`."""
    return posixpath.join(area, topic_slug, kind, f"{job_id}-{safe_name(filename)}")


def moved_key(key: str, area: Area, *, kind: str, topic_slug: str = "") -> str:
    """Where the same file lies in another area, under the kind that was confirmed, and in another topic if named."""
    _, present_slug, _, name = key.split("/")
    return posixpath.join(area, topic_slug or present_slug, kind, name)


def is_in_area(key: str, area: Area, *, kind: str) -> bool:
    """Whether the file is where files of that kind lie in the area."""
    return moved_key(key, area, kind=kind) == key


def fresh_key(key: str, area: Area, *, kind: str, topic_slug: str = "") -> str:
    """As `moved_key`, with a part that no other copy has.

    So no copy is written over another one, which a row may name by now, and a copy that no row came to name can be
    deleted without asking who else made it.
    """
    folder, _, name = moved_key(key, area, kind=kind, topic_slug=topic_slug).rpartition("/")
    job_id, rest = name[:UUID_LENGTH], _OF_A_COPY.sub("", name[UUID_LENGTH:])
    return f"{folder}/{job_id}-{token_hex(4)}{rest}"


def make_ready() -> None:
    """Make the bucket, where the storage has buckets and this one is not there. Raises the storage's errors."""
    if hasattr(default_storage, "ensure_bucket"):
        default_storage.ensure_bucket()


def save(key: str, path: Path) -> None:
    """Store a local file under exactly this key."""
    with tracing.span("store file"), path.open("rb") as stream:
        stored = default_storage.save(key, File(stream, name=posixpath.basename(key)))
    if stored != key:
        default_storage.delete(stored)
        raise FileExistsError(f"The storage would not keep the key {key!r}.")


def exists(key: str) -> bool:
    return bool(key) and default_storage.exists(key)


def printable(key: str) -> str:
    """The key as UTF-8 can hold it: local file systems have names that are not text."""
    return key.encode("utf-8", "replace").decode()


def names_in(folder: str) -> list[str]:
    """The names of the files directly in a folder, sorted, none when there is no such folder."""
    try:
        return sorted(name for name in default_storage.listdir(folder)[1] if name)
    except FileNotFoundError:
        return []


def describe(key: str) -> StoredFile:
    """Size and time of one stored file. Raises `FileNotFoundError`."""
    return StoredFile(key, default_storage.size(key), default_storage.get_modified_time(key))


def files_under(folder: str) -> Iterator[StoredFile]:
    """Every file below a folder, however deep. One that goes away meanwhile is left out."""
    if hasattr(default_storage, "files_under"):  # a listing that has sizes and times in it
        for key, size, modified_at in default_storage.files_under(folder):
            yield StoredFile(key, size, modified_at)
        return
    try:
        folders, names = default_storage.listdir(folder)
    except FileNotFoundError:
        return
    for name in names:
        try:
            yield describe(posixpath.join(folder, name))
        except FileNotFoundError:
            continue
    for inner in folders:
        yield from files_under(posixpath.join(folder, inner))


def open_stored(key: str) -> File[Any]:
    """The stored file, open for reading. Raises `FileNotFoundError`."""
    return default_storage.open(key, "rb")


def sha256(key: str) -> str:
    """The SHA-256 of a stored file in hex, read block by block. Raises `FileNotFoundError`."""
    digest = hashlib.sha256()
    for block in blocks(key):
        digest.update(block)
    return digest.hexdigest()


def blocks(key: str) -> Iterator[bytes]:
    """The bytes of a stored file, `BLOCK` at a time. Raises `FileNotFoundError`."""
    if hasattr(default_storage, "blocks"):  # off the network: opening a file would fetch it as a whole
        yield from default_storage.blocks(key)
        return
    with open_stored(key) as stored:
        yield from stored.chunks(BLOCK)


def copy(key: str, target: str) -> None:
    """Copy a stored file to another key. The copy replaces what is there."""
    if hasattr(default_storage, "copy"):  # on the server, without the bytes passing through this process
        with tracing.span("copy file"):
            default_storage.copy(key, target)
        return
    with local_copy(key) as path:
        save(target, path)


def delete(key: str) -> None:
    """Delete a stored file. One that is already gone is no error."""
    if key:
        default_storage.delete(key)


def local_path(key: str) -> Path | None:
    """Where the file lies on this machine. None where the storage is another one."""
    try:
        return Path(default_storage.path(key))
    except NotImplementedError:
        return None


@contextmanager
def local_copy(key: str) -> Iterator[Path]:
    """A local path with the stored file's bytes: the file itself where it is local, else a temporary copy."""
    if local := local_path(key):
        if not local.is_file():
            raise FileNotFoundError(f"No stored file {key!r}.")
        yield local
        return
    with scratch.file("copy", suffix=posixpath.splitext(key)[1]) as temporary:
        with tracing.span("fetch file"):
            with open_stored(key) as stored:
                for block in stored.chunks(BLOCK):
                    temporary.write(block)
            temporary.flush()
        yield Path(temporary.name)
