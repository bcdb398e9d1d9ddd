"""Holding a job: one holder at a time, dead holders are replaced, and a file that kills its worker is given up."""

import os
import socket
import subprocess
import sys
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.utils import timezone

from ingest.job_states import AWAITING_REVIEW, CLASSIFYING, DONE, EMBEDDING, FAILED, QUEUED, JobState, Stage
from ingest.jobs import claims
from ingest.jobs.claims import sweep
from ingest.jobs.transitions import ClaimLost
from ingest.models import Job
from tests.factories import make_job
from tests.ingest.jobs.holders import dead_pid
from tests.racing import all_done_at_once
from tests.servers import PROJECT
from tests.waiting import wait_until


@pytest.mark.django_db
def test_a_queued_job_is_claimed_and_starts_embedding() -> None:
    job = claims.claim(make_job().pk)
    assert job is not None
    assert job.state == EMBEDDING
    assert job.attempts == 1
    assert job.claim.startswith(f"{claims.here()}:{os.getpid()}:")
    assert Job.objects.get(pk=job.pk).claim == job.claim


@pytest.mark.django_db
@pytest.mark.parametrize("state", [AWAITING_REVIEW, DONE, FAILED], ids=str)
def test_a_job_at_rest_is_not_claimed(state: JobState) -> None:
    assert claims.claim(make_job(status=state.status, processing_stage=state.stage).pk) is None


@pytest.mark.django_db
def test_a_job_that_nobody_decided_starts_to_be_classified() -> None:
    job = claims.claim(make_job(confirmed=None).pk)
    assert job is not None
    assert (job.state, job.attempts) == (CLASSIFYING, 1)


@pytest.mark.django_db
def test_who_is_there_for_one_stage_leaves_jobs_of_the_other() -> None:
    undecided, decided = make_job(confirmed=None), make_job()
    assert claims.claim(undecided.pk, only=Stage.EMBEDDING) is None
    assert claims.claim(decided.pk, only=Stage.CLASSIFYING) is None
    for job, stage in ((undecided, Stage.CLASSIFYING), (decided, Stage.EMBEDDING)):
        taken = claims.claim(job.pk, only=stage)
        assert taken is not None
        assert taken.processing_stage == stage


@pytest.mark.django_db
def test_a_job_that_was_being_classified_is_taken_over(settings: Any) -> None:
    settings.KB_CLASSIFY_CONCURRENCY = 1
    job = claims.claim(make_job(confirmed=None).pk)
    assert job is not None
    Job.objects.filter(pk=job.pk).update(claim=f"{claims.here()}:{dead_pid()}:abc")
    taken = claims.claim(job.pk)
    assert taken is not None
    assert (taken.state, taken.attempts) == (CLASSIFYING, 2)


@pytest.mark.django_db
def test_a_job_whose_turn_it_is_not_stays_queued_and_is_next(settings: Any) -> None:
    settings.KB_CLASSIFY_CONCURRENCY = 1
    claims.claim(make_job(confirmed=None).pk)
    waiting = make_job(confirmed=None, hinted_at=timezone.now())
    assert claims.claim(waiting.pk) is None
    waiting.refresh_from_db()
    assert (waiting.state, waiting.attempts, waiting.hinted_at) == (QUEUED, 0, None)


@pytest.mark.django_db
def test_a_held_job_is_left_to_its_holder() -> None:
    job = make_job()
    assert claims.claim(job.pk) is not None
    assert claims.claim(job.pk) is None


@pytest.mark.django_db
def test_a_job_is_taken_over_as_soon_as_its_process_is_gone() -> None:
    job = make_job()
    claims.claim(job.pk)
    Job.objects.filter(pk=job.pk).update(claim=f"{claims.here()}:{dead_pid()}:abc")
    taken = claims.claim(job.pk)
    assert taken is not None
    assert taken.attempts == 2


