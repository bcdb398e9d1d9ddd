"""The index in Qdrant's engine: a server of its own on a folder of the data directory, filled from the database."""

import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

import psycopg

from bench.scale.database import database_alone, manage
from bench.stack import PROJECT
from tests.local_server import ServerProcess, server_process

SERVER = "tests.qdrant_edge"
CHUNKS = "SELECT count(*) FROM kb_chunk"


@dataclass(frozen=True, slots=True)
class Filled:
    """How the collection was filled. `disk` and `memory` are bytes: of its files, and of the server after searches."""

    chunks: int
    fill_s: float
    optimize_s: float
    disk: int
    memory: int


def fill(folder: Path, settings: Mapping[str, str]) -> tuple[int, float, float]:
    """Fill a new collection with `manage.py reindex_all`, and have the engine build its indexes.

    How many chunks there are, and the seconds of both. The engine builds in a process of its own, as it holds Python's
    lock meanwhile and would answer nothing.
    """
    with database_alone(folder) as environment, serving(folder) as server:
        manage("migrate", "--verbosity", "0", environment=environment)
        started = time.monotonic()
        manage("reindex_all", "--index", "qdrant", environment={**environment, **settings, **settings_of(server)})
        fill_s = time.monotonic() - started
        with psycopg.connect(environment["DATABASE_URL"], connect_timeout=10) as connection:
            [chunks] = connection.execute(CHUNKS).fetchone() or (0,)
    started = time.monotonic()
    subprocess.run([sys.executable, "-m", SERVER, *_options(folder), "--optimize"], cwd=PROJECT, check=True)
    return chunks, round(fill_s, 1), round(time.monotonic() - started, 1)


def serving(folder: Path) -> AbstractContextManager[ServerProcess]:
    """The server, until the end of the block. Raises ServerFailed."""
    return server_process(SERVER, *_options(folder))


def settings_of(server: ServerProcess) -> dict[str, str]:
    """The settings that lead the service to it."""
    return {"KB_INDEX": "qdrant", "KB_QDRANT_URL": server.url}


def disk_of(folder: Path) -> int:
    """Bytes of the newest collection: one before it is deleted by the worker, soon but not at once."""
    newest = max(_directory(folder).iterdir(), key=lambda collection: collection.stat().st_mtime)
    return sum(file.stat().st_blocks * 512 for file in newest.rglob("*") if file.is_file())


def _directory(folder: Path) -> Path:
    directory = folder.resolve() / "qdrant"
    directory.mkdir(exist_ok=True)
    return directory


def _options(folder: Path) -> list[str]:
    return ["--dir", str(_directory(folder))]
