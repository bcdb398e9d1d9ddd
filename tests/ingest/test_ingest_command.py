"""`manage.py ingest`: files and folders from the command line."""

import io
import threading
from datetime import date
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from ingest.job_states import JobStatus
from ingest.models import Job
from ingest.stages.run import run_job
from tests.extraction.offices import pptx_file, with_macros, xlsx_file, zip_file
from tests.factories import LAW, decision_of, make_source


def run(*args: str) -> str:
    out = io.StringIO()
    call_command("ingest", *args, stdout=out, stderr=io.StringIO())
    return out.getvalue()


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    inner = tmp_path / "laws" / "inner"
    inner.mkdir(parents=True)
    (tmp_path / "laws" / "א.txt").write_text(LAW, encoding="utf-8")
    (inner / "b.txt").write_text(LAW.replace("חמישה", "שישה"), encoding="utf-8")
    (tmp_path / "laws" / ".hidden").write_text("no")
    return tmp_path / "laws"


@pytest.mark.django_db
def test_every_file_is_queued_and_a_second_run_says_so(folder: Path) -> None:
    assert "2 queued, 0 duplicates, 0 refused." in run(str(folder), "--kind", "law", "--topic", "general")
    assert {job.filename for job in Job.objects.all()} == {"א.txt", "b.txt"}
    again = run(str(folder), "--kind", "law", "--topic", "general")
    assert "0 queued, 2 duplicates, 0 refused." in again
    assert again.count("duplicate ") == 2


@pytest.mark.django_db
def test_nothing_hidden_below_a_folder_is_taken_in(folder: Path) -> None:
    for name in (".git", "inner/.cache/deep"):
        (folder / name).mkdir(parents=True)
        (folder / name / "config.txt").write_text(LAW.replace("חמישה", name))
    assert "2 queued, 0 duplicates, 0 refused." in run(str(folder), "--kind", "law", "--topic", "general")
    in_hidden = folder / ".git"  # named by a person, it is what is meant
    assert "1 queued, 0 duplicates, 0 refused." in run(str(in_hidden), "--kind", "law", "--topic", "general")


@pytest.mark.django_db
def test_what_archive_holds_is_queued_and_named_with_its_path(folder: Path) -> None:
    zip_file(folder / "more.zip", in__c_txt=LAW.replace("חמישה", "שבעה"), in__א_txt=LAW, setup_pdf=b"MZ" + bytes(99))
    out = io.StringIO()
    with pytest.raises(CommandError, match="1 refused, 0 failed"):
        call_command("ingest", str(folder), "--kind", "law", "--topic", "general", stdout=out, stderr=io.StringIO())
    assert "3 queued, 1 duplicates, 1 refused." in out.getvalue()
    assert f"refused    {folder}/more.zip/setup.pdf: " in out.getvalue()
    assert Job.objects.get(filename="c.txt").part_of == {"filename": "more.zip/in", "job_id": None}


@pytest.mark.django_db
def test_workbooks_and_slides_are_queued_alone_and_in_archives(folder: Path) -> None:
    book = xlsx_file(folder / "fees.xlsx", ["Fee", 7])
    slides = pptx_file(folder / "course.pptx", "Pilots")
    zip_file(
        folder / "more.zip", fees_xlsm=with_macros(book).read_bytes(), course_pptm=with_macros(slides).read_bytes()
    )
    for made in folder.glob("*.???m"):
        made.unlink()
    assert "6 queued, 0 duplicates, 0 refused." in run(str(folder), "--kind", "law", "--topic", "general")
    assert {"fees.xlsx", "fees.xlsm", "course.pptx", "course.pptm"} < {job.filename for job in Job.objects.all()}


@pytest.mark.django_db
def test_a_file_that_is_no_document_is_named_and_the_others_are_taken_in(folder: Path) -> None:
    (folder / "setup.pdf").write_bytes(b"MZ\x90\x00" + bytes(range(256)))
    with pytest.raises(CommandError, match="1 refused, 0 failed"):
        run(str(folder), "--kind", "law", "--topic", "general")
    assert Job.objects.count() == 2


@pytest.mark.django_db
def test_an_unknown_topic_or_path_is_one_sentence(folder: Path) -> None:
    with pytest.raises(CommandError, match=r"no topic 'water'. Known: general"):
        run(str(folder), "--kind", "law", "--topic", "water")
    with pytest.raises(CommandError, match="no file or folder"):
        run(str(folder / "missing"), "--kind", "law", "--topic", "general")


@pytest.mark.django_db(transaction=True)
def test_wait_follows_the_files_to_their_end_and_names_those_that_failed(folder: Path) -> None:
    (folder / "broken.pdf").write_bytes(b"%PDF-1.7\n/Root\nNo page of this can be read.\n")
    stop = threading.Event()

    def worker() -> None:
        try:
            while not stop.wait(0.05):
                for job_id in Job.objects.filter(status=JobStatus.QUEUED).values_list("pk", flat=True):
                    run_job(job_id)
        finally:
            connection.close()

    thread = threading.Thread(target=worker)
    thread.start()
    out = io.StringIO()
    try:
        with pytest.raises(CommandError, match="0 refused, 1 failed"):
            call_command(
                "ingest", str(folder), "--kind", "law", "--topic", "general", "--wait", stdout=out, stderr=io.StringIO()
            )
    finally:
        stop.set()
        thread.join(60)
    assert "2 searchable, 1 failed." in out.getvalue()
    assert "broken.pdf: corrupt:" in out.getvalue()


@pytest.mark.django_db(transaction=True)
def test_waiting_without_a_worker_ends_with_a_sentence(folder: Path) -> None:
    with pytest.raises(CommandError, match="is a worker running"):
        run(str(folder), "--kind", "law", "--topic", "general", "--wait", "--timeout", "0")


@pytest.mark.django_db
def test_a_file_is_taken_in_as_a_version_with_its_days(folder: Path) -> None:
    first = make_source(valid_from=date(2015, 3, 1))
    where = ("--kind", "law", "--topic", "general")
    version = ("--version-of", str(first.pk), "--valid-from", "2021-07-01", "--valid-to", "2024-01-01")
    assert "1 queued" in run(str(folder / "א.txt"), *where, *version)
    told = decision_of(Job.objects.get())
    assert (told["version_of"], told["valid_from"], told["valid_to"]) == (first.pk, "2021-07-01", "2024-01-01")
    overlapping = ("--version-of", str(first.pk), "--valid-from", "2015-03-01")
    out = io.StringIO()
    with pytest.raises(CommandError, match="1 refused"):
        call_command("ingest", str(folder / "inner" / "b.txt"), *where, *overlapping, stdout=out)
    assert "“\u2068A law\u2069” is in force on some of these days" in out.getvalue()


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--valid-from", "1.7.2021"), "'1.7.2021' is no date of the form YYYY-MM-DD"),
        (("--valid-from", "2021-07-01", "--valid-to", "2021-07-01"), "It ends before it begins."),
        (("--valid-from", "2021-07-01"), "are of one document; these are 2"),
        (("--version-of", "1"), "are of one document; these are 2"),
    ],
)
def test_impossible_days_are_refused_before_an_upload(folder: Path, options: tuple[str, ...], said: str) -> None:
    with pytest.raises(CommandError, match=said):
        run(str(folder), "--kind", "law", "--topic", "general", *options)
    zip_file(folder / "more.zip", c_txt=LAW, d_txt=f"{LAW} ")
    with pytest.raises(CommandError, match=said):
        run(str(folder / "more.zip"), "--kind", "law", "--topic", "general", *options)
    assert not Job.objects.exists()
