"""Stuck jobs and sources that only a new indexing can mend; and nothing wrong after real work."""

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
import redis
from django.db import connection
from django.utils import timezone

from ingest.documents.edit import delete, edit
from ingest.documents.reindex import reindex
from ingest.intake.upload import Metadata
from ingest.job_states import AWAITING_REVIEW, DONE, FAILED
from ingest.jobs import claims
from ingest.models import Job
from ingest.stages.run import run_job
from labels import assign
from sources.files import storage
from sources.models import Source
from tests.factories import LAW, make_job, make_label, make_source, make_topic, upload_text
from tests.ingest.jobs.holders import dead_pid
from tests.integrity import all_found, damage, found, mended

pytestmark = pytest.mark.django_db(transaction=True)
LONG_AGO = timedelta(hours=1)


@pytest.fixture(autouse=True)
def queue(settings: Any, tmp_path: Path) -> Iterator[redis.Redis]:
    """The broker with empty queues, and a file store of the test's own."""
    backend = {
        "BACKEND": "django.core.files.storage.FileSystemStorage",
        "OPTIONS": {"location": tmp_path / "files", "allow_overwrite": True},
    }
    settings.STORAGES = {**settings.STORAGES, "default": backend}
    client = redis.Redis.from_url(settings.REDIS_URL)
    client.delete("celery:5", "classify:5")
    yield client
    client.delete("celery:5", "classify:5")


def ingested(tmp_path: Path, text: str = LAW, **options: Any) -> Source:
    done = run_job(upload_text(tmp_path, text, **options).pk)
    assert done is not None
    assert done.source is not None
    return done.source


@pytest.mark.usefixtures("either_storage")
def test_nothing_is_wrong_after_edits_reindexes_and_deletions(tmp_path: Path) -> None:
    kept = ingested(tmp_path, metadata=Metadata(title="Libraries Act", identifier="12/2024", labels=("a", "b")))
    gone = ingested(tmp_path, LAW + "\n4. End\nThe end.\n", metadata=Metadata(labels=("a",)))
    bad = upload_text(tmp_path, "<html><p> </p></html>", filename="empty.txt")
    run_job(bad.pk)
    upload_text(tmp_path, "A circular of the bank.", filename="waiting.txt", kind="circular", topic=make_topic())
    assert Job.objects.get(pk=bad.pk).state == FAILED
    assert all_found() == {}
    edit(kept.pk, {"title": "Public Libraries Act", "kind": "regulation"}, by="test")
    assert all_found() == {}
    again = run_job(Job.objects.get(reindex=True).pk)
    assert again is not None
    assert again.state == DONE
    assign.add(kept, [make_label("c")], by="test")
    delete(gone.pk, by="test")
    assert all_found() == {}


def test_a_forgotten_waiting_job_is_found_and_hinted_at(queue: Any) -> None:
    long_ago = timezone.now() - LONG_AGO
    told = make_job(created_at=long_ago, hinted_at=long_ago)
    untold = make_job(created_at=long_ago, hinted_at=None, confirmed=None)
    make_job(hinted_at=None)
    make_job(status=AWAITING_REVIEW.status, created_at=long_ago)
    sentences = found("stuck_jobs")
    assert set(sentences) == {f"job {told.pk}", f"job {untold.pk}"}
    assert "It is queued" in sentences[f"job {told.pk}"]
    assert mended("stuck_jobs").remaining == 0
    assert (queue.llen("celery:5"), queue.llen("classify:5")) == (1, 1)
    assert str(told.pk).encode() in queue.lindex("celery:5", 0)
    assert str(untold.pk).encode() in queue.lindex("classify:5", 0)


def test_jobs_behind_one_that_was_hinted_at_only_wait_their_turn() -> None:
    long_ago = timezone.now() - LONG_AGO
    make_job(created_at=long_ago, hinted_at=timezone.now())
    make_job(created_at=long_ago + timedelta(minutes=1), hinted_at=long_ago)
    assert found("stuck_jobs") == {}


def test_jobs_that_wait_for_place_at_classifier_are_not_stuck(settings: Any) -> None:
    settings.KB_CLASSIFY_CONCURRENCY = 1
    long_ago = timezone.now() - LONG_AGO
    make_job(created_at=long_ago, hinted_at=None, confirmed=None)
    make_job(
        status="processing",
        processing_stage="classifying",
        confirmed=None,
        heartbeat_at=timezone.now(),
        claim="elsewhere:1:x",
    )
    assert found("stuck_jobs") == {}


@pytest.mark.parametrize("hinted_ago", [None, timedelta(minutes=10)])
def test_a_job_of_a_dead_worker_is_found_and_hinted_at(queue: Any, hinted_ago: timedelta | None) -> None:
    claim, now = f"{claims.here()}:{dead_pid()}:x", timezone.now()
    under_way: dict[str, Any] = {"status": "processing", "processing_stage": "embedding"}
    told: dict[str, Any] = {"hinted_at": now - hinted_ago if hinted_ago else None}
    job = make_job(claim=claim, heartbeat_at=now - timedelta(minutes=10), **told, **under_way)
    make_job(claim=claim, heartbeat_at=job.heartbeat_at, hinted_at=now, **under_way)  # a worker is being told right now
    make_job(claim="elsewhere:1:x", heartbeat_at=now, **under_way)  # alive
    assert found("stuck_jobs") == {f"job {job.pk}": f"Its worker {claim} is dead, and it was not given to another one."}
    assert mended("stuck_jobs").remaining == 0
    assert str(job.pk).encode() in queue.lindex("celery:5", 0)


