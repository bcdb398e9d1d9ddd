"""Moving jobs: only along the arrows, once, and with a row for each move."""

import itertools
from functools import partial
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from ingest.job_states import AWAITING_REVIEW, CLASSIFYING, DONE, EMBEDDING, FAILED, QUEUED, JobState, Transition
from ingest.jobs.transitions import ClaimLost, WrongState, transition
from ingest.models import Job
from kb_project.errors import NotFound
from tests.factories import make_job
from tests.racing import at_once

STATES = [QUEUED, CLASSIFYING, EMBEDDING, AWAITING_REVIEW, DONE, FAILED]


def job_in(state: JobState, **fields: Any) -> Job:
    return make_job(status=state.status, processing_stage=state.stage, **fields)


@pytest.mark.django_db
@pytest.mark.parametrize(("state", "arrow"), list(itertools.product(STATES, Transition)), ids=str)
def test_job_moves_along_arrow_or_is_refused_where_none_starts(state: JobState, arrow: Transition) -> None:
    job = job_in(state)
    if state in arrow.sources:
        moved = transition(job.pk, arrow, by="dana", why="because")
        assert moved.state == Job.objects.get(pk=job.pk).state == arrow.target
        event = job.events.get()
        assert (event.from_state, event.to_state, event.by, event.why) == (
            str(state),
            str(arrow.target),
            "dana",
            "because",
        )
    else:
        with pytest.raises(WrongState) as refusal:
            transition(job.pk, arrow, by="dana")
        assert refusal.value.status == 409
        assert refusal.value.extra["status_now"] == state.status
        assert Job.objects.get(pk=job.pk).state == state
        assert not job.events.exists()


@pytest.mark.django_db
def test_the_specified_moves_are_the_moves_there_are() -> None:
    legal = {(str(source), str(arrow.target)) for arrow in Transition for source in arrow.sources}
    assert legal == {
        ("queued", "processing/classifying"),
        ("queued", "processing/embedding"),
        ("processing/classifying", "awaiting_review"),
        ("awaiting_review", "processing/embedding"),
        ("awaiting_review", "queued"),
        ("processing/embedding", "done"),
        ("processing/embedding", "awaiting_review"),
        ("done", "awaiting_review"),
        ("awaiting_review", "done"),
        ("queued", "failed"),
        ("processing/classifying", "failed"),
        ("processing/embedding", "failed"),
        ("awaiting_review", "failed"),
        ("failed", "failed"),
        ("failed", "processing/embedding"),
        ("failed", "queued"),
        ("failed", "awaiting_review"),
    }


@pytest.mark.django_db
def test_a_move_of_a_job_that_is_not_there_says_so() -> None:
    with pytest.raises(NotFound):
        transition(make_job().pk.__class__(int=0), Transition.FAIL, by="dana")


@pytest.mark.django_db
def test_a_worker_whose_claim_is_gone_cannot_finish_the_job() -> None:
    job = job_in(EMBEDDING, claim="other:1:abc")
    with pytest.raises(ClaimLost):
        transition(job.pk, Transition.FINISH, by="worker", held_by="mine:2:def")
    assert Job.objects.get(pk=job.pk).state == EMBEDDING


@pytest.mark.django_db
def test_leaving_failed_clears_the_error_and_the_end() -> None:
    job = job_in(EMBEDDING)
    failed = transition(job.pk, Transition.FAIL, by="worker", error_code="corrupt", error_message="Broken.")
    assert failed.finished_at is not None
    again = transition(job.pk, Transition.RETRY_CONFIRMED, by="dana")
    assert (again.error_code, again.error_message, again.finished_at) == ("", "", None)


@pytest.mark.django_db(transaction=True)
def test_of_twenty_that_finish_at_once_one_wins() -> None:
    job = job_in(EMBEDDING)
    outcomes = at_once([partial(transition, job.pk, Transition.FINISH, by="worker")] * 20)
    assert sorted(type(outcome) is WrongState for outcome in outcomes) == [False] + [True] * 19
    assert job.events.count() == 1


@pytest.mark.django_db
@pytest.mark.parametrize(("status", "stage"), [("processing", None), ("queued", "embedding"), ("done", "classifying")])
def test_the_database_refuses_a_stage_without_processing(status: str, stage: str | None) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        make_job(status=status, processing_stage=stage)
