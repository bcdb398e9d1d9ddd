"""Committing: a decision is checked, kept whole beside what was proposed, and taken once."""

import datetime as dt
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from ingest.decide.commit import commit
from ingest.decisions import Decision, LabelChoice
from ingest.job_states import AWAITING_REVIEW, DONE, EMBEDDING
from ingest.jobs.transitions import WrongState
from ingest.models import Job
from ingest.similar.duplicates import DuplicateDocument
from ingest.stages.run import run_job
from kb_project.errors import Invalid
from labels import naming
from labels.models import Label, LabelAlias, SourceLabel
from sources.fields import DocumentFields
from sources.files import storage
from sources.models import Source
from tests.factories import LAW, first_topic, make_job, make_label, make_source, place_of, upload_text
from tests.racing import at_once

pytestmark = pytest.mark.django_db(transaction=True)

SUGGESTIONS = {
    "kind": "circular",
    "title": "חוק הספריות",
    "subject": None,
    "summary": None,
    "identifier": "ס-1",
    "published_at": None,
    "labels": [{"slug": "thrbvth", "name": "תרבות", "existing": False}],
    "evidence": {"title": {"page": None, "quote": "חוק הספריות"}},
    "provider": "rules",
    "model": "rules",
    "prompt_version": "1",
}
DECISION = Decision(
    kind="law",
    title="חוק הספריות הציבוריות",
    subject="ספריות",
    summary="על השאלת ספרים בספריות ציבוריות.",
    identifier="ס-1",
    published_at=dt.date(2024, 3, 1),
    labels=(LabelChoice(name="תרבות"), LabelChoice(slug="sspryvth")),
)


def awaiting(**fields: Any) -> Job:
    return make_job(status=AWAITING_REVIEW.status, confirmed=None, **fields)


def classified(directory: Path, text: str = LAW, **options: Any) -> Job:
    job = run_job(upload_text(directory, text, kind="circular", metadata=None, allow_duplicate=True, **options).pk)
    assert job is not None
    assert job.state == AWAITING_REVIEW
    return job


def test_what_was_proposed_and_what_was_confirmed_are_both_kept() -> None:
    make_label("ספריות")
    job = awaiting(kind="circular", ai_suggestions=SUGGESTIONS, attempts=3)
    committed = commit(job.pk, DECISION, by="dana", allow_duplicate=True)
    assert (committed.state, committed.kind, committed.attempts) == (EMBEDDING, "law", 0)
    job.refresh_from_db()
    assert job.ai_suggestions == SUGGESTIONS
    assert job.confirmed == DocumentFields().as_json() | {
        "kind": "law",
        "title": "חוק הספריות הציבוריות",
        "subject": "ספריות",
        "summary": "על השאלת ספרים בספריות ציבוריות.",
        "identifier": "ס-1",
        "published_at": "2024-03-01",
        "labels": [{"slug": "thrbvth", "name": "תרבות"}, {"slug": "sspryvth", "name": "ספריות"}],
    }
    event = job.events.get()
    assert (event.by, event.to_state) == ("dana", "processing/embedding")
    assert event.why == "confirmed; changed: kind, title, subject, summary, published_at, labels"


def test_a_committed_document_becomes_a_source_with_what_the_person_said(tmp_path: Path) -> None:
    make_label("ספריות")
    job = classified(tmp_path)
    commit(job.pk, DECISION, by="dana", allow_duplicate=True)
    done = run_job(job.pk)
    assert done is not None
    assert done.state == DONE
    source = Source.objects.get()
    assert (source.kind, source.title, source.description) == (DECISION.kind, DECISION.title, DECISION.summary)
    assert (source.subject, source.identifier, source.published_at) == ("ספריות", "ס-1", dt.date(2024, 3, 1))
    assert source.ai_classified_at is not None
    assert source.file_key == done.file_key
    assert place_of(source.file_key) == f"processed/general/law/{job.pk}-law.txt"
    assert storage.exists(source.file_key)
    assert not storage.exists(job.file_key)
    assert {label.name: label.usage_count for label in source.labels.all()} == {"תרבות": 1, "ספריות": 1}


def test_a_document_that_nobody_classified_says_so(tmp_path: Path) -> None:
    job = classified(tmp_path)
    Job.objects.filter(pk=job.pk).update(ai_suggestions={})
    commit(job.pk, Decision(kind="law", title="חוק"), by="dana", allow_duplicate=True)
    run_job(job.pk)
    assert Source.objects.get().ai_classified_at is None


def test_a_label_is_found_by_slug_alias_and_name_once() -> None:
    label = make_label("שכירות")
    LabelAlias.objects.create(label=label, slug="rent", name="Rent")
    choices = (
        LabelChoice(slug=label.slug),
        LabelChoice(slug="rent"),
        LabelChoice(name="Rent"),
        LabelChoice(name="שכירות"),
    )
    committed = commit(awaiting().pk, Decision(kind="law", title="x", labels=choices), by="dana", allow_duplicate=True)
    assert committed.confirmed is not None
    assert committed.confirmed["labels"] == [{"slug": label.slug, "name": "שכירות"}]
    assert Label.objects.count() == 1


