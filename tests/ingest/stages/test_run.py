"""From a queued file to a searchable source, and every way it can go wrong."""

from pathlib import Path
from typing import Any

import pytest
from django.core.files.storage import default_storage
from django.utils import timezone

from ingest.decide.commit import commit
from ingest.decide.retry import retry
from ingest.decisions import Decision
from ingest.intake.upload import Metadata
from ingest.job_states import AWAITING_REVIEW, DONE, EMBEDDING, FAILED, QUEUED, Transition
from ingest.jobs import claims
from ingest.jobs.transitions import ClaimLost, WrongState, transition
from ingest.models import Job
from ingest.similar.duplicates import DuplicateDocument
from ingest.stages.publish import embed
from ingest.stages.run import SHOWN_WITHIN, run_job
from kb_project.errors import Conflict
from labels.models import Label
from sources.files import storage
from sources.models import Chunk, FileDeletion, Source
from tests.factories import LAW, make_job, make_label, place_of, upload_text

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_text_law_becomes_a_source_with_sections_and_labels(tmp_path: Path) -> None:
    known = make_label("ספריות")
    job = upload_text(
        tmp_path,
        metadata=Metadata(
            title="חוק הספריות הציבוריות",
            identifier="ס-1",
            summary="על ספריות.",
            labels=("sspryvth", "תרבות"),
        ),
    )
    done = run_job(job.pk)
    assert done is not None
    assert done.state == DONE
    source = Source.objects.get()
    assert done.source == source
    assert (source.title, source.identifier, source.description) == ("חוק הספריות הציבוריות", "ס-1", "על ספריות.")
    assert {label.name for label in source.labels.all()} == {"ספריות", "תרבות"}
    known.refresh_from_db()
    assert known.usage_count == 1
    chunks = Chunk.objects.filter(source=source).order_by("seq")
    assert source.chunk_count == len(chunks) >= 3
    assert [chunk.section for chunk in chunks if chunk.section] == ["1", "2", "3"]
    assert source.file_key == done.file_key
    assert place_of(source.file_key) == f"processed/general/law/{job.pk}-law.txt"
    assert not storage.exists(job.file_key)
    with default_storage.open(source.file_key) as stored:
        assert stored.read().decode() == LAW
    assert [event.to_state for event in done.events.all()] == ["queued", "processing/embedding", "done"]


def test_a_document_without_a_title_is_named_by_its_first_line(tmp_path: Path) -> None:
    run_job(upload_text(tmp_path).pk)
    assert Source.objects.get().title == 'חוק הספריות הציבוריות לדוגמה, התשפ"ד–2024'


def test_a_law_is_taken_in_and_moved_on_s3_as_on_local_files(s3_storage: Any, tmp_path: Path) -> None:
    job = upload_text(tmp_path, filename="חוק.txt")
    done = run_job(job.pk)
    assert done is not None
    assert done.state == DONE
    keys = [item["Key"] for item in s3_storage.list_objects_v2(Bucket="kb-tests")["Contents"]]
    assert [place_of(key) for key in keys] == [f"processed/general/law/{job.pk}-חוק.txt"]
    with storage.local_copy(keys[0]) as local:
        assert local.read_text(encoding="utf-8") == LAW


def test_work_on_a_job_that_is_done_does_nothing(tmp_path: Path) -> None:
    job = upload_text(tmp_path)
    run_job(job.pk)
    assert run_job(job.pk) is None
    assert Source.objects.count() == 1


@pytest.mark.parametrize(
    ("content", "code"),
    [
        (b"", "empty"),
        (b" \n\t\n ", "empty"),
        (b"%PDF-1.7\n" + bytes(range(256)) * 8, "corrupt"),
        (b"PK\x03\x04" + bytes(range(256)) * 8, "corrupt"),
    ],
)
def test_a_file_without_usable_text_fails_with_its_code_and_keeps_the_file(
    content: bytes, code: str, tmp_path: Path
) -> None:
    job = upload_text(tmp_path, filename="law.docx" if content.startswith(b"PK") else "law.txt")
    with default_storage.open(job.file_key, "wb") as stored:
        stored.write(content)
    failed = run_job(job.pk)
    assert failed is not None
    assert (failed.state, failed.error_code) == (FAILED, code)
    assert failed.error_message.endswith(".")
    assert failed.file_key.startswith("failed/")
    assert storage.exists(failed.file_key)
    assert not storage.exists(job.file_key)
    assert not Source.objects.exists()


def test_a_file_that_is_gone_fails_with_a_sentence(tmp_path: Path) -> None:
    job = upload_text(tmp_path)
    storage.delete(job.file_key)
    failed = run_job(job.pk)
    assert failed is not None
    assert (failed.state, failed.error_code) == (FAILED, "file_missing")


