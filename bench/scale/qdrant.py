"""The index in Qdrant's engine: a server of its own on a folder of the data directory, filled from the database."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx2
import psycopg

from bench.scale.database import database_alone, manage
from bench.stack import PROJECT, StackFailed
from kb_project.embedded.machine import free_port

START_TIMEOUT_S = 300  # it reads what it holds
STOP_TIMEOUT_S = 120
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
    with database_alone(folder) as environment, serving(folder) as (qdrant, _):
        manage("migrate", "--verbosity", "0", environment=environment)
        started = time.monotonic()
        manage("reindex_all", "--index", "qdrant", environment={**environment, **settings, **qdrant})
        fill_s = time.monotonic() - started
        with psycopg.connect(environment["DATABASE_URL"], connect_timeout=10) as connection:
            [chunks] = connection.execute(CHUNKS).fetchone() or (0,)
    started = time.monotonic()
    subprocess.run([*_server(folder), "--optimize"], cwd=PROJECT, check=True)
    return chunks, round(fill_s, 1), round(time.monotonic() - started, 1)


@contextmanager
def serving(folder: Path) -> Iterator[tuple[dict[str, str], int]]:
    """Start the server and stop it at the end; yields the settings that lead the service to it, and its process.

    Raises StackFailed.
    """
    url = f"http://127.0.0.1:{(port := free_port())}"
    process = subprocess.Popen(
        [*_server(folder), "--port", str(port)], cwd=PROJECT, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL
    )
    try:
        deadline = time.monotonic() + START_TIMEOUT_S
        while not _answers(url):
            if process.poll() is not None or time.monotonic() > deadline:
                raise StackFailed("Qdrant's engine did not start. Is requirements-bench.txt installed?")
            time.sleep(0.2)
        yield {"KB_INDEX": "qdrant", "KB_QDRANT_URL": url}, process.pid
    finally:
        process.terminate()
        try:
            process.wait(STOP_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            process.kill()


def disk_of(folder: Path) -> int:
    """Bytes of the newest collection: one before it is deleted by the worker, soon but not at once."""
    newest = max(_directory(folder).iterdir(), key=lambda collection: collection.stat().st_mtime)
    return sum(file.stat().st_blocks * 512 for file in newest.rglob("*") if file.is_file())


def memory_of(pid: int) -> int:
    """Resident bytes of a process, the pages of its files included."""
    return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def _directory(folder: Path) -> Path:
    directory = folder.resolve() / "qdrant"
    directory.mkdir(exist_ok=True)
    return directory


def _server(folder: Path) -> list[str]:
    return [sys.executable, "-m", "bench.qdrant_edge", "--dir", str(_directory(folder)), "--settle-s", "0"]


def _answers(url: str) -> bool:
    try:
        return bool(httpx2.get(f"{url}/collections", timeout=2).status_code == 200)
    except httpx2.HTTPError:
        return False
