"""Accepting uploads: what is taken in, what is refused, and that the same bytes come in once."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.core.files.storage import default_storage

from ingest.intake.upload import Metadata, accept_upload, receive, receive_path
from ingest.job_states import JobStatus
from ingest.models import Job
from ingest.similar.duplicates import DuplicateDocument
from kb_project.errors import TooLarge, UnsupportedType
from tests.factories import LAW, decision_of, first_topic, make_source, make_topic, upload_text
from tests.racing import at_once


@pytest.mark.django_db
def test_an_accepted_file_is_stored_under_its_job_and_waits(tmp_path: Path) -> None:
    job = upload_text(tmp_path, filename="חוק הספריות.txt", metadata=Metadata(title="חוק הספריות"))
    assert job.state.status == JobStatus.QUEUED
    assert job.file_key == f"inbox/general/law/{job.pk}-חוק-הספריות.txt"
    with default_storage.open(job.file_key) as stored:
        assert stored.read().decode() == LAW
    assert decision_of(job)["title"] == "חוק הספריות"
    event = job.events.get()
    assert (event.from_state, event.to_state, event.by) == ("", "queued", "test")


@pytest.mark.django_db
def test_same_bytes_are_refused_with_the_job_that_holds_them(tmp_path: Path) -> None:
    job = upload_text(tmp_path)
    with pytest.raises(DuplicateDocument) as refusal:
        upload_text(tmp_path, filename="other name.txt")
    assert refusal.value.extra == {"job_id": str(job.pk)}
    assert Job.objects.count() == 1


@pytest.mark.django_db
def test_same_bytes_are_refused_with_the_source_that_has_them(tmp_path: Path) -> None:
    path = tmp_path / "law.txt"
    path.write_text(LAW, encoding="utf-8")
    source = make_source(content_sha256=receive_path(path).sha256)
    with pytest.raises(DuplicateDocument) as refusal:
        upload_text(tmp_path)
    assert refusal.value.extra == {"source_id": source.pk}


@pytest.mark.django_db
def test_the_same_bytes_may_come_into_another_topic_or_when_asked_for(tmp_path: Path) -> None:
    upload_text(tmp_path)
    upload_text(tmp_path, topic=make_topic())
    upload_text(tmp_path, allow_duplicate=True)
    assert Job.objects.count() == 3


@pytest.mark.django_db
def test_bytes_of_a_failed_job_or_of_a_deleted_source_are_free_again(tmp_path: Path) -> None:
    failed = upload_text(tmp_path)
    Job.objects.filter(pk=failed.pk).update(status=JobStatus.FAILED)
    done = upload_text(tmp_path)
    source = make_source(content_sha256=done.content_sha256)
    Job.objects.filter(pk=done.pk).update(status=JobStatus.DONE, source=source)
    with pytest.raises(DuplicateDocument):
        upload_text(tmp_path)
    source.delete()
    assert upload_text(tmp_path).pk


@pytest.mark.django_db
def test_a_program_named_pdf_is_refused_and_leaves_no_file(tmp_path: Path) -> None:
    path = tmp_path / "statement.pdf"
    path.write_bytes(b"MZ\x90\x00\x03\x00\x00\x00\x04\x00\x00\x00\xff\xff" + bytes(range(256)) * 20)
    with pytest.raises(UnsupportedType):
        accept_upload(receive_path(path), topic=first_topic(), kind="law", metadata=Metadata(), by="test")
    assert not Job.objects.exists()


def test_an_upload_over_the_limit_is_cut_off(settings: Any) -> None:
    settings.KB_MAX_UPLOAD_MB = 1

    def endless() -> Iterator[bytes]:
        while True:
            yield b"x" * 65536

    with pytest.raises(TooLarge), receive(endless(), filename="big.txt"):
        pass


@pytest.mark.django_db(transaction=True)
def test_of_ten_uploads_of_same_bytes_at_once_one_is_taken_in(tmp_path: Path) -> None:
    directories = [tmp_path / str(number) for number in range(10)]
    for directory in directories:
        directory.mkdir()
    outcomes = at_once([partial(upload_text, directory) for directory in directories])
    job = Job.objects.get()
    refused = [outcome for outcome in outcomes if isinstance(outcome, DuplicateDocument)]
    assert [str(refusal.extra["job_id"]) for refusal in refused] == [str(job.pk)] * 9
    assert [outcome for outcome in outcomes if outcome not in refused] == [job]
    _, files = default_storage.listdir("inbox/general/law")
    assert len([name for name in files if job.content_sha256 and str(job.pk) in name]) == 1