def test_a_label_deleted_before_indexing_comes_back_by_its_name(tmp_path: Path) -> None:
    job = classified(tmp_path)
    decision = Decision(kind="law", title="חוק", labels=(LabelChoice(name="תרבות"),))
    commit(job.pk, decision, by="dana", allow_duplicate=True)
    Label.objects.all().delete()
    run_job(job.pk)
    assert [(label.name, label.usage_count) for label in Source.objects.get().labels.all()] == [("תרבות", 1)]


@pytest.mark.parametrize(
    ("decision", "field"),
    [
        (Decision(kind="poem", title="x"), "kind"),
        (Decision(kind="law", title=" "), "title"),
        (Decision(kind="law", title="x", summary="x" * 2001), "summary"),
        (Decision(kind="law", title="x", labels=(LabelChoice(slug="nobody"),)), "labels.0.slug"),
        (Decision(kind="law", title="x", labels=(LabelChoice(name="new"), LabelChoice(name=" "))), "labels.1.name"),
        (Decision(kind="law", title="x", labels=(LabelChoice(name="new"), LabelChoice(slug="no"))), "labels.1.slug"),
    ],
)
def test_what_cannot_be_decided_is_named_and_nothing_is_kept(decision: Decision, field: str) -> None:
    job = awaiting()
    with pytest.raises(Invalid) as refusal:
        commit(job.pk, decision, by="dana", allow_duplicate=True)
    assert set(refusal.value.errors) == {field}
    job.refresh_from_db()
    assert (job.state, job.confirmed) == (AWAITING_REVIEW, None)
    assert not Label.objects.exists()


def test_a_duplicate_is_committed_only_by_those_who_know(tmp_path: Path) -> None:
    original, twin = classified(tmp_path), classified(tmp_path)
    assert (original.allow_duplicate, twin.duplicate_of) == (False, {"job_id": str(original.pk)})
    with pytest.raises(DuplicateDocument) as refusal:
        commit(twin.pk, Decision(kind="law", title="x"), by="dana", allow_duplicate=False)
    assert refusal.value.extra == {"job_id": str(original.pk)}
    commit(original.pk, Decision(kind="law", title="x"), by="dana", allow_duplicate=False)
    run_job(original.pk)
    committed = commit(twin.pk, Decision(kind="law", title="x"), by="dana", allow_duplicate=True)
    event = committed.events.last()
    assert event is not None
    assert f"source_id {Source.objects.get().pk}" in event.why
    run_job(twin.pk)
    assert Source.objects.count() == 2


def test_of_duplicates_whose_original_is_gone_the_first_is_none_any_more(tmp_path: Path) -> None:
    source = make_source(content_sha256="a" * 64)
    first, second = (awaiting(content_sha256="a" * 64, allow_duplicate=True) for _ in range(2))
    source.delete()
    commit(first.pk, Decision(kind="law", title="x"), by="dana", allow_duplicate=False)
    with pytest.raises(DuplicateDocument):
        commit(second.pk, Decision(kind="law", title="x"), by="dana", allow_duplicate=False)


def test_of_twenty_commits_of_one_job_at_once_one_wins(tmp_path: Path) -> None:
    job = classified(tmp_path)
    decisions = [
        Decision(kind="law", title=f"כותרת {number}", labels=(LabelChoice(name=f"תווית {number}"),))
        for number in range(20)
    ]
    outcomes = at_once([partial(commit, job.pk, one, by="dana", allow_duplicate=True) for one in decisions])
    winners = [number for number, outcome in enumerate(outcomes) if isinstance(outcome, Job)]
    assert len(winners) == 1, outcomes
    assert sum(isinstance(outcome, WrongState) for outcome in outcomes) == 19
    run_job(job.pk)
    assert Source.objects.get().title == f"כותרת {winners[0]}"
    assert [label.name for label in Label.objects.all()] == [f"תווית {winners[0]}"]


@pytest.mark.deep
def test_twenty_commits_at_once_make_each_new_label_once(tmp_path: Path) -> None:
    jobs = [classified(tmp_path, f"{LAW}\n{number}", filename=f"{number}.txt") for number in range(20)]
    names = ["שכירות", "תרבות", "ספריות"]
    decisions = [
        Decision(
            kind="law",
            title=f"חוק {number}",
            labels=tuple(LabelChoice(name=names[(number + turn) % 3]) for turn in range(3)),
        )
        for number in range(20)
    ]
    outcomes = at_once(
        [
            partial(commit, job.pk, decision, by="dana", allow_duplicate=True)
            for job, decision in zip(jobs, decisions, strict=True)
        ]
    )
    assert all(isinstance(outcome, Job) for outcome in outcomes), outcomes
    for job in jobs:
        run_job(job.pk)
    assert dict(Label.objects.values_list("name", "usage_count")) == dict.fromkeys(names, 20)
    assert SourceLabel.objects.count() == 60
    assert naming.find("thrbvth") is not None
    assert Source.objects.filter(topic=first_topic()).count() == 20
