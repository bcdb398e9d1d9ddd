"""Indexing a source again: the old chunks serve until the new ones are in, and the last edit wins."""

import os
from collections.abc import Callable
from pathlib import Path
from subprocess import Popen
from typing import Any

import pytest
from django.core.files.storage import default_storage

from extraction.document import ExtractionFailed
from ingest.decide.retry import retry
from ingest.documents.edit import delete, edit
from ingest.documents.reindex import reindex
from ingest.job_states import DONE, EMBEDDING, FAILED, QUEUED
from ingest.jobs import claims
from ingest.jobs.claims import sweep
from ingest.jobs.transitions import ClaimLost
from ingest.models import Job
from ingest.stages.publish import embed
from ingest.stages.run import run_job
from kb_project.errors import Conflict
from kb_project.models import AuditEntry
from sources.files import storage
from sources.models import Chunk, Source
from tests.factories import LAW
from tests.ingest.jobs.holders import dead_pid
from tests.ingest.library.documents import found, long_law, make_document, stopped_at_work, stored_keys
from tests.racing import all_done_at_once
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db(transaction=True)


def chunk_ids(source: Source) -> set[int]:
    return set(Chunk.objects.filter(source=source).values_list("pk", flat=True))


class EditedWhileIndexing(claims.Heartbeat):
    """A heartbeat that does something once, after the first passages were analysed."""

    def __init__(self, job: Job, act: Callable[[], object]) -> None:
        super().__init__(job)
        self._acts = [act]

    def progress(self, stage: str, done: int) -> None:
        super().progress(stage, done)
        if stage == "indexing" and self._acts:
            self._acts.pop()()


def embed_while(job_id: Any, act: Callable[[], object]) -> Job:
    job = claims.claim(job_id)
    assert job is not None
    with EditedWhileIndexing(job, act) as heartbeat:
        embed(job, heartbeat)
    return Job.objects.get(pk=job_id)


def test_a_source_is_indexed_again_from_its_file_in_place(tmp_path: Path) -> None:
    source = make_document(tmp_path)
    before, key = chunk_ids(source), source.file_key
    with default_storage.open(key, "wb") as stored:
        stored.write((LAW + "\n4. קנסות\nשר התרבות רשאי לקבוע קנסות.\n").encode())
    job = reindex(source.pk, by="dana", why="the reader is better now")
    assert (job.reindex, job.state, job.source_id, job.batch_id) == (True, QUEUED, source.pk, None)
    assert (job.file_key, job.content_sha256, job.stored_key) == ("", "", key)
    assert chunk_ids(source) == before
    done = run_job(job.pk)
    assert done is not None
    assert (done.state, done.source_id) == (DONE, source.pk)
    assert [event.to_state for event in done.events.all()] == ["queued", "processing/embedding", "done"]
    assert done.events.all()[0].why == "the reader is better now"
    again = Source.objects.get()
    assert (again.pk, again.file_key, again.title) == (source.pk, key, source.title)
    assert again.chunk_count == len(chunk_ids(source)) == len(before) + 1
    assert chunk_ids(source).isdisjoint(before)
    assert found("קנסות שר התרבות", "lexical") == {source.pk}
    entry = AuditEntry.objects.get(action="source.reindex")
    assert (entry.by, entry.object_id, entry.after) == ("dana", str(source.pk), {"job_id": str(job.pk)})


def test_one_reindex_at_a_time_is_under_way_for_a_source(tmp_path: Path) -> None:
    source = make_document(tmp_path)
    jobs = all_done_at_once([lambda: reindex(source.pk, by="dana").pk] * 6)
    assert len(set(jobs)) == 1
    assert AuditEntry.objects.filter(action="source.reindex").count() == 1
    run_job(jobs[0])
    assert reindex(source.pk, by="dana").pk != jobs[0]


def test_another_kind_moves_the_file_to_its_folder(tmp_path: Path) -> None:
    source = make_document(tmp_path)
    first, old = source.jobs.get(), source.file_key
    edit(source.pk, {"kind": "tool"}, by="dana")
    assert stored_keys() == {old}
    done = run_job(Job.objects.get(reindex=True).pk)
    assert done is not None
    source.refresh_from_db()
    first.refresh_from_db()
    assert source.file_key.startswith("processed/general/tool/")
    assert source.file_key.endswith("-law.txt")
    assert stored_keys() == {source.file_key}
    assert (first.file_key, done.file_key, done.kind) == (source.file_key, "", "tool")
    assert storage.open_stored(source.file_key).read().decode() == LAW


