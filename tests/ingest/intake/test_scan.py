"""The legacy inbox: each file is taken in exactly once, whoever scans and however often."""

import os
import shutil
from functools import partial
from io import StringIO
from pathlib import Path

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.management import call_command

from ingest.intake.scan import MAX_MISPLACED, ScanResult, _locked, scan_inbox
from ingest.job_states import DONE
from ingest.models import Job
from ingest.stages.run import run_job
from sources.files import storage
from sources.files.storage import Area
from sources.models import FileDeletion, Source
from tests.extraction.offices import pptx_file, xlsx_file, zip_file
from tests.factories import LAW, make_topic, place_of, upload_text
from tests.racing import all_done_at_once

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("either_storage")]


def drop(key: str, content: str | bytes = LAW) -> str:
    """Put a file where an operator would."""
    return default_storage.save(key, ContentFile(content.encode() if isinstance(content, str) else content))


def keys(area: Area = Area.INBOX) -> list[str]:
    return sorted(file.key for file in storage.files_under(area))


def test_a_dropped_file_is_ingested_directly_under_the_kind_of_its_folder() -> None:
    key = drop("inbox/regulation/תקנות.txt")
    scan = scan_inbox(by="dana")
    assert [(queued.key, queued.kind) for queued in scan.queued] == [(key, "regulation")]
    job = Job.objects.get()
    assert (job.pk, job.topic_id, job.kind, job.filename) == (scan.queued[0].job_id, 1, "regulation", "תקנות.txt")
    assert keys() == [job.file_key] == [f"inbox/general/regulation/{job.pk}-תקנות.txt"]
    done = run_job(job.pk)
    assert done is not None
    assert done.state == DONE
    assert (
        [place_of(key) for key in keys(Area.PROCESSED)]
        == [place_of(Source.objects.get().file_key)]
        == [f"processed/general/regulation/{job.pk}-תקנות.txt"]
    )
    assert keys() == []
    assert not FileDeletion.objects.exists()


def test_a_dropped_workbook_and_slides_are_ingested(tmp_path: Path) -> None:
    book = xlsx_file(tmp_path / "a.xlsx", ["Fee", 7]).read_bytes()
    slides = pptx_file(tmp_path / "a.pptx", "Pilots").read_bytes()
    for name, content in (("fees.xlsx", book), ("course.pptx", slides)):
        drop(f"inbox/tool/{name}", content)
    assert [queued.kind for queued in scan_inbox(by="dana").queued] == ["tool", "tool"]
    for job in Job.objects.all():
        done = run_job(job.pk)
        assert done is not None
        assert done.state == DONE


def test_an_archive_is_taken_in_whole_or_not_at_all(tmp_path: Path) -> None:
    whole = drop("inbox/law/all.zip", zip_file(tmp_path / "a.zip", a_txt=LAW, b_txt=LAW + "1").read_bytes())
    partly = drop("inbox/law/bad.zip", zip_file(tmp_path / "b.zip", c_txt=LAW + "2", d_pdf=b"MZ").read_bytes())
    for dry_run in (True, False):
        scan = scan_inbox(by="dana", dry_run=dry_run)
        assert [one.key for one in scan.queued] == [whole]
        assert [(one.key, one.code) for one in scan.skipped] == [(partly, "unsupported_type")]
    jobs = Job.objects.order_by("created_at")
    assert [(job.filename, job.part_of) for job in jobs] == [
        ("a.txt", {"filename": "all.zip", "job_id": None}),
        ("b.txt", {"filename": "all.zip", "job_id": None}),
    ]
    assert keys() == sorted([partly, *(job.file_key for job in jobs)])


def test_every_file_that_no_folder_of_a_kind_holds_is_named() -> None:
    places = ["law/2024/x.txt", "law/a/b/y.txt", "poem/deep/v.txt", "poem/w.txt", "z.txt"]
    misplaced = [f"inbox/{place}" for place in places]
    for key in misplaced:
        drop(key, key)
    scan = scan_inbox(by="dana")
    assert scan.queued == []
    assert [(skipped.key, skipped.code) for skipped in scan.skipped] == [(key, "misplaced") for key in misplaced]
    assert keys() == misplaced


def test_a_file_that_belongs_to_a_job_is_not_named(tmp_path: Path) -> None:
    topic = make_topic(slug="law")
    job = upload_text(tmp_path, topic=topic, kind="circular")
    assert scan_inbox(by="dana") == ScanResult()
    assert keys() == [job.file_key]
    stray = drop("inbox/law/circular/stray.txt", "stray")
    assert [skipped.key for skipped in scan_inbox(by="dana").skipped] == [stray]


