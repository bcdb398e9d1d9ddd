"""Replacing the document of a source: its id, labels and links go on, and a search finds one text or the other."""

import threading
from pathlib import Path
from typing import Any

import pytest

from ingest.decide.commit import commit
from ingest.decide.discard import discard
from ingest.decisions import Decision, LabelChoice
from ingest.documents.edit import delete
from ingest.documents.reindex import reindex
from ingest.job_states import AWAITING_REVIEW, DONE
from ingest.jobs import claims
from ingest.jobs.transitions import ClaimLost
from ingest.models import Job
from ingest.stages.publish import embed
from ingest.stages.run import run_job
from kb_project.errors import Invalid
from kb_project.models import AuditEntry
from labels.models import Label
from search.index import engine
from search.retrieval import Scope, retrieve
from sources import provisions
from sources.files import storage
from sources.models import FileDeletion, Reference, Source
from sources.references import background
from tests.factories import LAW, make_label, make_source, make_topic, upload_text
from tests.ingest.library.documents import TITLE, found, make_document, stored_keys

pytestmark = pytest.mark.django_db(transaction=True)
NEW = LAW.replace("חמישה ספרים", "תשעה תקליטים") + "\n4. קנס\nשואל שהשחית תקליט ישלם את מחירו.\n"


def waiting(directory: Path, text: str = NEW) -> Job:
    """A job that awaits review."""
    job = run_job(upload_text(directory, text, filename="new.txt", metadata=None, allow_duplicate=True).pk)
    assert job is not None
    assert job.state == AWAITING_REVIEW
    return job


def replace(source: Source, job: Job, **fields: Any) -> Job:
    """Commit the job as the source's new document; it is not worked on yet."""
    decision = Decision(kind="law", **{"title": TITLE, **fields}, replaces=source.pk)
    return commit(job.pk, decision, by="rina", allow_duplicate=True, allow_similar=False)


def replaced(source: Source, directory: Path, **fields: Any) -> Job:
    done = run_job(replace(source, waiting(directory), **fields).pk)
    assert done is not None
    assert done.state == DONE, done.error_message
    engine().maintain()
    source.refresh_from_db()
    return done


def test_source_goes_on_with_new_document_and_old_one_is_gone(tmp_path: Path) -> None:
    source = make_document(tmp_path, labels=("ספריות",), identifier="ס-1")
    old = Job.objects.get()
    citing = make_document(tmp_path, f"צו\n1. לפי סעיף 2 ל{TITLE}, וסעיף 9 ל{TITLE}.\n", title="צו הספריות")
    background.run_pending(longest_s=5)
    done = replaced(source, tmp_path, identifier="ס-2")
    assert Source.objects.count() == 2
    assert (done.source_id, source.identifier, source.filename, source.file_key) == (
        source.pk, "ס-2", "new.txt", done.file_key
    )  # fmt: skip
    assert [label.name for label in source.labels.all()] == ["ספריות"]
    assert (found("תקליטים"), found("חמישה")) == ({source.pk}, set())
    assert source.pk in found(f"סעיף 4 ל{TITLE}", "lexical")
    assert provisions.find(source.pk, "sec_4") is not None
    background.run_pending(longest_s=5)
    targets = Reference.objects.filter(source=citing).order_by("span_start").values_list("target_id", "target_eid")
    assert list(targets) == [(source.pk, "sec_2"), (source.pk, "")]
    assert stored_keys() == {source.file_key, citing.file_key}
    assert not FileDeletion.objects.exists()
    entry = AuditEntry.objects.get(action="source.replace")
    assert (entry.by, entry.object_id, entry.topic_id) == ("rina", str(source.pk), 1)
    assert (entry.before["identifier"], entry.after["identifier"]) == ("ס-1", "ס-2")
    why = list(done.events.values_list("why", flat=True))
    assert f"replaces source_id {source.pk}" in why[-2]
    assert f"replaced source {source.pk}" in why[-1]
    old.refresh_from_db()
    assert (old.state, old.file_key, old.source_id) == (DONE, "", source.pk)
    again = run_job(upload_text(tmp_path).pk)  # its bytes may come in anew
    assert again is not None
    assert again.state == DONE


def test_labels_that_are_given_take_the_place_of_the_others(tmp_path: Path) -> None:
    make_label("ספריות")
    source = make_document(tmp_path, labels=("ספריות", "תרבות"))
    replaced(source, tmp_path, labels=(LabelChoice(name="תרבות"), LabelChoice(name="תקליטים")))
    assert {label.name for label in source.labels.all()} == {"תרבות", "תקליטים"}
    assert dict(Label.objects.values_list("name", "usage_count")) == {"ספריות": 0, "תרבות": 1, "תקליטים": 1}


def test_a_search_finds_one_text_or_the_other_at_any_moment(tmp_path: Path) -> None:
    source = make_document(tmp_path)
    job = replace(source, waiting(tmp_path))
    seen, over = set[tuple[str, ...]](), threading.Event()

    def look() -> None:
        while not over.is_set():
            hits = retrieve("כל תושב זכאי לשאול", scope=Scope(topic_id=1), limit=10).hits
            texts = [hit.text for hit in hits if "זכאי לשאול" in hit.text]
            seen.add(tuple("new" if "תקליטים" in text else "old" for text in texts))

    searcher = threading.Thread(target=look)
    searcher.start()
    try:
        run_job(job.pk)
    finally:
        over.set()
        searcher.join(60)
    look_again = retrieve("תקליטים", scope=Scope(topic_id=1), limit=10).hits
    assert {hit.source.id for hit in look_again} == {source.pk}
    assert seen <= {("old",), ("new",)}


def test_a_source_deleted_meanwhile_becomes_a_new_one(tmp_path: Path) -> None:
    source = make_document(tmp_path, labels=("ספריות",))
    job = replace(source, waiting(tmp_path))
    delete(source.pk, by="dana")
    done = run_job(job.pk)
    assert done is not None
    new = Source.objects.get()
    assert (done.source_id, new.labels.count()) == (new.pk, 0)
    event = done.events.last()
    assert event is not None
    assert f"source {source.pk} was deleted" in event.why


def test_reindex_under_way_drops_the_old_text_and_reads_the_new(tmp_path: Path) -> None:
    source = make_document(tmp_path)
    taken = claims.claim(reindex(source.pk, by="dana").pk)
    assert taken is not None
    replaced(source, tmp_path)
    with pytest.raises(ClaimLost), claims.Heartbeat(taken) as heartbeat:
        embed(taken, heartbeat)
    assert found("תקליטים") == {source.pk}
    again = run_job(taken.pk)
    assert again is not None
    assert again.state == DONE
    assert (found("תקליטים"), found("חמישה")) == ({source.pk}, set())
    assert storage.exists(source.file_key)


def test_only_a_source_of_the_topic_can_be_replaced(tmp_path: Path) -> None:
    job = waiting(tmp_path)
    for source in (make_source(topic=make_topic()), Source(pk=0), Source(pk=2**62)):
        with pytest.raises(Invalid) as refusal:
            replace(source, job)
        assert set(refusal.value.errors) == {"replaces"}
    discard(job.pk, by="rina")
    assert not Source.objects.filter(topic_id=1).exists()
