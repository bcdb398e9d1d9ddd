"""The second main job: a batch goes in, each file is proposed, a person decides, and only then is it found."""

from collections.abc import Callable
from pathlib import Path
from subprocess import Popen

import pytest

from ingest.jobs.claims import sweep
from ingest.models import Job
from labels.models import Label, SourceLabel
from search.index import engine
from sources.files import storage
from sources.models import Source
from tests.extraction.pdf.making import english_pdf
from tests.factories import LAW, make_label
from tests.journeys.client import Client
from tests.journeys.test_upload_to_search import REGULATION, as_docx
from tests.waiting import wait_until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.deep]

PROGRAM = b"MZ\x90\x00" + bytes(range(256)) * 20
GOOD_OF_A_FORMAT = 8


def good_files(directory: Path) -> list[tuple[str, bytes]]:
    """Hebrew and English, in four formats; every file has a word that no other has."""
    files: list[tuple[str, bytes]] = []
    for number in range(GOOD_OF_A_FORMAT):
        word = f"קרפיון{number}"
        law = LAW.replace("הספריות הציבוריות", f"הגשרים {number}") + f"\n4. תחולה\nהוראה זו חלה על {word}.\n"
        english = [
            "Harbour Rules 2031",
            f"Rule {number + 1}. A vessel named carp{number}pdf carries two lamps at night.",
        ]
        files += [
            (f"law{number}.txt", law.encode()),
            (f"law{number}.docx", as_docx(law.replace(word, f"שיבוט{number}"))),
            (f"rules{number}.html", REGULATION.replace("harbour.", f"harbour of carp{number}html.").encode()),
            (f"rules{number}.pdf", english_pdf(directory / "rules.pdf", english).read_bytes()),
        ]
    return files


def test_forty_mixed_files_are_proposed_decided_and_found(
    asgi_server: str,
    start_worker: Callable[..., Popen[bytes]],
    start_classifier: Callable[..., Popen[bytes]],
    tmp_path: Path,
) -> None:
    start_worker(concurrency=2)
    start_classifier()
    client = Client(asgi_server)
    make_label("גשרים")
    good = good_files(tmp_path)
    refused = [("setup.pdf", PROGRAM), ("setup.txt", PROGRAM)]
    refused += [("empty.txt", b""), ("blank.txt", b" \n ")]
    broken = [("torn.pdf", b"%PDF-1.7\n/Root" + bytes(range(256)) * 8)]
    twins = [(f"copy of {name}", content) for name, content in good[:3]]
    files = [*good, *refused, *broken, *twins]
    assert len(files) == 40

    status, taken = client.upload_batch(files)
    assert status == 202, taken
    assert [rejected["filename"] for rejected in taken["rejected"]] == [name for name, _ in refused]
    assert len(taken["jobs"]) == 36
    by_name = {job["filename"]: job for job in taken["jobs"]}
    for name, _ in good[:3]:
        assert by_name[f"copy of {name}"]["duplicate_of"] == {"job_id": by_name[name]["job_id"]}

    batch = client.batch_at_rest(taken["batch_id"])
    assert batch["counts"] == {"queued": 0, "processing": 0, "awaiting_review": 35, "done": 0, "failed": 1}
    errors = {job["filename"]: job["error"]["code"] for job in batch["jobs"] if job["error"]}
    assert errors == {"torn.pdf": "corrupt"}
    assert not Source.objects.exists(), "nothing is found before a person has decided"
    assert client.search("קרפיון3") == []
    law = next(job for job in batch["jobs"] if job["filename"] == "law3.txt")
    assert (law["ai_suggestions"]["kind"], law["ai_suggestions"]["provider"]) == ("law", "rules")

    for job in batch["jobs"]:
        if job["status"] != "awaiting_review":
            continue
        if job["duplicate_of"]:
            status, answer = client.post(f"/admin/kb/jobs/{job['id']}/discard")
            assert (status, answer["error"]["code"]) == (200, "discarded"), answer
            continue
        proposed = job["ai_suggestions"]
        decision = {
            "kind": proposed.get("kind") or "regulation",
            "title": proposed.get("title") or job["filename"],
            "summary": proposed.get("summary"),
            "identifier": proposed.get("identifier"),
            "published_at": proposed.get("published_at"),
            "labels": [{"name": "ימאות"}, {"slug": "gshrym"}],
        }
        status, answer = client.post(f"/admin/kb/jobs/{job['id']}/commit", decision)
        assert status == 202, answer

    batch = client.batch_at_rest(taken["batch_id"])
    assert batch["counts"] == {"queued": 0, "processing": 0, "awaiting_review": 0, "done": 32, "failed": 4}
    assert sum(batch["counts"].values()) + len(taken["rejected"]) == 40
    assert Source.objects.count() == 32
    assert Source.objects.filter(ai_classified_at=None).count() == 0
    for label in Label.objects.all():
        assert label.usage_count == SourceLabel.objects.filter(label=label).count() == 32
    engine().maintain()
    for number in range(GOOD_OF_A_FORMAT):
        for word in (f"קרפיון{number}", f"שיבוט{number}", f"carp{number}html", f"carp{number}pdf"):
            assert word in client.search(word, mode="lexical")[0]["text"]
    for job in batch["jobs"]:
        if job["status"] == "done":
            assert job["kind"] == job["confirmed"]["kind"]
    keys = {file.key for area in storage.Area for file in storage.files_under(area)}
    assert set(Job.objects.exclude(file_key="").values_list("file_key", flat=True)) <= keys
    assert all(f"/{source.kind}/" in source.file_key for source in Source.objects.all())


def test_a_classifier_killed_at_work_loses_nothing(
    asgi_server: str, start_classifier: Callable[..., Popen[bytes]]
) -> None:
    environment = {"KB_STALLED_AFTER_S": "3", "KB_HEARTBEAT_S": "0.2"}
    victim = start_classifier(**environment)
    client = Client(asgi_server)
    files = [(f"{number}.txt", (LAW + f"\n{number}\n" + "מילים רבות מאוד. " * 400_000).encode()) for number in range(6)]
    _, taken = client.upload_batch(files)
    held = Job.objects.filter(processing_stage="classifying").exclude(claim="")
    waiting = Job.objects.exclude(status="awaiting_review")
    wait_until(lambda: held.exists() or waiting.count() < len(files))  # the first may be held for a moment only
    victim.kill()
    victim.wait(60)
    start_classifier(**environment)
    # It may also have taken hints of jobs that it had not claimed yet. They are given again once they count as lost.

    def are_read() -> bool:
        sweep()
        return not waiting.exists()

    wait_until(are_read)
    batch = client.batch_at_rest(taken["batch_id"])
    assert batch["counts"]["awaiting_review"] == 6, batch["counts"]
    assert all(job["ai_suggestions"]["kind"] == "law" for job in batch["jobs"])
