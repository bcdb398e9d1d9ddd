"""An upgrade without downtime: the release before works on the tables of this one, and this one on what it accepted."""

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from ingest.jobs.claims import sweep
from ingest.models import Job
from kb_project.operations.local_stack.supervisor import Supervisor
from tests import servers
from tests.factories import LAW
from tests.integrity import all_found
from tests.journeys.client import Client
from tests.journeys.test_web import running
from tests.releases import packed, unpack_code
from tests.waiting import wait_until

pytestmark = pytest.mark.deep

QUESTION = "Who decides about the pier?"


@pytest.fixture(scope="module")
def code_before(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The code of the release before, taken from the history."""
    directory = tmp_path_factory.mktemp("release-before")
    try:
        unpack_code(packed()[-1], directory)
    except LookupError as error:
        pytest.skip(str(error))
    return directory


WORKER_BEFORE = ("-m", "celery", "-A", "kb_project", "worker", "--loglevel", "INFO")  # of releases until 0.1.0


@pytest.fixture
def supervisor(transactional_db: None) -> Iterator[Supervisor]:
    supervisor = Supervisor()
    yield supervisor
    supervisor.stop()


def pier_act(word: str) -> bytes:
    sections = f"1. Meaning\nA pier of {word} is a landing place.\n\n2. {QUESTION}\nThe harbour decides.\n"
    return f"{word.title()} Pier Act 2021\n\n{sections}".encode()


def test_two_releases_serve_the_same_tables(code_before: Path, supervisor: Supervisor, tmp_path: Path) -> None:
    old_worker = servers.start_worker(
        supervisor, log=tmp_path / "old.log", concurrency=1, worker=WORKER_BEFORE, code=code_before
    )
    with running(code=code_before, grace_s=1, leave_s=None, KB_WEB_PROCESSES="1") as web:
        before = Client(f"http://127.0.0.1:{web.port}")
        # What a client does.
        status, job = before.upload("oak.txt", pier_act("oak"))
        assert status == 202, job
        assert before.finished(job["job_id"])["status"] == "done"
        status, batch = before.upload_batch([("law.txt", LAW.encode())])
        assert status == 202, batch
        [hit, *_] = before.search("pier of oak", mode="lexical")
        assert hit["source"]["title"] == "Oak Pier Act 2021"
        status, answer = before.post("/kb/ask", {"question": QUESTION})
        assert (status, answer["status"]) == (200, "answered"), answer
        source = hit["source"]["id"]
        assert before.get("/kb/sources")[1]["results"][0]["id"] == source
        assert before.get("/readyz")[0] == 200
        # What it accepts while its workers are already gone is worked off by this release.
        old_worker.send_signal(signal.SIGTERM)
        old_worker.wait(60)
        status, job = before.upload("beech.txt", pier_act("beech"))
        assert status == 202, job
        servers.start_worker(supervisor, log=tmp_path / "new.log", concurrency=1)
        assert before.finished(job["job_id"])["status"] == "done"
        # What this release wrote is found, read and deleted by the one before.
        [hit, *_] = before.search("pier of beech", mode="lexical")
        assert hit["source"]["title"] == "Beech Pier Act 2021"
        for found in (source, hit["source"]["id"]):
            answered = before.session.delete(f"{before.url}/admin/kb/sources/{found}", timeout=60)
            assert answered.status_code in (200, 204), answered.text
        assert before.search("pier", mode="lexical") == []
    servers.start_classifier(supervisor, log=tmp_path / "classifier.log")
    proposed = Job.objects.filter(batch_id=batch["batch_id"], status="awaiting_review")
    wait_until(lambda: sweep() or proposed.exists())
    wait_until(proposed.exists)
    assert not any(all_found().values())