@pytest.mark.parametrize("either_storage", ["filesystem"], indirect=True)
def test_files_that_nobody_takes_are_named_up_to_a_bound() -> None:
    folder = Path(default_storage.path("inbox/poem"))
    folder.mkdir(parents=True, exist_ok=True)
    for number in range(MAX_MISPLACED + 2):
        (folder / f"{number}.txt").touch()
    *named, last = scan_inbox(by="dana").skipped
    assert len({one.key for one in named}) == MAX_MISPLACED
    assert {one.code for one in named} == {"misplaced"}
    assert (last.key, last.code) == ("inbox", "misplaced")
    assert "2 more" in last.reason
    shutil.rmtree(folder)


def test_a_second_scan_finds_nothing_new_and_keeps_what_failed() -> None:
    drop("inbox/law/a.txt")
    drop("inbox/law/b.txt")  # the same bytes
    drop("inbox/tool/c.pdf", b"MZ\x90\x00" + bytes(range(256)) * 20)
    drop("inbox/tool/.DS_Store", "x")
    scan = scan_inbox(by="dana")
    assert [queued.key for queued in scan.queued] == ["inbox/law/a.txt"]
    skipped = {skipped.key: skipped.code for skipped in scan.skipped}
    assert skipped == {
        "inbox/law/b.txt": "duplicate_document",
        "inbox/tool/c.pdf": "unsupported_type",
        "inbox/tool/.DS_Store": "hidden",
    }
    again = scan_inbox(by="dana")
    assert (again.queued, {skipped.key for skipped in again.skipped}) == ([], set(skipped))
    assert Job.objects.count() == 1
    assert set(skipped) < set(keys())


def test_a_dry_run_says_the_same_and_changes_nothing() -> None:
    drop("inbox/law/a.txt")
    drop("inbox/law/b.txt")
    drop("inbox/tool/c.pdf", b"MZ\x90\x00" + bytes(range(256)) * 20)
    dry = scan_inbox(by="dana", dry_run=True)
    assert (len(keys()), Job.objects.count()) == (3, 0)
    assert [queued.job_id for queued in dry.queued] == [None]
    real = scan_inbox(by="dana")
    assert [queued.key for queued in dry.queued] == [queued.key for queued in real.queued]
    assert [(one.key, one.code) for one in dry.skipped] == [(one.key, one.code) for one in real.skipped]


def test_of_several_scans_at_once_each_file_is_taken_in_by_one() -> None:
    dropped = {drop(f"inbox/caselaw/{number}.txt", f"{LAW}\n{number}") for number in range(12)}
    scans = all_done_at_once([partial(scan_inbox, by=f"person {number}") for number in range(4)])
    queued = [queued.key for scan in scans for queued in scan.queued]
    assert sorted(queued) == sorted(dropped)
    assert Job.objects.count() == 12
    assert keys() == sorted(Job.objects.values_list("file_key", flat=True))
    codes = {skipped.code for scan in scans for skipped in scan.skipped}
    assert codes <= {"in_hand"}


def test_a_file_that_another_scan_has_in_hand_is_left_to_it() -> None:
    key = drop("inbox/law/a.txt")

    def scan_meanwhile() -> ScanResult:
        return scan_inbox(by="noa")

    with _locked(key):
        (scan,) = all_done_at_once([scan_meanwhile])
    assert [skipped.code for skipped in scan.skipped] == ["in_hand"]
    assert not Job.objects.exists()


def test_a_file_whose_deletion_is_still_to_come_is_not_taken_in_again() -> None:
    key = drop("inbox/law/a.txt")
    FileDeletion.objects.create(key=key)
    assert [skipped.code for skipped in scan_inbox(by="dana").skipped] == ["in_hand"]


def test_a_name_that_is_no_text_is_skipped_and_can_be_shown(either_storage: str) -> None:
    if either_storage == "s3":
        pytest.skip("S3 has no such names")
    folder = default_storage.path("inbox/law")
    os.makedirs(folder, exist_ok=True)
    with open(os.path.join(os.fsencode(folder), b"\xff.txt"), "wb") as file:
        file.write(LAW.encode())
    scan = scan_inbox(by="dana")
    assert [skipped.key for skipped in scan.skipped] == ["inbox/law/?.txt"]
    os.remove(os.path.join(os.fsencode(folder), b"\xff.txt"))


def test_the_command_says_what_it_did() -> None:
    key = drop("inbox/law/a.txt")
    out = StringIO()
    call_command("scan_inbox", "--dry-run", stdout=out)
    assert out.getvalue() == f"queued   {key}\n1 would be queued, 0 skipped.\n"
    out = StringIO()
    call_command("scan_inbox", stdout=out)
    assert out.getvalue() == f"queued   {key}  job {Job.objects.get().pk}\n1 queued, 0 skipped.\n"


def test_an_empty_store_has_nothing_to_scan() -> None:
    assert scan_inbox(by="dana") == ScanResult()