@pytest.mark.django_db
def test_a_holder_in_another_pid_namespace_is_not_dead() -> None:
    """Two containers may have one name, and the number of a process in one means nothing in the other."""
    code = "import django; django.setup(); from ingest.jobs import claims; print(claims.here())"
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "kb_project.settings"}
    run = subprocess.run(
        ["unshare", "--pid", "--fork", sys.executable, "-c", code],
        cwd=PROJECT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if "unshare" in run.stderr:
        pytest.skip(f"no PID namespace can be made here: {run.stderr}")
    there = run.stdout.strip()
    assert there.startswith(socket.gethostname())
    assert there != claims.here()
    job = make_job()
    claims.claim(job.pk)
    Job.objects.filter(pk=job.pk).update(claim=f"{there}:{dead_pid()}:abc")
    assert claims.claim(job.pk) is None


@pytest.mark.django_db
def test_a_holder_on_another_machine_dies_with_its_heartbeat(settings: Any) -> None:
    job = make_job()
    claims.claim(job.pk)
    Job.objects.filter(pk=job.pk).update(claim="elsewhere:1:abc")
    assert claims.claim(job.pk) is None
    silent = timezone.now() - timedelta(seconds=settings.KB_STALLED_AFTER_S + 1)
    Job.objects.filter(pk=job.pk).update(heartbeat_at=silent)
    assert claims.claim(job.pk) is not None


@pytest.mark.django_db
def test_a_heartbeat_from_the_far_future_keeps_no_job() -> None:
    job = make_job()
    claims.claim(job.pk)
    Job.objects.filter(pk=job.pk).update(claim="elsewhere:1:abc", heartbeat_at=timezone.now() + timedelta(hours=6))
    assert claims.claim(job.pk) is not None


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("ahead", [10, -10], ids=["ahead", "behind"])
def test_a_machine_with_a_wrong_clock_keeps_only_its_own_jobs(
    ahead: int, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    settings.KB_HEARTBEAT_S = 0.05
    wrong = timezone.now() + timedelta(minutes=ahead)
    there, here = make_job(), make_job()
    claims.claim(there.pk)
    with monkeypatch.context() as elsewhere:
        elsewhere.setattr(timezone, "now", lambda: wrong)
        assert not claims.worker_is_dead(Job.objects.get(pk=there.pk))
        assert sweep() == 1, "the one that nobody holds"
        held = claims.claim(here.pk)
        assert held is not None
        assert not claims.worker_is_dead(held)
        Job.objects.filter(pk=here.pk).update(heartbeat_at=None)
        with claims.Heartbeat(held):
            wait_until(lambda: Job.objects.get(pk=here.pk).heartbeat_at)
    Job.objects.filter(pk=here.pk).update(claim="elsewhere:1:abc")
    assert claims.claim(here.pk) is None
    assert sweep() == 0


@pytest.mark.django_db
def test_a_file_that_killed_three_workers_fails_as_worker_lost() -> None:
    job = make_job()
    for _ in range(claims.MAX_ATTEMPTS):
        assert claims.claim(job.pk) is not None
        Job.objects.filter(pk=job.pk).update(claim=f"{claims.here()}:{dead_pid()}:abc")
    assert claims.claim(job.pk) is None
    job.refresh_from_db()
    assert (job.state, job.error_code, job.claim) == (FAILED, "worker_lost", "")


@pytest.mark.django_db
def test_a_released_job_waits_until_its_attempts_are_used_up() -> None:
    job = make_job()
    for attempt in range(1, claims.MAX_ATTEMPTS + 1):
        taken = claims.claim(job.pk)
        assert taken is not None
        assert claims.requeue_after_error(taken) is (attempt < claims.MAX_ATTEMPTS)


@pytest.mark.django_db(transaction=True)
def test_of_many_workers_one_gets_the_job() -> None:
    job = make_job()
    holders = all_done_at_once([partial(claims.claim, job.pk)] * 12)
    assert len([holder for holder in holders if holder is not None]) == 1


@pytest.mark.django_db(transaction=True)
def test_a_heartbeat_writes_progress_and_tells_of_a_lost_job(settings: Any) -> None:
    settings.KB_HEARTBEAT_S = 0.05
    job = claims.claim(make_job().pk)
    assert job is not None
    with claims.Heartbeat(job) as heartbeat:
        heartbeat.progress("reading", 3)
        wait_until(lambda: Job.objects.get(pk=job.pk).progress == {"stage": "reading", "done": 3, "total": None})
        Job.objects.filter(pk=job.pk).update(claim="someone else:1:x")

        def told() -> bool:
            try:
                heartbeat.check()
            except ClaimLost:
                return True
            return False

        wait_until(told)