def test_another_kind_moves_the_file_on_s3_too(s3_storage: Any, tmp_path: Path) -> None:
    source = make_document(tmp_path)
    edit(source.pk, {"kind": "tool"}, by="dana")
    run_job(Job.objects.get(reindex=True).pk)
    source.refresh_from_db()
    keys = [item["Key"] for item in s3_storage.list_objects_v2(Bucket="kb-tests")["Contents"]]
    assert keys == [source.file_key]
    assert source.file_key.startswith("processed/general/tool/")


@pytest.mark.parametrize("content", [None, b"", b"%PDF-1.7\n" + bytes(range(256)) * 8])
def test_file_that_cannot_be_read_fails_job_and_old_chunks_stay(content: bytes | None, tmp_path: Path) -> None:
    source = make_document(tmp_path)
    before = chunk_ids(source)
    job = reindex(source.pk, by="dana")
    storage.delete(source.file_key)
    if content is not None:
        with default_storage.open(source.file_key, "wb") as stored:
            stored.write(content)
    kept = stored_keys()
    failed = run_job(job.pk)
    assert failed is not None
    expected = {None: "file_missing", b"": "empty"}.get(content, "corrupt")
    assert (failed.state, failed.error_code, failed.source_id) == (FAILED, expected, source.pk)
    assert chunk_ids(source) == before
    assert stored_keys() == kept
    assert found("דמי איחור") == {source.pk}


def test_a_failed_reindex_is_retried_once_its_file_is_back(tmp_path: Path) -> None:
    source = make_document(tmp_path)
    job = reindex(source.pk, by="dana")
    storage.delete(source.file_key)
    run_job(job.pk)
    with pytest.raises(Conflict):
        retry(job.pk, by="dana")
    with default_storage.open(source.file_key, "wb") as stored:
        stored.write(LAW.encode())
    assert retry(job.pk, by="dana").state == EMBEDDING
    done = run_job(job.pk)
    assert done is not None
    assert (done.state, done.error_code) == (DONE, "")


def test_a_retry_is_refused_during_a_reindex_and_after_deletion(tmp_path: Path) -> None:
    source = make_document(tmp_path)
    key = source.file_key
    job = reindex(source.pk, by="dana")
    storage.delete(key)
    run_job(job.pk)
    with default_storage.open(key, "wb") as stored:
        stored.write(LAW.encode())
    reindex(source.pk, by="dana")
    with pytest.raises(Conflict, match="already"):
        retry(job.pk, by="dana")
    delete(source.pk, by="dana")
    with pytest.raises(Conflict, match="gone"):
        retry(job.pk, by="dana")


def test_a_source_without_a_stored_file_keeps_what_it_has(tmp_path: Path) -> None:
    source = make_document(tmp_path)
    job = reindex(source.pk, by="dana")
    Source.objects.filter(pk=source.pk).update(file_key="")
    failed = run_job(job.pk)
    assert failed is not None
    assert failed.error_code == "file_missing"
    assert Chunk.objects.filter(source=source).count() == source.chunk_count


def test_an_edit_while_it_runs_puts_it_back_and_the_last_title_is_indexed(tmp_path: Path) -> None:
    source = make_document(tmp_path)
    before = chunk_ids(source)
    edit(source.pk, {"title": "חוק הארכיונים"}, by="dana")
    job = Job.objects.get(reindex=True)
    put_back = embed_while(job.pk, lambda: edit(source.pk, {"title": "חוק המוזיאונים"}, by="dana"))
    assert (put_back.state, put_back.claim, put_back.attempts) == (EMBEDDING, "", 0)
    assert put_back.hinted_at is not None
    assert chunk_ids(source) == before
    assert Job.objects.filter(reindex=True).count() == 1
    done = run_job(job.pk)
    assert done is not None
    assert (done.state, done.attempts) == (DONE, 1)
    assert found("מוזיאונים", "lexical") == {source.pk}
    assert found("ארכיונים", "lexical") == set()


def test_an_edit_of_what_chunks_do_not_hold_does_not_disturb_it(tmp_path: Path) -> None:
    source = make_document(tmp_path)
    job = embed_while(reindex(source.pk, by="dana").pk, lambda: edit(source.pk, {"subject": "ספריות"}, by="dana"))
    assert job.state == DONE
    source.refresh_from_db()
    assert source.subject == "ספריות"


