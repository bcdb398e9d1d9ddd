"""A document that is nearly the same as another is named with it, once it is classified, while both are here."""

from functools import partial
from pathlib import Path
from typing import Any

import pytest

from ingest.decide.commit import commit
from ingest.decide.discard import discard
from ingest.decisions import Decision
from ingest.documents.edit import delete
from ingest.intake.upload import accept_upload, receive_path
from ingest.job_states import AWAITING_REVIEW
from ingest.models import Job, JobFingerprint, Similar
from ingest.similar.naming import similar_to
from ingest.stages.run import run_job
from search.index import engine
from sources.models import Source
from tests.factories import LAW, first_topic, make_topic
from tests.ingest.library.documents import make_document
from tests.ingest.similar.texts import ENGLISH, HEBREW, write
from tests.racing import all_done_at_once
from topics.models import Topic

pytestmark = pytest.mark.django_db(transaction=True)
TITLES = {HEBREW: HEBREW.splitlines()[0], ENGLISH: ENGLISH.splitlines()[0]}


def waiting(directory: Path, text: str, suffix: str = "txt", *, topic: Topic | None = None) -> Job:
    """A file that is classified by the next `classified`."""
    received = receive_path(write(directory, text, suffix))
    topic = topic or first_topic()
    return accept_upload(received, topic=topic, kind="law", metadata=None, by="dana", allow_duplicate=True)


def classified(directory: Path, text: str, suffix: str = "txt", **options: Any) -> Job:
    job = run_job(waiting(directory, text, suffix, **options).pk)
    assert job is not None
    assert job.state == AWAITING_REVIEW, job.error_message
    return job


def confirm(job: Job, **fields: Any) -> Source:
    commit(job.pk, Decision(kind="law", **{"title": "חוק", **fields}), by="dana", allow_duplicate=True)
    done = run_job(job.pk)
    assert done is not None
    assert done.source is not None, done.error_message
    engine().maintain()
    return done.source


def named(job: Job) -> list[Any]:
    return [one.document for one in similar_to(Job.objects.get(pk=job.pk))]


@pytest.mark.parametrize("text", [HEBREW, ENGLISH], ids=["Hebrew", "English"])
def test_one_law_in_every_format_is_found_among_the_sources(tmp_path: Path, text: str) -> None:
    title = TITLES[text]
    source = confirm(classified(tmp_path, text, "docx"), title=title, identifier="ס-1")
    confirm(classified(tmp_path, LAW), title="חוק הספריות")
    for suffix in ("txt", "pdf", "html"):
        job = classified(tmp_path, text, suffix)
        [one] = similar_to(job)
        assert one.document == source, suffix
        assert one.as_json()["source_id"] == source.pk
        assert (one.title, "title" in one.differs) == (title, False)
        assert one.similarity >= 0.8
        discard(job.pk, by="dana")


def test_two_waiting_files_name_each_other_until_one_is_gone(tmp_path: Path) -> None:
    first, second = classified(tmp_path, HEBREW), classified(tmp_path, HEBREW, "docx")
    other = classified(tmp_path, ENGLISH)
    assert (named(first), named(second), named(other)) == ([second], [first], [])
    assert similar_to(first)[0].as_json()["job_id"] == str(second.pk)
    source = confirm(first, title=TITLES[HEBREW])
    assert named(second) == [source]
    third = classified(tmp_path, HEBREW, "html")
    assert set(named(third)) == {source, second}
    delete(source.pk, by="dana")
    discard(third.pk, by="dana")
    assert named(second) == []
    Job.objects.update(finished_at="2020-01-01T00:00Z")
    classified(tmp_path, HEBREW + "6. ...")
    assert JobFingerprint.objects.filter(job__in=[first, third]).count() == 0


def test_of_two_that_are_classified_at_one_instant_each_names_the_other(tmp_path: Path) -> None:
    jobs = [waiting(tmp_path, ENGLISH, "html"), waiting(tmp_path, ENGLISH, "docx")]
    all_done_at_once([partial(run_job, job.pk) for job in jobs])
    assert [named(job) for job in jobs] == [[jobs[1]], [jobs[0]]]


def test_what_is_only_like_it_or_elsewhere_is_not_named(tmp_path: Path) -> None:
    confirm(classified(tmp_path, ENGLISH, "docx", topic=make_topic()), title=TITLES[ENGLISH])
    confirm(classified(tmp_path, HEBREW), title=TITLES[HEBREW])
    same_bytes = classified(tmp_path, HEBREW)
    assert same_bytes.duplicate_of is not None
    halves = HEBREW.splitlines()
    family = "\n".join(["תקנות גינות הקהילה (נטיעת עצים), התשפ״ו–2026", *halves[1:7], *LAW.splitlines()])
    short = "הודעה: נוסח החוק יפורסם בהמשך."
    jobs = [classified(tmp_path, text) for text in (ENGLISH, family, short, short + "!")]
    assert [named(job) for job in (same_bytes, *jobs)] == [[]] * 5


def test_a_document_under_another_title_is_named_when_its_text_is_the_same(tmp_path: Path) -> None:
    source = confirm(classified(tmp_path, HEBREW), title="חוק אחר לגמרי", identifier="ס-7")
    text = HEBREW.replace("עשרה שקלים", "עשרים שקלים")
    [one] = similar_to(classified(tmp_path, text))
    assert one.document == source
    assert one.differs == ("title", "text")


def test_a_source_without_review_is_named_by_waiting_files(tmp_path: Path) -> None:
    job, other = classified(tmp_path, HEBREW, "docx"), classified(tmp_path, ENGLISH)
    source = make_document(tmp_path, HEBREW, title=TITLES[HEBREW])
    assert (named(job), named(other)) == ([source], [])


def test_a_job_names_a_few_and_none_twice(tmp_path: Path) -> None:
    jobs = [classified(tmp_path, HEBREW + f"{number}. סיום") for number in range(6, 15)]
    assert max(len(named(job)) for job in jobs) <= 5
    assert all(named(job) for job in jobs)
    assert Similar.objects.count() <= 3 * len(jobs)
