"""Another proposal for a job that awaits review: when it may be asked for, and what of the old one stays."""

from pathlib import Path
from typing import Any

import pytest

from ingest.decide.commit import commit
from ingest.decide.retry import classify_again
from ingest.decisions import Decision
from ingest.job_states import AWAITING_REVIEW, QUEUED
from ingest.jobs.transitions import WrongState
from ingest.models import Draft, Job
from ingest.stages.classify import stage
from ingest.stages.run import run_job
from kb_project.errors import Conflict
from sources.files import storage
from tests.anthropic_server import AnthropicServer
from tests.factories import upload_text
from tests.racing import at_once

pytestmark = pytest.mark.django_db(transaction=True)


def classified(directory: Path, **options: Any) -> Job:
    job = upload_text(directory, **options)
    Job.objects.filter(pk=job.pk).update(confirmed=None)
    return worked(job)


@pytest.fixture
def no_time_to_try_again(monkeypatch: pytest.MonkeyPatch) -> None:
    """The first try of a provider that is away is the last."""
    monkeypatch.setattr(stage, "FIRST_PAUSE_S", 600.0)


def worked(job: Job) -> Job:
    found = run_job(job.pk)
    assert found is not None
    assert found.state == AWAITING_REVIEW
    return found


@pytest.mark.usefixtures("no_time_to_try_again")
def test_a_provider_that_was_away_is_asked_again_and_costs_no_proposal(claude: AnthropicServer, tmp_path: Path) -> None:
    claude.will_answer(None, status=529, headers={"retry-after-ms": "10"})
    job = classified(tmp_path)
    assert (job.ai_suggestions, job.error_code) == ({}, "classifier_away")
    assert "529" in job.error_message
    Draft.objects.create(job=job, kind="circular", labels=["x"], by="dana")

    assert classify_again(job.pk, by="dana").error_code == ""
    claude.forget_promises()
    claude.will_answer({"kind": "law", "title": "First"})
    job = worked(job)
    assert (job.ai_suggestions["title"], job.error_code) == ("First", "")

    classify_again(job.pk, by="dana")
    claude.forget_promises()
    claude.will_answer(None, status=529, headers={"retry-after-ms": "10"})
    job = worked(job)
    assert (job.ai_suggestions["title"], job.error_code) == ("First", "classifier_away")

    classify_again(job.pk, by="dana")
    claude.forget_promises()
    claude.will_answer({"kind": "law", "title": "Second"})
    job = worked(job)
    assert (job.ai_suggestions["title"], job.error_code) == ("Second", "")
    assert (job.draft.kind, job.draft.labels) == ("circular", ["x"])
    assert [event.by for event in job.events.filter(why="classify again")] == ["dana"] * 3


@pytest.mark.usefixtures("no_time_to_try_again")
def test_an_answer_of_the_next_classifier_is_said_to_be_one(
    claude: AnthropicServer, settings: Any, tmp_path: Path
) -> None:
    settings.KB_CLASSIFIER = "anthropic,rules"
    claude.will_answer(None, status=529, headers={"retry-after-ms": "10"})
    job = classified(tmp_path)
    assert (job.ai_suggestions["provider"], job.error_code) == ("rules", "classifier_fell_back")
    assert "529" in job.error_message


def test_only_a_job_that_awaits_review_is_classified_again(tmp_path: Path) -> None:
    job = classified(tmp_path)
    outcomes = at_once([lambda: classify_again(job.pk, by="dana"), lambda: classify_again(job.pk, by="avi")])
    assert sorted(type(outcome).__name__ for outcome in outcomes) == ["Job", "WrongState"]
    job.refresh_from_db()
    assert (job.state, job.attempts) == (QUEUED, 0)
    job = worked(job)
    storage.delete(job.file_key)
    with pytest.raises(Conflict, match="The file of this job is gone"):
        classify_again(job.pk, by="dana")
    commit(job.pk, Decision(kind="law", title="x"), by="dana", allow_duplicate=False)
    with pytest.raises(WrongState, match="cannot classify again"):
        classify_again(job.pk, by="dana")
