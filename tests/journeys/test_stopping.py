"""Asked to stop, a worker finishes what is in its hands and leaves the rest; its log says whose job each line is of."""

import json
import os
import re
import signal
import time
from collections.abc import Callable
from pathlib import Path
from subprocess import Popen

import psutil
import pytest

from ingest.jobs.claims import sweep
from ingest.models import Job
from kb_project.celery import EXIT_WITHIN_S
from kb_project.processes.scratch import LEFT_AFTER_S
from sources.models import Source
from tests.anthropic_server import AnthropicServer
from tests.factories import LAW, upload_text
from tests.ingest.jobs.holders import process_of
from tests.journeys.client import Client
from tests.journeys.test_classifier_limits import PROPOSED
from tests.waiting import wait_until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.deep]

RULE = "הוראה זו תחול על כל אדם ועל כל תאגיד. " * 150
LONG_LAW = "חוק ארוך, התש״ף–2020\n\n" + "\n".join(f"{n}. סעיף מספר {n}\n{RULE}" for n in range(1, 601))


def test_a_stopping_worker_finishes_its_job_and_no_other(
    start_worker: Callable[..., Popen[bytes]], tmp_path: Path
) -> None:
    worker = start_worker()
    held = upload_text(tmp_path, LONG_LAW)
    others = [upload_text(tmp_path, f"{LONG_LAW}\n{number}", filename=f"{number}.txt") for number in range(2)]
    wait_until(lambda: Job.objects.get(pk=held.pk).claim)
    worker.send_signal(signal.SIGTERM)
    worker.wait(120)
    jobs = {job.pk: (job.status, job.attempts, job.claim) for job in Job.objects.all()}
    assert jobs.pop(held.pk) == ("done", 1, "")
    assert set(jobs.values()) == {("queued", 0, "")}
    start_worker()
    wait_until(lambda: Job.objects.filter(status="done").count() == 1 + len(others))
    assert {job.attempts for job in Job.objects.all()} == {1}


def test_what_a_killed_worker_left_is_thrown_out_later(
    start_worker: Callable[..., Popen[bytes]], tmp_path: Path
) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    worker = start_worker(TMPDIR=str(temporary))
    job = upload_text(tmp_path, LONG_LAW)
    wait_until(lambda: list(temporary.glob("kb-job-*")))
    for process in (*psutil.Process(worker.pid).children(recursive=True), worker):
        process.kill()
    worker.wait(60)
    (left,) = temporary.glob("kb-job-*")
    long_ago = time.time() - LEFT_AFTER_S - 60
    os.utime(left, (long_ago, long_ago))
    start_worker(TMPDIR=str(temporary))
    wait_until(sweep)
    wait_until(lambda: Job.objects.filter(pk=job.pk, status="done").exists())
    wait_until(lambda: not list(temporary.glob("kb-*")))


def test_each_line_of_a_job_names_its_job_task_and_request(
    asgi_server: str, start_worker: Callable[..., Popen[bytes]], tmp_path: Path
) -> None:
    client = Client(asgi_server)
    client.session.headers["X-Request-Id"] = "journey-0001"
    _, answer = client.upload("gone.txt", b"a file that will be gone when the worker looks for it")
    Job.objects.filter(pk=answer["job_id"]).update(file_key="inbox/general/law/not-there.txt")
    start_worker(KB_LOG_FORMAT="json")
    assert client.finished(answer["job_id"])["error"]["code"] == "file_missing"
    lines = [json.loads(line) for line in (tmp_path / "worker1.log").read_text().splitlines() if line.startswith("{")]
    assert all({"time", "level", "logger", "message"} <= set(line) for line in lines)
    of_the_job = [line for line in lines if line.get("job_id") == answer["job_id"]]
    assert any("is gone" in line["message"] and "FileNotFoundError" in line["exc_info"] for line in of_the_job)
    assert {line["request_id"] for line in of_the_job} == {"journey-0001"}
    assert all(re.fullmatch(r"[0-9a-f-]{36}", line["task_id"]) for line in of_the_job)


def test_a_stopping_worker_gives_a_long_job_back_uncounted(
    start_worker: Callable[..., Popen[bytes]], tmp_path: Path
) -> None:
    worker = start_worker(KB_WORKER_GRACE_S="0", KB_HEARTBEAT_S="0.2")
    job = upload_text(tmp_path, LONG_LAW)
    wait_until(lambda: Job.objects.get(pk=job.pk).claim)
    worker.send_signal(signal.SIGTERM)
    assert worker.wait(60) == 0
    given_back = Job.objects.get(pk=job.pk)
    assert (given_back.status, given_back.attempts, given_back.claim) == ("processing", 0, "")
    start_worker()
    wait_until(lambda: Job.objects.filter(pk=job.pk, status="done").exists())
    assert Job.objects.get(pk=job.pk).attempts == 1
    assert [source.title for source in Source.objects.all()] == [LONG_LAW.splitlines()[0]]


def test_a_worker_whose_process_hangs_ends_in_time_all_the_same(
    start_worker: Callable[..., Popen[bytes]], tmp_path: Path
) -> None:
    worker = start_worker(KB_WORKER_GRACE_S="0", KB_HEARTBEAT_S="0.2")
    job = upload_text(tmp_path, LONG_LAW)
    hanging = process_of(job.pk)
    hanging.suspend()
    worker.send_signal(signal.SIGTERM)
    assert worker.wait(EXIT_WITHIN_S + 10) == 0
    wait_until(lambda: not hanging.is_running() or hanging.status() == psutil.STATUS_ZOMBIE)
    start_worker()
    wait_until(sweep)  # it had no time to give the job back: that counts as a death
    wait_until(lambda: Job.objects.filter(pk=job.pk, status="done", attempts=2).exists())


def test_classifier_that_waits_for_its_provider_gives_file_back(
    asgi_server: str, start_classifier: Callable[..., Popen[bytes]]
) -> None:
    client = Client(asgi_server)
    with AnthropicServer() as claude:
        environment = {
            "ANTHROPIC_API_KEY": "only-for-tests",
            "ANTHROPIC_BASE_URL": claude.url,
            "KB_WORKER_GRACE_S": "0",
            "KB_HEARTBEAT_S": "0.2",
        }
        classifier = start_classifier(**environment)
        claude.will_answer(PROPOSED, delay_s=60)
        status, taken = client.upload_batch([("law.txt", LAW.encode())])
        assert status == 202, taken
        wait_until(lambda: claude.at_once)
        classifier.send_signal(signal.SIGTERM)
        assert classifier.wait(EXIT_WITHIN_S + 10) == 0
        [job] = Job.objects.all()
        assert (job.status, job.attempts, job.claim) == ("processing", 0, "")
        claude.forget_promises()
        claude.will_answer(PROPOSED)
        start_classifier(**environment)
        wait_until(lambda: Job.objects.filter(status="awaiting_review", attempts=1).exists())
