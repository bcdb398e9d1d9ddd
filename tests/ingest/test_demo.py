"""The demo documents: complete, readable, and queued once however often they are loaded."""

import datetime as dt
import json
from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from extraction import extract
from ingest.intake.demo import FOLDER
from ingest.job_states import JobStatus
from ingest.models import Job
from sources.kinds import SourceKind
from tests.factories import decision_of
from topics.models import Topic

MANIFEST = json.loads((FOLDER / "manifest.json").read_text(encoding="utf-8"))
FILES = [entry["file"] for entry in MANIFEST]


def load() -> list[str]:
    out = StringIO()
    call_command("load_demo", stdout=out)
    return out.getvalue().splitlines()


def test_manifest_names_every_document_in_the_folder_once() -> None:
    there = {path.name for path in FOLDER.iterdir()} - {"manifest.json"}
    assert sorted(FILES) == sorted(there)
    assert len(FILES) == 6


def test_manifest_covers_all_five_kinds_and_both_languages() -> None:
    assert {entry["kind"] for entry in MANIFEST} == set(SourceKind.values)
    hebrew = [any("א" <= letter <= "ת" for letter in entry["title"]) for entry in MANIFEST]
    assert any(hebrew)
    assert not all(hebrew)


@pytest.mark.parametrize("entry", MANIFEST, ids=FILES)
def test_metadata_fits_the_rules_for_reviewed_documents(entry: dict) -> None:
    dt.date.fromisoformat(entry["published_at"])
    if entry["kind"] in ("law", "regulation"):
        dt.date.fromisoformat(entry["valid_from"])
    assert 80 <= len(entry["description"]) <= 200
    assert entry["identifier"]
    assert entry["labels"]


@pytest.mark.parametrize("entry", MANIFEST, ids=FILES)
def test_a_document_says_once_its_title_and_that_it_is_fiction(entry: dict) -> None:
    text = "\n".join(page.text for page in extract(FOLDER / entry["file"], filename=entry["file"]))
    assert text.count(entry["title"]) == 1
    assert "בדויים" in text or "fictional" in text


@pytest.mark.parametrize(
    ("file", "words"),
    [
        ("hok-pikdonot-skhirut.pdf", ["9א. איסור שימוש בכספי הפיקדון", "(1 בינואר 2025)", "ארבעה־עשר ימים"]),
        ("scheme-operators-rules-2025.html", ["3.2.3 A Shortfall of more than NIS 5,000", "NIS 60"]),
        ("hozer-2025-1-4.txt", ["חוזר מספר 2025-1-4", "התשפ״ד–2024"]),
        ("judgment-61405-06-25.docx", ["Case No. 61405-06-25", "NIS 994"]),
        ("psak-din-48211-09-25.docx", ['ע"ש 48211-09-25', "סעיף 6(ג)"]),
        ("move-out-deposit-guide.md", ["Section 7(c)", "NIS 720"]),
    ],
)
def test_numbers_and_brackets_come_out_in_order(file: str, words: list[str]) -> None:
    text = "\n".join(page.text for page in extract(FOLDER / file, filename=file))
    assert [phrase for phrase in words if phrase not in text] == []


@pytest.mark.django_db
def test_loading_queues_six_confirmed_jobs_in_the_seeded_topic() -> None:
    lines = load()
    assert [line.split(":")[0] for line in lines] == FILES
    assert all("queued as job" in line for line in lines)
    jobs = Job.objects.filter(topic_id=1, status=JobStatus.QUEUED)
    assert sorted(jobs.values_list("kind", flat=True)) == sorted(entry["kind"] for entry in MANIFEST)
    by_title = {decision["title"]: decision for decision in map(decision_of, jobs)}
    for entry in MANIFEST:
        confirmed = by_title[entry["title"]]
        assert confirmed["identifier"] == entry["identifier"]
        assert confirmed["published_at"] == entry["published_at"]
        assert confirmed["valid_from"] == entry.get("valid_from")
        assert confirmed["summary"] == entry["description"]
        assert [label["name"] for label in confirmed["labels"]] == entry["labels"]


@pytest.mark.django_db
def test_second_loading_says_so_and_queues_nothing() -> None:
    load()
    assert load() == [f"{file}: already there" for file in FILES]
    assert Job.objects.count() == 6


@pytest.mark.django_db
def test_missing_topic_is_told_in_a_sentence() -> None:
    Topic.objects.all().delete()
    with pytest.raises(CommandError, match="run the migrations first"):
        load()
