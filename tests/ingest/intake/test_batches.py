"""Taking in many files: each on its own, none lost through another."""

import hashlib
import uuid
import zipfile
from collections.abc import Iterator
from contextlib import nullcontext
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from django.test import override_settings

from ingest.intake.batches import UploadResult, create_batch, read_batch
from ingest.intake.unpack import raise_if_several
from ingest.intake.upload import raise_if_unreadable, receive_path
from ingest.job_states import QUEUED
from ingest.models import Job
from ingest.similar.duplicates import DuplicateDocument, raise_if_duplicate
from kb_project.errors import Invalid, NotFound, Unavailable, UnsupportedType
from sources.files import storage
from tests.extraction.offices import mail, zip_file
from tests.extraction.pdf.making import holding
from tests.factories import LAW, first_topic, make_job, make_source, make_topic
from tests.racing import at_once

pytestmark = pytest.mark.django_db(transaction=True)

PROGRAM = b"MZ\x90\x00\x03\x00\x00\x00\x04\x00\x00\x00\xff\xff" + bytes(range(256)) * 20


def files(*contents: str | bytes) -> list[tuple[str, list[bytes]]]:
    return [
        (f"{number}.txt", [content.encode() if isinstance(content, str) else content])
        for number, content in enumerate(contents)
    ]


def test_every_file_becomes_a_job_that_waits_to_be_classified() -> None:
    topic = make_topic(slug="water")
    taken = create_batch(files(LAW, LAW + "1"), topic=topic, by="dana")
    assert taken.rejected == []
    batch = read_batch(taken.batch_id)
    assert [job.filename for job in batch.jobs] == ["0.txt", "1.txt"]
    for job in batch.jobs:
        assert (job.state, job.confirmed, job.topic_id) == (QUEUED, None, topic.pk)
        assert job.file_key == f"inbox/water/circular/{job.pk}-{job.filename}"
        assert storage.exists(job.file_key)
        assert job.events.get().by == "dana"
    assert batch.counts == {"queued": 2, "processing": 0, "awaiting_review": 0, "done": 0, "failed": 0}


def test_a_file_that_is_refused_keeps_no_other_from_coming_in(settings: Any) -> None:
    settings.KB_MAX_UPLOAD_MB = 1

    def cut_off() -> Iterator[bytes]:
        yield b"1. "
        raise OSError("the disk is full")

    many = [*files(LAW, PROGRAM, "x" * (1024 * 1024 + 1)), ("../cut\x00.txt", cut_off()), *files(LAW + "1")]
    taken = create_batch(many, topic=first_topic(), by="dana")
    assert len(taken.jobs) == 2
    assert [(rejected.filename, rejected.code) for rejected in taken.rejected] == [
        ("1.txt", "unsupported_type"),
        ("2.txt", "too_large"),
        ("cut.txt", "unavailable"),
    ]


def test_when_no_file_comes_in_the_reasons_are_the_answer() -> None:
    with pytest.raises(Invalid) as refusal:
        create_batch(files(PROGRAM), topic=first_topic(), by="dana")
    assert [rejected["code"] for rejected in refusal.value.extra["rejected"]] == ["unsupported_type"]
    assert not Job.objects.exists()


def test_when_the_file_store_is_away_the_fault_is_ours(settings: Any, tmp_path: Any) -> None:
    (tmp_path / "file").touch()
    settings.STORAGES = {
        **settings.STORAGES,
        "default": {
            "BACKEND": "django.core.files.storage.FileSystemStorage",
            "OPTIONS": {"location": tmp_path / "file" / "inside"},
        },
    }
    with pytest.raises(Unavailable) as refusal:
        create_batch(files(LAW), topic=first_topic(), by="dana")
    assert [rejected["code"] for rejected in refusal.value.extra["rejected"]] == ["unavailable"]


def test_a_duplicate_says_of_what_and_leaves_content_alone() -> None:
    source = make_source(content_sha256=hashlib.sha256(b"2. there").hexdigest())
    taken = create_batch(files(LAW, LAW, "2. there"), topic=first_topic(), by="dana")
    first, second, third = taken.jobs
    assert (first.duplicate_of, first.allow_duplicate) == (None, False)
    assert (second.duplicate_of, second.allow_duplicate) == ({"job_id": str(first.pk)}, True)
    assert third.duplicate_of == {"source_id": source.pk}
    assert [job.duplicate_of for job in create_batch(files(LAW), topic=make_topic(), by="dana").jobs] == [None]


def test_of_same_file_in_many_batches_at_once_one_holds_content() -> None:
    outcomes = at_once([partial(create_batch, files(LAW), topic=first_topic(), by="dana") for _ in range(10)])
    assert all(isinstance(outcome, UploadResult) for outcome in outcomes), outcomes
    holder = Job.objects.get(allow_duplicate=False)
    twins = Job.objects.exclude(pk=holder.pk)
    assert twins.count() == 9
    assert all(twin.duplicate_of for twin in twins)
    with pytest.raises(DuplicateDocument) as refusal:
        raise_if_duplicate(topic=first_topic(), sha256=holder.content_sha256)
    assert refusal.value.extra["job_id"] in {str(job.pk) for job in Job.objects.all()}