def test_kind_that_is_taken_back_while_it_runs_leaves_one_file(tmp_path: Path) -> None:
    source = make_document(tmp_path)
    edit(source.pk, {"kind": "tool"}, by="dana")
    job = Job.objects.get(reindex=True)
    embed_while(job.pk, lambda: edit(source.pk, {"kind": "law"}, by="dana"))
    assert stored_keys() == {source.file_key}
    done = run_job(job.pk)
    assert done is not None
    assert done.state == DONE
    source.refresh_from_db()
    assert stored_keys() == {source.file_key}
    assert source.file_key.startswith("processed/general/law/")


@pytest.mark.parametrize("kind", ["law", "tool"])
def test_a_deletion_while_it_runs_leaves_nothing(kind: str, tmp_path: Path) -> None:
    """With another kind there is a file to be copied, too."""
    source = make_document(tmp_path)
    edit(source.pk, {"kind": kind}, by="dana")
    job = claims.claim(reindex(source.pk, by="dana").pk)
    assert job is not None
    with (
        pytest.raises((ExtractionFailed, FileNotFoundError, ClaimLost)),
        EditedWhileIndexing(job, lambda: delete(source.pk, by="dana")) as heartbeat,
    ):
        embed(job, heartbeat)
    job.refresh_from_db()
    assert (job.state, job.error_code, job.source_id) == (FAILED, "source_deleted", None)
    assert not Source.objects.exists()
    assert not Chunk.objects.exists()
    assert stored_keys() == set()


def test_a_reindex_of_a_dead_worker_is_swept_while_chunks_serve(tmp_path: Path) -> None:
    source = make_document(tmp_path)
    job = reindex(source.pk, by="dana")
    assert claims.claim(job.pk) is not None
    Job.objects.filter(pk=job.pk).update(claim=claims.new_claim().replace(str(os.getpid()), str(dead_pid())))
    assert found("דמי איחור") == {source.pk}
    assert sweep() == 1
    done = run_job(job.pk)
    assert done is not None
    assert (done.state, done.attempts) == (DONE, 2)


@pytest.mark.deep
def test_titles_given_while_a_worker_indexes_end_with_the_last(
    start_worker: Callable[..., Popen[bytes]], tmp_path: Path
) -> None:
    source = make_document(tmp_path, long_law(300), title="חוק ארוך")
    start_worker(KB_HEARTBEAT_S="0.1")
    edit(source.pk, {"title": "פקודת המגדלורים"}, by="dana")
    job = Job.objects.get(reindex=True)
    with stopped_at_work(job):
        edit(source.pk, {"title": "פקודת המזחים"}, by="rina")
    assert Job.objects.get(reindex=True).state == EMBEDDING
    wait_until(lambda: Job.objects.get(pk=job.pk).state == DONE)
    assert found("מזחים", "lexical") == {source.pk}
    assert found("מגדלורים", "lexical") == set()
    assert Job.objects.filter(reindex=True).count() == 1


@pytest.mark.deep
def test_a_worker_killed_in_the_middle_leaves_the_old_chunks_and_the_next_finishes(
    start_worker: Callable[..., Popen[bytes]], tmp_path: Path
) -> None:
    source = make_document(tmp_path, long_law(500), title="חוק ארוך")
    before = chunk_ids(source)
    environment = {"KB_STALLED_AFTER_S": "3", "KB_HEARTBEAT_S": "0.1"}
    start_worker(**environment)
    job = reindex(source.pk, by="dana")
    with stopped_at_work(job) as process:
        process.kill()
    assert chunk_ids(source) == before
    assert found("הוראה תאגיד", "lexical") == {source.pk}
    wait_until(lambda: sweep() or Job.objects.get(pk=job.pk).state == DONE)
    wait_until(lambda: Job.objects.get(pk=job.pk).state == DONE)
    assert Job.objects.get(pk=job.pk).attempts == 2
    assert chunk_ids(source).isdisjoint(before)
    assert len(chunk_ids(source)) == len(before)


@pytest.mark.parametrize("key", ["", "processed/general/law/gone.txt"])
def test_a_source_without_a_file_is_refused_at_once_and_makes_no_job(tmp_path: Path, key: str) -> None:
    source = make_document(tmp_path)
    Source.objects.filter(pk=source.pk).update(file_key=key)
    with pytest.raises(Conflict) as refusal:
        reindex(source.pk, by="dana")
    assert (refusal.value.status, refusal.value.code) == (409, "file_missing")
    assert not Job.objects.filter(reindex=True).exists()
