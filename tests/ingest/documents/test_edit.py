"""Editing a source: what is written, what search finds it by, and what nothing is written for."""

import datetime as dt
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from ingest.documents.edit import edit
from ingest.documents.reindex import reindex
from ingest.job_states import QUEUED
from ingest.models import Job
from ingest.stages.run import run_job
from kb_project.errors import ApiError, Invalid, NotFound
from kb_project.models import AuditEntry
from labels import assign
from search.results import Match
from search.retrieval import retrieve
from sources.models import Chunk, Source
from tests.factories import make_label, make_source
from tests.ingest.library.documents import EVERYWHERE, TITLE, found, make_document
from tests.racing import at_once

# Sections that are whole in a law, and passages of no more than a page in anything else.
LONG_SECTIONS = "חוק\n\n" + "\n".join(
    f"{number}. כותרת {number}\n(א) " + "תנאי אחד. " * 100 + "\n(ב) " + "תנאי שני. " * 100 for number in (1, 2, 3)
)

pytestmark = pytest.mark.django_db(transaction=True)


def sections(source: Source) -> list[str]:
    return list(Chunk.objects.filter(source=source).order_by("seq").values_list("section", flat=True))


def test_the_fields_that_are_named_change_and_the_difference_is_written_down() -> None:
    source = make_source(title="Old", subject="Same", published_at=dt.date(2020, 1, 2))
    edited = edit(
        source.pk,
        {"title": " New ", "subject": "Same", "description": "Said.", "published_at": None},
        by="dana",
    )
    source.refresh_from_db()
    assert (edited.title, edited.description) == (source.title, source.description) == ("New", "Said.")
    assert source.published_at is None
    entry = AuditEntry.objects.get()
    assert (entry.action, entry.by, entry.object_id, entry.topic_id) == ("source.edit", "dana", str(source.pk), 1)
    assert entry.before == {"title": "Old", "description": "", "published_at": "2020-01-02"}
    assert entry.after == {"title": "New", "description": "Said.", "published_at": None}


@pytest.mark.parametrize("changes", [{}, {"title": "A law", "kind": "law", "label_ids": []}, {"published_at": None}])
def test_what_changes_nothing_leaves_no_trace(changes: dict[str, Any]) -> None:
    source = make_source()
    edit(source.pk, changes, by="dana")
    assert not AuditEntry.objects.exists()
    assert not Job.objects.exists()


def test_what_the_chunks_do_not_hold_queues_nothing() -> None:
    source = make_source()
    edit(source.pk, {"subject": "S", "description": "D", "published_at": dt.date(2021, 1, 1)}, by="dana")
    assert AuditEntry.objects.count() == 1
    assert not Job.objects.exists()


def test_a_new_title_is_cited_at_once_and_found_after_a_reindex(tmp_path: Path) -> None:
    source = make_document(tmp_path)
    edit(source.pk, {"title": "חוק הארכיונים", "identifier": "חוזר 77/2024"}, by="dana")
    cited = retrieve("סעיף 2 לחוק הארכיונים", scope=EVERYWHERE).hits[0]
    assert (cited.match, cited.source.id, cited.section) == (Match.CITATION, source.pk, "2")
    assert retrieve("77/2024", scope=EVERYWHERE).hits[0].match == Match.CITATION
    assert retrieve(f"סעיף 2 ל{TITLE}", scope=EVERYWHERE).hits[0].match != Match.CITATION
    assert found("ארכיונים", "lexical") == set()
    job = Job.objects.get(reindex=True)
    assert (job.state, job.source_id) == (QUEUED, source.pk)
    assert job.events.get().why == "changed: title, identifier"
    run_job(job.pk)
    assert found("ארכיונים", "lexical") == {source.pk}


def test_a_new_kind_cuts_the_document_as_its_kind_is_cut(tmp_path: Path) -> None:
    source = make_document(tmp_path, LONG_SECTIONS)
    assert sections(source) == ["", "1", "2", "3"]
    edit(source.pk, {"kind": "circular"}, by="dana")
    assert sections(source) == ["", "1", "2", "3"], "until it is indexed again"
    run_job(Job.objects.get(reindex=True).pk)
    source.refresh_from_db()
    assert sections(source) == ["", "1", "1", "2", "2", "3", "3"]
    assert source.chunk_count == 7


def test_many_edits_wait_for_one_reindex() -> None:
    source = make_source()
    for title in ("One", "Two", "Three"):
        edit(source.pk, {"title": title}, by="dana")
    assert Job.objects.filter(reindex=True, source=source).count() == 1


def test_labels_become_the_set_that_is_given_and_are_counted() -> None:
    source = make_source()
    kept, gone, new = make_label("Kept"), make_label("Gone"), make_label("New")
    assign.start_with(source, [kept, gone])
    edit(source.pk, {"label_ids": [kept.pk, new.pk, new.pk]}, by="dana")
    assert set(source.labels.values_list("name", flat=True)) == {"Kept", "New"}
    for label, count in ((kept, 1), (gone, 0), (new, 1)):
        label.refresh_from_db()
        assert label.usage_count == count
    entry = AuditEntry.objects.get(action="source.labels")
    assert entry.by == "dana"
    assert (entry.before, entry.after) == ({"labels": ["Gone", "Kept"]}, {"labels": ["Kept", "New"]})
    assert not Job.objects.exists()


def test_an_unknown_label_refuses_the_whole_edit() -> None:
    source = make_source(title="Old")
    with pytest.raises(Invalid) as refusal:
        edit(source.pk, {"title": "New", "label_ids": [make_label("There").pk, 987654]}, by="dana")
    assert list(refusal.value.errors) == ["label_ids"]
    assert "987654" in refusal.value.detail
    source.refresh_from_db()
    assert source.title == "Old"
    assert not source.labels.exists()
    assert not Job.objects.exists()
    assert not AuditEntry.objects.filter(action__startswith="source.").exists()


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"title": "  "}, "title"),
        ({"title": None}, "title"),
        ({"title": "x" * 501}, "title"),
        ({"subject": "x" * 501}, "subject"),
        ({"identifier": "x" * 201}, "identifier"),
        ({"description": "x" * 2001}, "description"),
        ({"kind": "poem"}, "kind"),
        ({"published_at": "2020-01-01"}, "published_at"),
        ({"label_ids": range(51)}, "label_ids"),
        ({"topic_id": 2}, "topic_id"),
    ],
)
def test_what_a_source_cannot_say_of_itself_is_refused_by_name(changes: dict[str, Any], field: str) -> None:
    source = make_source()
    with pytest.raises(ApiError) as refusal:
        edit(source.pk, changes, by="dana")
    assert refusal.value.status == 400
    assert list(refusal.value.errors) == [field]


def test_a_source_that_is_not_there_is_not_found() -> None:
    with pytest.raises(NotFound):
        edit(987654, {"title": "New"}, by="dana")
    with pytest.raises(NotFound):
        reindex(987654, by="dana")


def test_edits_at_one_instant_queue_one_reindex(tmp_path: Path) -> None:
    source = make_document(tmp_path)
    titles = [f"חוק מספר {number}" for number in range(8)]
    outcomes = at_once([partial(edit, source.pk, {"title": title}, by="dana") for title in titles])
    assert [one for one in outcomes if isinstance(one, Exception)] == []
    run_job(Job.objects.get(reindex=True).pk)
    source = Source.objects.get(pk=source.pk)
    assert source.title in titles
    number = source.title.split()[-1]
    assert found(f"מספר {number}", "lexical") == {source.pk}
    assert AuditEntry.objects.filter(action="source.edit").count() == len(titles)