def test_a_batch_that_is_not_there_says_so() -> None:
    make_job()
    with pytest.raises(NotFound):
        read_batch(uuid.uuid4())


def test_archives_and_messages_give_a_job_for_each_document(tmp_path: Path) -> None:
    topic = first_topic()
    message = mail(("b.txt", LAW.encode()), ("setup.exe", PROGRAM)).as_bytes()
    archive = zip_file(tmp_path / "all.zip", folder__a_txt=LAW + "1", mails__m_eml=message, folder__again_txt=LAW + "1")
    bomb = zip_file(tmp_path / "bomb.zip", c_txt=LAW + "2", d_txt=bytes(2_000_000))
    with override_settings(KB_MAX_BATCH_MB=1):
        received = [(path.name, [path.read_bytes()]) for path in (archive, bomb)]
        taken = create_batch(received, topic=topic, by="dana")
    jobs = {job.filename: job for job in read_batch(taken.batch_id).jobs}
    assert list(jobs) == ["a.txt", "m.eml", "b.txt", "again.txt"]
    assert [job.part_of for job in jobs.values()] == [
        {"filename": "all.zip/folder", "job_id": None},
        {"filename": "all.zip/mails", "job_id": None},
        {"filename": "all.zip/mails/m.eml", "job_id": str(jobs["m.eml"].pk)},
        {"filename": "all.zip/folder", "job_id": None},
    ]
    assert jobs["again.txt"].duplicate_of == {"job_id": str(jobs["a.txt"].pk)}
    assert [(one.filename, one.code) for one in taken.rejected] == [
        ("all.zip/mails/m.eml/setup.exe", "unsupported_type"),
        ("bomb.zip", "too_large"),
    ]


def test_a_mailbox_gives_a_job_for_each_message(tmp_path: Path) -> None:
    line = b"\nFrom dana Mon Jan  5 10:00:00 2026\n"
    first, second = (
        mail(text="a"),
        mail(("b.txt", LAW.encode()), ("winmail.dat", b"\x78\x9f\x3e\x22" + bytes(99)), text="b"),
    )
    mailbox = b"".join(line + message.as_bytes() for message in (first, second)).lstrip()
    archive = zip_file(tmp_path / "all.zip", c_txt=LAW + "1", mails__all_mbox=mailbox)
    with zipfile.ZipFile(archive, "a") as made:
        made.writestr("./d.txt", LAW + "2")
        made.writestr("~$c.docx", b"owner")
        made.writestr(".hidden.pdf", b"x")
    taken = create_batch([(archive.name, [archive.read_bytes()])], topic=first_topic(), by="dana")
    assert [job.filename for job in read_batch(taken.batch_id).jobs] == [
        "c.txt",
        "נוהל אגרות הגשרים.eml",
        "נוהל אגרות הגשרים.eml",
        "b.txt",
        "d.txt",
    ]
    assert [(one.filename.rpartition("/")[2], one.code) for one in taken.rejected] == [
        ("winmail.dat", "unsupported_type"),
        (".hidden.pdf", "unsupported_type"),
    ]


def test_a_pdf_and_the_files_in_it_become_a_job_each(tmp_path: Path) -> None:
    content = holding({b"(a.txt)": LAW.encode(), b"(chart.xml)": b"<?xml version='1.0'?><chart/>"})
    taken = create_batch([("folder.pdf", [content])], topic=first_topic(), by="dana")
    first, second = read_batch(taken.batch_id).jobs
    assert (first.filename, first.part_of, taken.rejected) == ("folder.pdf", None, [])
    assert (second.filename, second.part_of) == ("a.txt", {"filename": "folder.pdf", "job_id": str(first.pk)})


def test_a_pdf_whose_files_are_too_large_is_one_document(tmp_path: Path, settings: Any) -> None:
    settings.KB_MAX_BATCH_MB = 1
    content = holding({b"(a.txt)": LAW.encode() * 20_000})
    (job,) = create_batch([("folder.pdf", [content])], topic=first_topic(), by="dana").jobs
    assert job.filename == "folder.pdf"


def test_one_upload_takes_no_file_that_holds_several(tmp_path: Path) -> None:
    alone = tmp_path / "alone.eml"
    alone.write_bytes(mail().as_bytes())
    raise_if_several(receive_path(alone))
    folder = tmp_path / "folder.pdf"  # its page tells which files are in it
    folder.write_bytes(holding({b"(a.txt)": LAW.encode()}))
    raise_if_several(receive_path(folder))
    for path in (zip_file(tmp_path / "a.zip", a_txt=LAW), tmp_path / "m.eml"):
        if not path.exists():
            path.write_bytes(mail(("b.txt", LAW.encode())).as_bytes())
        with pytest.raises(UnsupportedType):
            raise_if_several(receive_path(path))
        with pytest.raises(UnsupportedType) if path.suffix == ".zip" else nullcontext():
            raise_if_unreadable(receive_path(path))


@pytest.mark.django_db
def test_an_empty_file_is_refused_at_once() -> None:
    taken = create_batch([("empty.txt", [b""]), ("law.txt", [LAW.encode()])], topic=first_topic(), by="dana")
    assert [(one.filename, one.code) for one in taken.rejected] == [("empty.txt", "empty")]
    assert [job.filename for job in taken.jobs] == ["law.txt"]