def test_a_new_file_that_a_store_does_not_show_yet_is_waited_for(s3_storage: Any, tmp_path: Path) -> None:
    job = upload_text(tmp_path)
    key = {"Bucket": "kb-tests", "Key": job.file_key}
    content = s3_storage.get_object(**key)["Body"].read()
    s3_storage.delete_object(**key)
    waiting = run_job(job.pk)
    assert waiting is not None
    assert (waiting.state, waiting.error_code) == (EMBEDDING, "")
    s3_storage.put_object(**key, Body=content)
    done = run_job(job.pk)
    assert done is not None
    assert done.status == "done"


def test_an_old_file_that_a_store_does_not_show_is_gone(s3_storage: Any, tmp_path: Path) -> None:
    job = upload_text(tmp_path)
    Job.objects.filter(pk=job.pk).update(created_at=timezone.now() - SHOWN_WITHIN)
    s3_storage.delete_object(Bucket="kb-tests", Key=job.file_key)
    failed = run_job(job.pk)
    assert failed is not None
    assert (failed.state, failed.error_code) == (FAILED, "file_missing")


def test_failed_job_is_retried_from_its_file_and_ends_done_once(tmp_path: Path) -> None:
    job = upload_text(tmp_path)
    transition(job.pk, Transition.FAIL, by="test", error_code="internal_error", error_message="Once.")
    retried = retry(job.pk, by="dana")
    assert retried.state == EMBEDDING
    done = run_job(job.pk)
    assert done is not None
    assert (done.state, done.attempts, done.error_code) == (DONE, 1, "")
    assert Source.objects.count() == 1
    with pytest.raises(WrongState):
        retry(job.pk, by="dana")


def test_a_retry_is_refused_when_the_file_is_gone_or_came_in_another_way(tmp_path: Path) -> None:
    job = upload_text(tmp_path)
    transition(job.pk, Transition.FAIL, by="test")
    other = upload_text(tmp_path)
    with pytest.raises(DuplicateDocument) as refusal:
        retry(job.pk, by="dana")
    assert refusal.value.extra == {"job_id": str(other.pk)}
    transition(other.pk, Transition.FAIL, by="test")
    storage.delete(job.file_key)
    with pytest.raises(Conflict):
        retry(job.pk, by="dana")


def test_a_job_that_was_taken_away_while_it_was_read_leaves_no_source(tmp_path: Path) -> None:
    job = upload_text(tmp_path)
    held = claims.claim(job.pk)
    assert held is not None
    Job.objects.filter(pk=job.pk).update(claim="someone:1:else")
    with claims.Heartbeat(held) as heartbeat, pytest.raises(ClaimLost):
        embed(held, heartbeat)
    assert not Source.objects.exists()
    assert not [file.key for file in storage.files_under(storage.Area.PROCESSED) if str(job.pk) in file.key]
    assert not FileDeletion.objects.exists()
    assert not Chunk.objects.exists()
    assert not Label.objects.exists()


def test_a_job_that_awaits_review_is_not_worked_on() -> None:
    job = make_job(status=AWAITING_REVIEW.status)
    assert run_job(job.pk) is None


def test_a_file_of_a_batch_is_classified_and_waits_for_a_person(tmp_path: Path) -> None:
    job = run_job(upload_text(tmp_path, kind="circular", metadata=None).pk)
    assert job is not None
    assert (job.state, job.claim, job.confirmed) == (AWAITING_REVIEW, "", None)
    assert job.ai_suggestions["kind"] == "law"
    assert not Source.objects.exists()
    assert [event.to_state for event in job.events.all()] == ["queued", "processing/classifying", "awaiting_review"]


def test_a_broken_file_of_a_batch_fails_and_can_be_retried(tmp_path: Path) -> None:
    job = upload_text(tmp_path, kind="circular", metadata=None)
    with default_storage.open(job.file_key, "wb") as stored:
        stored.write(b"")
    failed = run_job(job.pk)
    assert failed is not None
    assert (failed.state, failed.error_code) == (FAILED, "empty")
    assert place_of(failed.file_key) == f"failed/general/circular/{job.pk}-law.txt"
    with default_storage.open(failed.file_key, "wb") as stored:
        stored.write(LAW.encode())
    assert retry(job.pk, by="dana").state == QUEUED
    again = run_job(job.pk)
    assert again is not None
    assert (again.state, again.attempts, again.error_code) == (AWAITING_REVIEW, 1, "")


def test_a_file_failed_after_its_decision_lies_under_its_kind(tmp_path: Path) -> None:
    job = run_job(upload_text(tmp_path, kind="circular", metadata=None).pk)
    assert job is not None
    commit(job.pk, Decision(kind="law", title="חוק"), by="dana", allow_duplicate=False)
    with default_storage.open(job.file_key, "wb") as stored:
        stored.write(b"")
    failed = run_job(job.pk)
    assert failed is not None
    assert (failed.kind, place_of(failed.file_key)) == ("law", f"failed/general/law/{job.pk}-law.txt")
