"""Vectors are made of every passage, once, whatever is killed meanwhile: the embedder, who fills, or the database."""

import signal
import time
from functools import partial
from pathlib import Path
from typing import Any

import psutil
import psycopg
import pytest
import requests

from kb_project.operations.local_stack.directory import DataDirectory
from kb_project.operations.local_stack.machine import free_port
from tests.journeys.up import Up, runs, workers_of
from tests.search.local_model.needed import needs_model
from tests.waiting import wait_until

pytestmark = [
    pytest.mark.deep,
    pytest.mark.timeout(900),
    needs_model,
]
KEY = "vectors1.0123456789abcdef0123456789abcdef"
DOCUMENTS, SECTIONS = 30, 12  # so many that their vectors take seconds on idle cores
PATIENCE_S = 600.0  # with a machine that is too busy
KILLED = {"embedder": "search.local_model.server", "classifier": "classifier", "database": "postgres"}


class Run:
    """The stack with the model of this machine, and documents whose vectors follow."""

    def __init__(self, data: Path, starts: list[Up]) -> None:
        given = {"KB_EMBEDDER": "local", "KB_DEMO": "0", "KB_BOOTSTRAP_API_KEY": KEY, "KB_WORKER_NICE": "0"}
        # Servers of its own: they are killed.
        self.up = Up(data, KB_PORT=str(free_port()), **given)
        starts.append(self.up)
        self.up.until_ready()

    def upload(self, number: int) -> None:
        sections = "\n".join(
            f"{s}. Keeping\n" + f"Keeper {number} of wagon {s} pays {s} coins. " * 12 for s in range(1, SECTIONS)
        )
        files = {"file": (f"law{number}.txt", f"Wagons Act {number}, 2031\n{sections}\n".encode())}
        answer = self.call("POST", "/admin/kb/upload", data={"kind": "law", "title": f"Wagons {number}"}, files=files)
        assert answer.status_code == 202, answer.text

    def call(self, method: str, path: str, **given: Any) -> requests.Response:
        headers = {"Authorization": f"Api-Key {KEY}"}
        return requests.request(method, self.up.url + path, headers=headers, timeout=60, **given)

    def rows(self, statement: str) -> list[tuple[Any, ...]]:
        """Nothing while the database is away."""
        url = DataDirectory(self.up.data).noted()["database_url"]
        try:
            with psycopg.connect(url, connect_timeout=5) as connection:
                return connection.execute(statement.encode()).fetchall()
        except psycopg.OperationalError:
            return []

    def counts(self) -> tuple[int, int]:
        """Passages, and vectors of the space in use."""
        found = self.rows(
            "SELECT (SELECT count(*) FROM kb_chunk), (SELECT count(*) FROM kb_chunk_embedding e"
            " JOIN kb_embedding_space s ON s.id = e.space_id AND s.active)"
        )
        return (int(found[0][0]), int(found[0][1])) if found else (0, 0)

    def has_made(self, share: float) -> bool:
        passages, vectors = self.counts()
        return vectors >= share * passages > 0

    def kill(self, name: str) -> None:
        there = (one for one in psutil.Process(self.up.process.pid).children() if runs(one))
        process = workers_of(self.up).get(name) or next(one for one in there if KILLED[name] in " ".join(one.cmdline()))
        process.send_signal(signal.SIGKILL)
        wait_until(lambda: not runs(process))


@pytest.mark.parametrize("killed", KILLED)
def test_nothing_is_lost_and_nothing_made_twice(killed: str, tmp_path: Path, starts: list[Up]) -> None:
    run = Run(tmp_path / "var", starts)
    for number in range(DOCUMENTS):
        run.upload(number)
    wait_until(lambda: run.counts()[0] >= DOCUMENTS * (SECTIONS - 1), within_s=PATIENCE_S)
    for share in (0.2, 0.5):  # amid the work, and once more
        wait_until(partial(run.has_made, share), within_s=PATIENCE_S)
        assert run.counts()[1] < run.counts()[0], "it was done before anything could be killed"
        run.kill(killed)
        wait_until(lambda: _answers(run), within_s=PATIENCE_S)
    wait_until(lambda: run.counts()[0] == run.counts()[1], within_s=PATIENCE_S)
    wait_until(lambda: run.rows("SELECT count(*) FROM kb_vector_work") == [(0,)], within_s=PATIENCE_S)
    twice = "SELECT chunk_id FROM kb_chunk_embedding GROUP BY space_id, chunk_id HAVING count(*) > 1"
    assert run.rows(twice) == []
    assert run.rows("SELECT count(*) FROM kb_embedding_space") == [(1,)]
    hits = run.call("POST", "/kb/search", json={"query": "Who pays for a carriage?", "topic_id": 1}).json()["results"]
    assert any(hit["meaning"] is not None for hit in hits)
    run.up.manage("check_integrity")


def _answers(run: Run) -> bool:
    """Whether a search is answered: while only meanings are away, at once."""
    try:
        answer = run.call("POST", "/kb/search", json={"query": "wagon", "topic_id": 1})
    except requests.RequestException:
        return False
    if answer.status_code != 200:
        time.sleep(0.2)
        return False
    return bool(answer.json()["results"])
