"""The manifest of a backup: what is in it, how much of it, and the checksum of every part."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from pathlib import PurePosixPath
from typing import Any

from ingest.backup.archive import BackupRefused
from sources.storage import Area

NAME = "manifest.json"
FORMAT = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class BackupTable:
    """The rows of one table: a gzip of what COPY wrote; `sha256` is of the gzip, in hex."""

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
    """`migrations` are those applied when the rows were read; `sequences` the last number that each gave out.

    `missing` are keys that a source, or a job under way, names and whose file was not in the storage.
    """

    made_at: str
    version: str
    postgres: str
    migrations: list[tuple[str, str]]
    tables: list[BackupTable]
    sequences: dict[str, int]
    files: list[StoredCopy]
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
    """A key is a path below one of the areas; nothing else is ever written into the storage."""
    parts = PurePosixPath(key).parts
    if not parts or parts[0] not in set(Area) or ".." in parts or "/".join(parts) != key:
        raise BackupRefused(f"The backup names the file {key!r}, which is no key of this storage.")
