"""Discarding: the job ends, its file goes, and nothing that raced with it survives by half."""

import uuid
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest
from django.core.files.storage import default_storage
from django.db.models import F

from ingest.decide.commit import commit
from ingest.decide.discard import TAKEN_BACK_WITHIN, discard, let_go
from ingest.decide.reopen import reopen
from ingest.decide.retry import retry, take_back
from ingest.decisions import Decision
from ingest.intake.batches import create_batch
from ingest.job_states import AWAITING_REVIEW, EMBEDDING, FAILED, QUEUED, Transition
from ingest.jobs import claims
from ingest.jobs.transitions import ClaimLost, WrongState, transition
from ingest.models import Job
from ingest.similar.duplicates import DuplicateDocument
from ingest.stages.classify.stage import classify
from ingest.stages.run import _fail, run_job
from kb_project.errors import Conflict, NotFound
from sources.files import storage
from sources.models import FileDeletion
from tests.factories import LAW, first_topic, make_job, upload_text
from tests.racing import at_once

pytestmark = pytest.mark.django_db(transaction=True)


def stored() -> list[str]:
    return [file.key for area in storage.Area for file in storage.files_under(area)]


@pytest.fixture(autouse=True)
def empty_store() -> None:
    for key in stored():
        storage.delete(key)


def test_a_job_that_waits_is_discarded_with_its_file(tmp_path: Path) -> None:
    job = upload_text(tmp_path, metadata=None)
    discarded = discard(job.pk, by="dana")
    assert (discarded.state, discarded.error_code, discarded.file_key) == (FAILED, "discarded", "")
    assert "dana" in discarded.error_message
    assert stored() == []
    assert not FileDeletion.objects.exists()
    assert upload_text(tmp_path).pk, "its bytes are free again"


def test_a_job_under_review_is_discarded_and_keeps_what_was_proposed(tmp_path: Path) -> None:
    job = run_job(upload_text(tmp_path, metadata=None).pk)
    assert job is not None
    discarded = discard(job.pk, by="dana")
    assert discarded.ai_suggestions == job.ai_suggestions != {}
    assert [event.to_state for event in discarded.events.all()][-2:] == ["awaiting_review", "failed"]


def test_a_failed_job_is_discarded_while_its_file_is_there_and_once(tmp_path: Path) -> None:
    failed = run_job(upload_text(tmp_path, "<html><p> </p></html>", metadata=None).pk)
    assert failed is not None
    assert failed.file_key.startswith("failed/general/law/")
    assert discard(failed.pk, by="dana").error_code == "discarded"
    assert stored() == []
    with pytest.raises(Conflict) as refusal:
        discard(failed.pk, by="dana")
    assert refusal.value.code == "wrong_state"
    with pytest.raises(Conflict):
        retry(failed.pk, by="dana")


@pytest.mark.parametrize(("status", "stage"), [("processing", "embedding"), ("done", None)])
def test_what_was_decided_is_not_discarded(status: str, stage: str | None) -> None:
    with pytest.raises(WrongState):
        discard(make_job(status=status, processing_stage=stage).pk, by="dana")


def test_a_job_that_is_not_there_says_so() -> None:
    with pytest.raises(NotFound):
        discard(uuid.uuid4(), by="dana")


def test_a_worker_that_is_classifying_loses_the_job_and_drops_what_it_made(tmp_path: Path) -> None:
    job = upload_text(tmp_path, metadata=None)
    held = claims.claim(job.pk)
    assert held is not None
    path = tmp_path / "kept.txt"
    path.write_text(LAW, encoding="utf-8")
    discard(job.pk, by="dana")
    storage.save(held.file_key, path)  # as if it had been opened before it was deleted
    with claims.Heartbeat(held) as heartbeat, pytest.raises(ClaimLost):
        classify(held, heartbeat)
    job.refresh_from_db()
    assert (job.state, job.error_code, job.ai_suggestions) == (FAILED, "discarded", {})


def test_a_worker_failing_a_discarded_job_leaves_no_copy(tmp_path: Path) -> None:
    job = upload_text(tmp_path, metadata=None)
    held = claims.claim(job.pk)
    assert held is not None
    with default_storage.open(job.file_key) as original:
        content = original.read()
    discard(job.pk, by="dana")
    with default_storage.open(job.file_key, "wb") as file:  # the copy was under way when it was deleted
        file.write(content)
    _fail(held, code="corrupt", message="Broken.")
    job.refresh_from_db()
    assert job.error_code == "discarded"
    assert [key for key in stored() if key.startswith("failed/")] == []


