"""The two shapes of a backup, a directory and a .tar, written and read member by member. Its manifest."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import tarfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path, PurePosixPath
from typing import IO, Any, Protocol

from sources.files.storage import Area

BLOCK = 1024 * 1024
NAME = "manifest.json"
FORMAT = 1


class BackupRefused(Exception):
    """The backup cannot be made, or cannot be restored. Nothing was changed unless the sentence says so."""


class Writer(Protocol):
    def add(self, member: str, path: Path) -> tuple[int, str]:
        """Put a local file in. Returns its size in bytes as it was written, and its SHA-256 in hex."""
        ...


class Reader(Protocol):
    def open(self, member: str) -> IO[bytes]:
        """The member, open for reading. Raises `BackupRefused` when the backup does not have it."""
        ...


@contextmanager
def writing(target: Path) -> Iterator[Writer]:
    """Write a new backup, a .tar if the path ends so. It gets its name when complete, and is deleted on failure.

    Only its owner can read it. Raises `BackupRefused` when something is there already.
    """
    if os.path.lexists(target):
        raise BackupRefused(f"{target} is there already: choose another name, a backup never overwrites.")
    draft = target.with_name(f"{target.name}.partial-{os.getpid()}")
    try:
        target.parent.mkdir(parents=True, exist_ok=True)
        if target.suffix == ".tar":
            with open(os.open(draft, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600), "wb") as stream:
                with tarfile.open(fileobj=stream, mode="w", format=tarfile.PAX_FORMAT) as tar:
                    yield _TarWriter(tar)
                os.fsync(stream.fileno())
        else:
            draft.mkdir(mode=0o700)
            yield _DirectoryWriter(draft)
        draft.rename(target)
    except BaseException:
        if draft.is_dir():
            shutil.rmtree(draft, ignore_errors=True)
        else:
            draft.unlink(missing_ok=True)
        raise


@contextmanager
def reading(path: Path) -> Iterator[Reader]:
    """A backup to read. Raises `BackupRefused` when there is none at the path."""
    if path.is_dir():
        yield _DirectoryReader(path)
    elif path.is_file():
        with contextlib.ExitStack() as stack:
            try:
                tar = stack.enter_context(tarfile.open(path, mode="r:"))
                members = {member.name: member for member in tar if member.isreg()}
            except (tarfile.TarError, OSError) as error:
                raise BackupRefused(f"{path} cannot be read as a .tar: {error}.") from error
            yield _TarReader(tar, members)
    else:
        raise BackupRefused(f"There is no backup at {path}.")


def sha256_of(stream: IO[bytes], *, into: IO[bytes] | None = None) -> tuple[int, str]:
    """Size in bytes and SHA-256 in hex of the rest of the stream, which is copied to `into`."""
    digest, size = hashlib.sha256(), 0
    while block := stream.read(BLOCK):
        digest.update(block)
        size += len(block)
        if into is not None:
            into.write(block)
    return size, digest.hexdigest()


class _DirectoryWriter:
    def __init__(self, root: Path) -> None:
        self._root = root

    def add(self, member: str, path: Path) -> tuple[int, str]:
        target = self._root / member
        target.parent.mkdir(parents=True, exist_ok=True)
        with path.open("rb") as source, target.open("xb") as copy:
            written = sha256_of(source, into=copy)
            copy.flush()
            os.fsync(copy.fileno())
        return written


class _TarWriter:
    def __init__(self, tar: tarfile.TarFile) -> None:
        self._tar = tar

    def add(self, member: str, path: Path) -> tuple[int, str]:
        info = tarfile.TarInfo(member)
        info.mode = 0o600
        with path.open("rb") as source:
            info.size, sha256 = sha256_of(source)
            source.seek(0)
            self._tar.addfile(info, source)
        return info.size, sha256


class _DirectoryReader:
    def __init__(self, root: Path) -> None:
        self._root = root.resolve()

    def open(self, member: str) -> IO[bytes]:
        path = self._root / member
        # A link could lead out of the backup; none is ever written into one.
        if path.is_symlink() or not path.is_file() or not path.resolve().is_relative_to(self._root):
            raise _not_there(member)
        return path.open("rb")


class _TarReader:
    def __init__(self, tar: tarfile.TarFile, members: dict[str, tarfile.TarInfo]) -> None:
        self._tar = tar
        self._members = members

    def open(self, member: str) -> IO[bytes]:
        found = self._members.get(member)
        stream = self._tar.extractfile(found) if found else None
        if stream is None:
            raise _not_there(member)
        return stream


def _not_there(member: str) -> BackupRefused:
    return BackupRefused(f"The backup is not whole: it has no {member}.")


@dataclass(frozen=True, slots=True, kw_only=True)
class BackupTable:
    """The rows of one table: a gzip of what COPY wrote. `sha256` is of the gzip, in hex."""

    name: str
    columns: list[str]
    rows: int
    sha256: str

    @property
    def member(self) -> str:
        return f"tables/{self.name}.copy.gz"


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredCopy:
    """One stored file: its key in the storage, its bytes and their SHA-256 in hex."""

    key: str
    size: int
    sha256: str

    @property
    def member(self) -> str:
        return f"files/{self.key}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Manifest:
    """`migrations` are those applied when the rows were read. `sequences` the last number that each gave out.

    `missing` are keys that a source, or a job under way, names and whose file was not in the storage.
    """

    made_at: str
    version: str
    postgres: str
    migrations: list[tuple[str, str]]
    tables: list[BackupTable]
    sequences: dict[str, int]
    files: list[StoredCopy] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)
    format: int = FORMAT

    def as_json(self) -> str:
        return json.dumps(asdict(self), ensure_ascii=False, indent=1)

    @classmethod
    def from_json(cls, text: str) -> Manifest:
        """Raises `BackupRefused` for one that this version cannot read."""
        try:
            given: dict[str, Any] = json.loads(text)
            if given["format"] != FORMAT:
                raise BackupRefused(
                    f"The backup is of format {given['format']}; this version reads {FORMAT}. Restore it with the "
                    "version of the program that made it."
                )
            tables = [BackupTable(**table) for table in given.pop("tables")]
            files = [StoredCopy(**file) for file in given.pop("files")]
            migrations = [(app, name) for app, name in given.pop("migrations")]
            manifest = cls(tables=tables, files=files, migrations=migrations, **given)
        except (ValueError, KeyError, TypeError) as error:
            raise BackupRefused(f"The backup's {NAME} cannot be read ({type(error).__name__}: {error}).") from error
        for file in manifest.files:
            _require_stored_key(file.key)
        return manifest


def _require_stored_key(key: str) -> None:
    """A key is a path below one of the areas. Nothing else is ever written into the storage."""
    parts = PurePosixPath(key).parts
    if not parts or parts[0] not in set(Area) or ".." in parts or "/".join(parts) != key:
        raise BackupRefused(f"The backup names the file {key!r}, which is no key of this storage.")
