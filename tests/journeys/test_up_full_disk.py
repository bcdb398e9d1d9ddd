"""`manage.py up` when what it runs is killed, and when the disk is full."""

import json
import signal
import threading
import urllib.error
from pathlib import Path

import psycopg
import pytest

from bench.drill.machine import small_disk
from kb_project.operations.local_stack.directory import DataDirectory
from kb_project.operations.local_stack.machine import free_port
from tests.journeys.up import Up
from tests.waiting import wait_until

pytestmark = pytest.mark.deep


def test_full_disk_under_the_database_is_told_and_got_over(tmp_path: Path, starts: list[Up]) -> None:
    data = tmp_path / "var"
    with small_disk(data, megabytes=700) as disk:
        if disk is None:
            pytest.skip("only root can mount a disk")
        run = Up(data, KB_PORT=str(free_port()), KB_DEMO="0")
        starts.append(run)
        run.until_ready()
        lines: list[str] = []
        assert run.process.stdout is not None
        threading.Thread(target=lines.extend, args=(run.process.stdout,), daemon=True).start()

        disk.fill()
        _grow_the_log(DataDirectory(data).noted()["database_url"])
        wait_until(lambda: sum(line.startswith("supervisor      Postgres ended") for line in lines) > 2)
        assert any("its disk is full" in line for line in lines)
        with pytest.raises(urllib.error.HTTPError) as refused:
            run.get("/readyz")
        assert refused.value.code == 503
        checks = json.load(refused.value)["checks"]
        assert checks["disk"].startswith("The disk of the data directory is full")
        assert checks["database"]

        disk.clear()
        wait_until(lambda: _is_ready(run))
        assert run.end(signal.SIGTERM) == 0


def _grow_the_log(database_url: str) -> None:
    """Write to Postgres's log of changes until it finds no room, and gives up."""
    with pytest.raises(psycopg.OperationalError):
        _write_messages(database_url)


def _write_messages(database_url: str) -> None:
    with psycopg.connect(database_url) as connection:
        for _ in range(2000):
            connection.execute("SELECT pg_logical_emit_message(false, 'test', repeat('x', 1000000), true)")
            connection.commit()


def _is_ready(run: Up) -> bool:
    try:
        return run.get("/readyz")["status"] == "ready"
    except (OSError, urllib.error.URLError):
        return False
