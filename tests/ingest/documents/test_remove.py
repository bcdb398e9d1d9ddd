"""Deleting a source: nothing of it is left to find, whatever else goes on with it."""

import threading
from collections.abc import Callable
from functools import partial
from pathlib import Path
from subprocess import Popen

import pytest
from django.db import connection

from ingest.documents.edit import delete, edit
from ingest.documents.reindex import reindex
from ingest.job_states import DONE, FAILED
from ingest.models import Job
from ingest.stages.run import run_job
from kb_project.errors import NotFound
from kb_project.models import AuditEntry
from labels import assign
from labels.models import Label, SourceLabel
from search.index import engine
from search.models import ChunkEmbedding
from sources.files import storage
from sources.models import Chunk, FileDeletion, Source, SourceKey
from tests.factories import LAW, make_filed_source, make_label, upload_text
from tests.ingest.library.documents import TITLE, found, long_law, make_document, stopped_at_work, stored_keys
from tests.racing import at_once
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)


def assert_nothing_is_left() -> None:
    engine().maintain()
    for model in (Source, Chunk, ChunkEmbedding, SourceKey, SourceLabel, FileDeletion):
        assert not model.objects.exists(), model
    assert not any(Label.objects.values_list("usage_count", flat=True))
    assert stored_keys() == set()


def test_all_of_it_goes_and_what_it_was_is_written_down(tmp_path: Path) -> None:
    source = make_document(tmp_path, labels=("ספריות", "תרבות"), identifier="ס-1")
    assert found("דמי איחור") == {source.pk}
    delete(source.pk, by="dana")
    for mode in ("hybrid", "lexical", "semantic"):
        assert found(f"סעיף 2 ל{TITLE}", mode) == set()
    assert_nothing_is_left()
    job = Job.objects.get()
    assert (job.state, job.source_id, job.file_key) == (DONE, None, "")
    entry = AuditEntry.objects.get(action="source.delete")
    assert (entry.by, entry.object_id, entry.object_name, entry.topic_id) == ("dana", str(source.pk), TITLE, 1)
    assert entry.before["identifier"] == "ס-1"
    assert (entry.before["labels"], entry.before["chunk_count"]) == (["ספריות", "תרבות"], source.chunk_count)


def test_the_same_bytes_come_in_again(tmp_path: Path) -> None:
    delete(make_document(tmp_path).pk, by="dana")
    again = run_job(upload_text(tmp_path).pk)
    assert again is not None
    assert again.state == DONE
    assert Source.objects.get().pk == again.source_id


def test_of_two_deletions_at_one_instant_one_finds_nothing(tmp_path: Path) -> None:
    source = make_document(tmp_path, labels=("ספריות",))
    outcomes = at_once([lambda: delete(source.pk, by="dana")] * 4)
    assert outcomes.count(None) == 1
    assert sum(isinstance(one, NotFound) for one in outcomes) == 3
    assert AuditEntry.objects.filter(action="source.delete").count() == 1
    assert_nothing_is_left()


def test_other_sources_keep_their_labels_chunks_and_files(tmp_path: Path) -> None:
    gone = make_document(tmp_path, labels=("ספריות",))
    stays = make_document(tmp_path, LAW + "\n4. עוד\nעוד הוראה.\n", labels=("ספריות",), title="חוק אחר")
    delete(gone.pk, by="dana")
    assert found("דמי איחור") == {stays.pk}
    assert Label.objects.get().usage_count == 1
    assert storage.exists(stays.file_key)


def test_a_reindex_that_waits_fails_and_is_not_worked_on(tmp_path: Path) -> None:
    source = make_document(tmp_path)
    job = reindex(source.pk, by="dana")
    delete(source.pk, by="rina")
    job.refresh_from_db()
    assert (job.state, job.error_code) == (FAILED, "source_deleted")
    assert job.events.values_list("by", "why").last() == ("rina", "source_deleted")
    assert run_job(job.pk) is None
    assert_nothing_is_left()


def test_a_deletion_beside_edits_and_new_labels_leaves_the_counts_right(tmp_path: Path) -> None:
    labels = [make_label(f"Label {number}") for number in range(6)]
    for round_ in range(5):
        source = make_filed_source(title=f"A law {round_}")
        assign.start_with(source, labels[:3])
        changes: list[Callable[[], object]] = [
            partial(edit, source.pk, {"label_ids": [labels[3].pk, labels[4].pk]}, by="dana"),
            partial(edit, source.pk, {"title": "New", "label_ids": [labels[5].pk]}, by="dana"),
            partial(assign.add, source, labels, by="dana"),
            partial(reindex, source.pk, by="dana"),
            partial(delete, source.pk, by="dana"),
        ]
        outcomes = at_once(changes)
        assert outcomes[-1] is None
        assert [one for one in outcomes if isinstance(one, Exception) and not isinstance(one, NotFound)] == []
    assert_nothing_is_left()
    assert not Job.objects.filter(status="queued").exists()


def test_no_search_after_it_finds_anything_and_none_beside_it_fails(tmp_path: Path) -> None:
    wrong: list[object] = []
    searches = [0]
    gone, stop = threading.Event(), threading.Event()
    source = make_document(tmp_path)

    def search(query: str, mode: str) -> None:
        try:
            while not stop.is_set():
                after = gone.is_set()
                hits = found(query, mode)
                searches[0] += after
                if after and hits:
                    wrong.append((query, mode, hits))
        except Exception as error:
            wrong.append(error)
        finally:
            connection.close()

    queries = [(f"סעיף 2 ל{TITLE}", "hybrid"), ("דמי איחור", "lexical"), ("איחור בהחזרה", "semantic")]
    threads = [threading.Thread(target=search, args=query) for query in queries]
    for thread in threads:
        thread.start()
    delete(source.pk, by="dana")
    gone.set()
    wait_until(lambda: searches[0] > 20 or wrong)
    stop.set()
    for thread in threads:
        thread.join(60)
    assert wrong == []


def test_a_worker_that_indexes_it_again_drops_what_it_made(
    start_worker: Callable[..., Popen[bytes]], tmp_path: Path
) -> None:
    source = make_document(tmp_path, long_law(300), title="חוק ארוך")
    start_worker(KB_HEARTBEAT_S="0.1")
    edit(source.pk, {"kind": "caselaw"}, by="dana")
    job = Job.objects.get(reindex=True)
    with stopped_at_work(job):
        delete(source.pk, by="dana")
    other = upload_text(tmp_path, filename="other.txt")  # the worker takes it up when it has dropped the other
    wait_until(lambda: Job.objects.get(pk=other.pk).state == DONE)
    job.refresh_from_db()
    assert (job.state, job.error_code) == (FAILED, "source_deleted")
    delete(Source.objects.get().pk, by="dana")
    assert_nothing_is_left()
