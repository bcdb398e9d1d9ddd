"""`manage.py up` on servers of one's own, and what it does when its programs are killed."""

import contextlib
import os
import signal
from collections.abc import Iterator
from urllib.parse import urlsplit, urlunsplit

import psutil
import psycopg
import pytest

from kb_project.operations.local_stack.machine import free_port
from tests.folders import passable
from tests.journeys.up import Up, sign_in, workers_of
from tests.waiting import wait_until

pytestmark = pytest.mark.deep

PASSWORD = "chosen for the test"


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Up]:
    """A run on an empty database of the tests' own servers."""
    ours = urlsplit(os.environ["DATABASE_URL"])
    with psycopg.connect(urlunsplit(ours), autocommit=True) as connection:
        connection.execute("DROP DATABASE IF EXISTS up_test WITH (FORCE)")
        connection.execute("CREATE DATABASE up_test")
    run = Up(
        passable(tmp_path_factory.mktemp("up")),
        KB_PORT=str(free_port()),
        KB_DEMO="0",
        KB_ADMIN_PASSWORD=PASSWORD,
        DATABASE_URL=urlunsplit(ours._replace(path="/up_test")),
        REDIS_URL=os.environ["REDIS_URL"],
    )
    run.until_ready()
    yield run
    assert run.end(signal.SIGTERM) == 0


def test_they_are_used_and_no_other_is_started(run: Up) -> None:
    nothing_yet = {
        "passages": 0,
        "vectors": 0,
        "seconds_left": None,
        "by_words": "KB_EMBEDDER names no model of meanings.",
    }
    assert run.get("/readyz") == {"status": "ready", "integrity": None, "meaning": nothing_yet}
    assert not (run.data / "postgres").exists()
    assert not (run.data / "redis").exists()
    assert PASSWORD not in run.output
    assert sign_in(run, user="admin", password=PASSWORD) == 200


def test_programs_killed_again_and_again_take_nothing_along(run: Up) -> None:
    killed = dict.fromkeys(("worker", "classifier"), 0)

    def kill() -> bool:
        for name, process in workers_of(run).items():
            with contextlib.suppress(psutil.NoSuchProcess):
                if killed.get(name, 5) < 5:  # a program that is just starting has no name yet
                    process.kill()
                    killed[name] += 1
        return set(killed.values()) == {5}

    wait_until(kill)
    assert run.get("/healthz") == {"status": "ok"}
    assert run.get("/kb/topics")["count"] == 1
    assert run.process.poll() is None