def test_of_commit_and_discard_at_once_one_wins(
    tmp_path: Path,
) -> None:
    decision = Decision(kind="law", title="חוק")
    winners = set()
    for number in range(12):
        path = upload_text(tmp_path, f"{LAW}\n{number}", filename=f"{number}.txt", metadata=None)
        transition(path.pk, Transition.START_CLASSIFYING, by="worker")
        job = transition(path.pk, Transition.PROPOSE, by="worker")
        assert job.state == AWAITING_REVIEW
        actions = [
            partial(commit, job.pk, decision, by="dana", allow_duplicate=True),
            partial(discard, job.pk, by="noa"),
        ]
        committed, discarded = at_once(actions if number % 2 else actions[::-1])[:: 1 if number % 2 else -1]
        state = Job.objects.get(pk=job.pk).state
        assert isinstance(committed, Job) is (state == EMBEDDING) is storage.exists(job.file_key)
        assert isinstance(discarded, Job) is (state == FAILED)
        assert isinstance(committed, WrongState) is isinstance(discarded, Job)
        winners.add(str(state))
    assert winners <= {"processing/embedding", "failed"}


def test_of_many_discards_of_a_failed_job_at_once_one_counts(tmp_path: Path) -> None:
    job = upload_text(tmp_path)
    transition(job.pk, Transition.FAIL, by="worker")
    outcomes = at_once([partial(discard, job.pk, by="dana")] * 8)
    assert sum(isinstance(outcome, Job) for outcome in outcomes) == 1
    assert sum(isinstance(outcome, Conflict) for outcome in outcomes) == 7


def test_retry_and_discard_at_once_leave_each_job_its_file(tmp_path: Path) -> None:
    for number in range(6):
        job = upload_text(tmp_path, f"{LAW}\n{number}", filename=f"{number}.txt", metadata=None)
        transition(job.pk, Transition.FAIL, by="worker")
        at_once([partial(retry, job.pk, by="dana"), partial(discard, job.pk, by="noa")])
        job.refresh_from_db()
        assert storage.exists(job.file_key) is (job.state != FAILED)


def waiting(text: str = LAW) -> Job:
    """A file of a batch that awaits review."""
    (job,) = create_batch([("law.txt", [text.encode()])], topic=first_topic(), by="dana").jobs
    done = run_job(job.pk)
    assert done is not None
    return done


def ten_minutes_pass() -> None:
    Job.objects.update(finished_at=F("finished_at") - TAKEN_BACK_WITHIN)


def test_what_a_screen_discarded_is_taken_back_with_its_file() -> None:
    job = waiting()
    discarded = discard(job.pk, by="dana", keeps_file=True)
    assert (discarded.state, discarded.error_code) == (FAILED, "discarded")
    assert let_go() == 0
    assert stored() == [job.file_key]
    back = reopen(job.pk, by="avi")
    assert (back.state, back.ai_suggestions, back.error_code, back.error_message) == (
        AWAITING_REVIEW,
        job.ai_suggestions,
        "",
        "",
    )
    assert [(event.by, event.why) for event in back.events.all()][-2:] == [("dana", "discarded"), ("avi", "taken back")]
    ten_minutes_pass()
    assert let_go() == 0
    assert stored() == [job.file_key]
    commit(job.pk, Decision(kind="law", title="Boats"), by="dana", allow_duplicate=False)


def test_after_ten_minutes_a_discarded_file_is_deleted() -> None:
    job = waiting()
    discard(job.pk, by="dana", keeps_file=True)
    ten_minutes_pass()
    assert let_go() == 1
    assert let_go() == 0
    assert stored() == []
    assert not FileDeletion.objects.exists()
    job.refresh_from_db()
    assert (job.state, job.file_key, job.error_message) == (FAILED, "", "Discarded by dana; the file was deleted.")
    with pytest.raises(Conflict, match="gone"):
        reopen(job.pk, by="dana")


def test_discarding_for_good_deletes_the_file_at_once() -> None:
    job = waiting()
    discard(job.pk, by="dana", keeps_file=True)
    with pytest.raises(Conflict):
        discard(job.pk, by="avi", keeps_file=True)
    discard(job.pk, by="program")
    assert stored() == []
    with pytest.raises(Conflict):
        take_back(job.pk, by="dana")


def test_what_came_anew_meanwhile_is_not_taken_in_twice() -> None:
    job = waiting()
    discard(job.pk, by="dana", keeps_file=True)
    anew = waiting()
    with pytest.raises(DuplicateDocument):
        take_back(job.pk, by="dana")
    discard(anew.pk, by="dana")
    assert take_back(job.pk, by="dana").state == AWAITING_REVIEW


def test_what_was_discarded_before_it_had_a_proposal_is_tried_again() -> None:
    (job,) = create_batch([("law.txt", [LAW.encode()])], topic=first_topic(), by="dana").jobs
    discard(job.pk, by="dana", keeps_file=True)
    assert take_back(job.pk, by="dana").state == QUEUED
    with pytest.raises(WrongState):
        take_back(job.pk, by="dana")
    assert run_job(job.pk).state == AWAITING_REVIEW  # type: ignore[union-attr]


def test_of_discarding_and_taking_back_at_once_one_counts() -> None:
    for number in range(6):
        job = waiting(f"{LAW}\n{number}")
        discard(job.pk, by="dana", keeps_file=True)
        ten_minutes_pass()
        both: list[Callable[[], object]] = [let_go, partial(take_back, job.pk, by="dana")]
        gone, _back = at_once(both)
        job.refresh_from_db()
        assert storage.exists(job.file_key) is (job.state == AWAITING_REVIEW) is (gone == 0)