def test_a_worker_that_died_since_the_last_sweep_is_no_finding() -> None:
    under_way: dict[str, Any] = {
        "status": "processing",
        "processing_stage": "embedding",
        "hinted_at": timezone.now() - LONG_AGO,
    }
    here = f"{claims.here()}:{dead_pid()}:x"
    make_job(claim=here, heartbeat_at=timezone.now(), **under_way)
    make_job(claim="elsewhere:1:x", heartbeat_at=timezone.now() - timedelta(seconds=61), **under_way)
    assert found("stuck_jobs") == {}


def test_a_source_without_chunks_is_found_indexed_again_and_in_order(tmp_path: Path) -> None:
    source = ingested(tmp_path)
    damage("DELETE FROM kb_chunk_embedding")
    damage("DELETE FROM kb_chunk WHERE source_id = %s", source.pk)
    assert found("sources_without_chunks") == {f"source {source.pk}": "No search finds it: it has no chunks."}
    outcome = mended("sources_without_chunks")
    assert (outcome.found, outcome.repaired, outcome.remaining) == (1, 1, 0)
    job = Job.objects.get(reindex=True)
    assert job.events.get().by == "check_integrity"
    done = run_job(job.pk)
    assert done is not None
    assert done.state == DONE
    assert mended("chunk_counts").remaining == 0
    assert all_found() == {}


def test_a_source_without_chunks_and_without_file_remains_and_says_why() -> None:
    source = make_source()
    sentence = "No search finds it: it has no chunks, and no file they could be made of."
    assert found("sources_without_chunks") == {f"source {source.pk}": sentence}
    outcome = mended("sources_without_chunks")
    assert (outcome.found, outcome.repaired, outcome.remaining) == (1, 0, 1)
    (refusal,) = outcome.refusals
    assert refusal["object"] == f"source {source.pk}"
    assert "upload it again" in refusal["reason"]
    assert not Job.objects.exists()


@pytest.mark.parametrize("lost", ["seq = 0", "seq = (SELECT max(seq) FROM kb_chunk)"])
def test_a_source_that_lost_a_chunk_is_found_and_indexed_again(tmp_path: Path, lost: str) -> None:
    source = ingested(tmp_path)
    published = source.chunk_count
    assert published > 1
    damage(f"DELETE FROM kb_chunk_embedding WHERE chunk_id IN (SELECT id FROM kb_chunk WHERE {lost})")
    damage(f"DELETE FROM kb_chunk WHERE {lost}")
    assert found("lost_chunks") == {
        f"source {source.pk}": f"It was published with {published} chunks and has {published - 1} of them."
    }
    assert found("chunk_counts") == {}, "to count again would hide it"
    assert mended("lost_chunks").remaining == 0
    run_job(Job.objects.get(reindex=True).pk)
    assert all_found() == {}


def test_chunks_in_a_wrong_topic_are_found_and_replaced(tmp_path: Path) -> None:
    source, other = ingested(tmp_path), make_topic()
    damage("UPDATE kb_chunk SET topic_id = %s WHERE source_id = %s AND seq = 0", other.pk, source.pk)
    assert found("chunks_in_another_topic") == {
        f"source {source.pk}": "It is in topic 1; its chunks in another one: 1."
    }
    assert mended("chunks_in_another_topic").remaining == 0
    run_job(Job.objects.get(reindex=True).pk)
    assert all_found() == {}


def test_a_failed_reindex_is_found_until_one_succeeds(tmp_path: Path) -> None:
    source = ingested(tmp_path)
    with storage.local_copy(source.file_key) as path:
        content = path.read_bytes()
        path.write_bytes(b"")
        failed = run_job(reindex(source.pk, by="test").pk)
        path.write_bytes(content)
    assert failed is not None
    assert failed.state == FAILED
    (sentence,) = found("reindex_failed").values()
    assert list(all_found()) == ["reindex_failed"]
    assert sentence.startswith(f"Job {failed.pk}, which was to index it again, failed: {failed.error_code}: ")
    assert mended("reindex_failed").remaining == 0
    assert found("reindex_failed") == {}, "another is under way"
    run_job(Job.objects.get(reindex=True, status="queued").pk)
    assert all_found() == {}


@pytest.mark.usefixtures("either_storage")
def test_checks_find_nothing_while_documents_come_and_go(tmp_path: Path) -> None:
    def go_in(number: int) -> None:
        directory = tmp_path / str(number)
        directory.mkdir()
        for part in range(3):
            text = f"{LAW}\n4. Number\nThis is document {number} {part}.\n"
            source = ingested(directory, text, metadata=Metadata(title=f"Act {number}", labels=("a", f"b{part}")))
            edit(source.pk, {"title": f"Law {number}", "kind": "tool"}, by="test")
            run_job(Job.objects.get(reindex=True, source=source, status="queued").pk)
            if part:
                delete(source.pk, by="test")

    with ThreadPoolExecutor(max_workers=3) as pool:
        running = [pool.submit(_closing, go_in, number) for number in range(3)]
        looks = 0
        while not all(future.done() for future in running):
            assert all_found() == {}
            looks += 1
        for future in running:
            future.result()
    assert looks
    assert all_found() == {}


def _closing(go_in: Callable[[int], None], number: int) -> None:
    try:
        go_in(number)
    finally:
        connection.close()
