"""Moving a source to another topic: with all that belongs to it, and with nothing left behind."""

import datetime as dt
from collections.abc import Sequence
from itertools import permutations
from pathlib import Path

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage

from ingest.documents.edit import edit
from ingest.documents.moving import move, pending_moves
from ingest.intake.upload import Metadata
from ingest.job_states import DONE, QUEUED, UNFINISHED
from ingest.models import Job, Similar
from ingest.similar.duplicates import DuplicateDocument
from ingest.stages.run import run_job
from ingest.webhooks import editing as webhooks
from ingest.webhooks.models import Delivery, Event
from kb_project.errors import Conflict
from kb_project.models import AuditEntry
from labels.topic_labels import ids_known
from search.index import engine
from search.retrieval import Scope, retrieve
from sources.files import storage
from sources.models import Chunk, Reference, Source, Work
from sources.references import background
from tests.factories import LAW, first_topic, make_job, make_source, make_topic, upload_text
from tests.ingest.library.documents import TITLE, make_document, make_versions, stored_keys
from tests.integrity import all_found
from topics.models import Topic

pytestmark = pytest.mark.django_db(transaction=True)
HOOK = {"url": "https://example.org/hook", "events": Event.values}
CITING = f"הוראה\n\n1. מטרה\nלפי סעיף 2 ל{TITLE} יינתן שירות.\n"


def found_in(topic: Topic, query: str = "דמי איחור") -> set[int]:
    engine().maintain()
    return {hit.source.id for hit in retrieve(query, scope=Scope(topic_id=topic.pk), limit=100).hits}


def test_it_is_where_it_was_until_all_of_it_is_in_other_topic(tmp_path: Path) -> None:
    here, there = first_topic(), make_topic(slug="housing")
    source = make_document(tmp_path, labels=("ספריות",))
    citing = make_document(tmp_path, CITING, kind="circular", title="הוראה")
    background.run_pending(longest_s=30)
    assert Reference.objects.filter(source=citing, target=source).exists()
    origin = source.jobs.get()
    waiting = make_job(status="awaiting_review", confirmed=None)
    Similar.objects.create(job=waiting, source=source, similarity=0.9)
    hooks = [webhooks.create(topic=topic, values=HOOK, by="test") for topic in (here, there)]

    assert move(source.pk, there, by="dana")
    assert pending_moves([source.pk, citing.pk]) == {source.pk: there}
    assert found_in(here) == {source.pk}
    assert found_in(there) == set()
    left = source.file_key
    run_job(Job.objects.get(reindex=True).pk)

    source.refresh_from_db()
    assert (source.topic, source.filename) == (there, "law.txt")
    assert found_in(here) == set()
    assert found_in(there) == {source.pk}
    assert set(Chunk.objects.filter(source=source).values_list("topic_id", flat=True)) == {there.pk}
    assert not Reference.objects.filter(source=citing, target=source).exists()
    background.run_pending(longest_s=30)
    assert not Reference.objects.filter(source=citing, target=source).exists()
    assert set(Reference.objects.filter(source=source).values_list("topic_id", flat=True)) <= {there.pk}
    assert not Similar.objects.exists()
    assert source.file_key.startswith("processed/housing/law/")
    assert left not in stored_keys()
    assert storage.exists(source.file_key)
    assert set(source.jobs.values_list("topic_id", "status")) == {(there.pk, "done")}
    origin.refresh_from_db()
    assert origin.file_key == source.file_key
    [label] = source.labels.all()
    assert (label.usage_count, ids_known([there.pk]), ids_known([here.pk])) == (1, {label.pk}, set())
    entry = AuditEntry.objects.get(action="source.move")
    assert (entry.by, entry.before["topic_id"], entry.after["topic_id"]) == ("dana", here.pk, there.pk)
    told = {hook.pk: set(Delivery.objects.filter(webhook=hook).values_list("event", flat=True)) for hook in hooks}
    assert told == {hooks[0].pk: {"source.deleted"}, hooks[1].pk: {"source.published"}}
    assert pending_moves([source.pk]) == {}
    assert all_found() == {}

    again = upload_text(tmp_path, metadata=Metadata(title=TITLE))  # its bytes may come in anew
    assert again.duplicate_of is None


@pytest.fixture
def versions(tmp_path: Path) -> list[Source]:
    """Three versions of a work, the last of which is in force, and somebody's watch of the work."""
    return make_versions(tmp_path, dt.date(2020, 1, 1), dt.date(2022, 1, 1), dt.date(2024, 1, 1), None)


def run_moves(order: Sequence[Source] = ()) -> None:
    """The reindexes that wait, by default in any order."""
    waiting = {job.source_id or 0: job for job in Job.objects.filter(reindex=True, status__in=UNFINISHED)}
    for pk in [one.pk for one in order] or list(waiting):
        run_job(waiting[pk].pk)


@pytest.mark.parametrize("order", list(permutations(range(3))))
def test_a_work_moves_with_all_its_versions(versions: list[Source], order: Sequence[int]) -> None:
    there, work_id = make_topic(slug="housing"), versions[0].work_id
    days = [(one.valid_from, one.valid_to) for one in versions]
    assert move(versions[1].pk, there, by="dana")
    assert set(pending_moves([one.pk for one in versions])) == {one.pk for one in versions}
    for place in order:
        run_moves([versions[place]])
        now = Source.objects.filter(pk__in=[one.pk for one in versions]).order_by("pk")
        assert [(one.valid_from, one.valid_to) for one in now] == days  # so of no day two are in force
        assert all(one.topic_id == one.work.topic_id for one in now)
    assert set(Source.objects.filter(work=work_id)) == set(versions)
    assert Work.objects.get().topic == there
    assert all_found() == {}


def test_a_version_that_fails_stays_as_it_was_and_follows_when_it_is_tried_again(versions: list[Source]) -> None:
    there = make_topic(slug="housing")
    lost = versions[0]
    move(lost.pk, there, by="dana")
    kept = storage.open_stored(lost.file_key).read()
    storage.delete(lost.file_key)
    run_moves()
    lost.refresh_from_db()
    assert (lost.topic, lost.valid_to) == (first_topic(), dt.date(2022, 1, 1))
    assert Source.objects.filter(topic=there).values("work").distinct().count() == 1
    default_storage.save(lost.file_key, ContentFile(kept))
    with pytest.raises(Conflict, match="already"):
        move(lost.pk, make_topic(slug="other"), by="dana")
    move(lost.pk, there, by="dana")
    run_moves()
    assert Work.objects.get().topic == there
    assert Source.objects.filter(topic=there).count() == 3
    assert all_found() == {}
    further = make_topic(slug="further")
    assert move(lost.pk, further, by="dana")  # the move that failed once is over
    run_moves()
    assert Work.objects.get().topic == further


def test_a_work_is_moved_whole_or_not_at_all(versions: list[Source]) -> None:
    there = make_topic(slug="housing")
    storage.delete(versions[2].file_key)
    with pytest.raises(Conflict, match="stored file") as refused:
        move(versions[0].pk, there, by="dana")
    assert refused.value.extra["source_id"] == versions[2].pk
    assert not Job.objects.filter(reindex=True).exists()


def test_a_move_is_withdrawn_for_all_versions_if_none_has_gone(versions: list[Source]) -> None:
    there = make_topic(slug="housing")
    move(versions[0].pk, there, by="dana")
    assert move(versions[2].pk, first_topic(), by="dana")
    assert pending_moves([one.pk for one in versions]) == {}
    run_moves()
    move(versions[0].pk, there, by="dana")
    run_moves(versions[:1])
    with pytest.raises(Conflict, match="already"):
        move(versions[2].pk, first_topic(), by="dana")


def test_the_last_move_wins_also_over_a_worker_that_is_at_it(tmp_path: Path) -> None:
    one, two = make_topic(name="One"), make_topic(name="Two")
    source = make_document(tmp_path)
    assert move(source.pk, one, by="dana")
    assert move(source.pk, first_topic(), by="dana")
    assert pending_moves([source.pk]) == {}
    assert not move(source.pk, first_topic(), by="dana")
    assert move(source.pk, one, by="dana")
    assert move(source.pk, two, by="avi")
    edit(source.pk, {"title": "חוק אחר"}, by="dana")
    job = run_job(Job.objects.get(reindex=True).pk)
    assert job is not None
    assert job.state in (DONE, QUEUED)
    source.refresh_from_db()
    assert (source.topic, source.title) == (two, "חוק אחר")
    assert AuditEntry.objects.get(action="source.move").by == "avi"


def test_what_cannot_be_moved_is_refused_and_stays(tmp_path: Path) -> None:
    there = make_topic(slug="housing")
    source = make_document(tmp_path)
    with pytest.raises(Conflict, match="stored file"):
        move(make_source().pk, there, by="dana")
    twin = upload_text(tmp_path, topic=there)
    with pytest.raises(DuplicateDocument) as refusal:
        move(source.pk, there, by="dana")
    assert refusal.value.extra["job_id"] == str(twin.pk)
    assert not Job.objects.filter(reindex=True).exists()


def test_bytes_that_came_to_the_other_topic_meanwhile_stay_beside_it(tmp_path: Path) -> None:
    there = make_topic(slug="housing")
    source = make_document(tmp_path)
    move(source.pk, there, by="dana")
    twin = run_job(upload_text(tmp_path, LAW, topic=there).pk)
    assert twin is not None
    run_job(Job.objects.get(reindex=True).pk)
    assert set(Source.objects.filter(topic=there)) == {Source.objects.get(pk=source.pk), twin.source}
    assert all_found() == {}


def test_file_that_is_lost_on_way_leaves_the_source_where_it_is(tmp_path: Path) -> None:
    there = make_topic(slug="housing")
    source = make_document(tmp_path)
    move(source.pk, there, by="dana")
    storage.delete(source.file_key)
    job = run_job(Job.objects.get(reindex=True).pk)
    assert job is not None
    assert job.error_code == "file_missing"
    assert found_in(first_topic()) == {source.pk}
    assert found_in(there) == set()
