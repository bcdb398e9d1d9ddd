"""What is stored is damaged by hand: search goes on, the check names it, the repair mends it, the document is found.

The rows of `DAMAGES` are the table of `docs/operations.md`.
"""

import io
import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from rest_framework.test import APIClient

from ingest.job_states import QUEUED
from ingest.models import Job
from ingest.stages.run import run_job
from search.index import engine
from search.index.postgres.segments import merge
from search.models import Segment
from search.tasks import maintain_index_thoroughly
from sources.files import storage
from sources.models import Chunk, Source
from tests.ingest.library.documents import make_document

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.deep]
PROJECT = Path(__file__).resolve().parents[2]
LAKES = "Lakes Act\n\n1. Purpose\nEvery heron is protected.\n\n2. Reeds\nNobody cuts reeds before a heron has left.\n"
BANKS = "Banks Act\n\n1. Purpose\nEvery deposit is insured.\n\n2. Interest\nA deposit of a child bears interest.\n"
OF_SEGMENT = "WHERE segment_id = %(segment)s"


@dataclass(frozen=True)
class Damage:
    """SQL that does it to the segment, the second chunk or the topic of a document, and which check names it.

    `statement` None changes a byte of the stored file. `hides` says that searches miss the document meanwhile.
    """

    name: str
    statement: str | None
    check: str
    hides: bool = False
    mended: bool = True


DAMAGES = [
    Damage(
        "members cut short",
        "UPDATE kb_segment SET chunk_ids = substr(chunk_ids, 1, octet_length(chunk_ids) - 5) WHERE id = %(segment)s",
        "segment_members",
        hides=True,
    ),
    Damage(
        "members of other sources",
        "UPDATE kb_segment SET source_ids = decode(repeat('a7', octet_length(source_ids)), 'hex')"
        " WHERE id = %(segment)s",
        "segment_members",
    ),
    Damage(
        "members overwritten",
        "UPDATE kb_segment SET chunk_ids = decode(repeat('a7', octet_length(chunk_ids)), 'hex') WHERE id = %(segment)s",
        "unlisted_chunks",
        hides=True,
    ),
    Damage(
        "posting lists cut short",
        f"UPDATE kb_posting SET postings = substr(postings, 1, octet_length(postings) - 1) {OF_SEGMENT}",
        "segment_postings",
        hides=True,
    ),
    Damage(
        "posting lists overwritten",
        f"UPDATE kb_posting SET postings = decode(repeat('ff', octet_length(postings)), 'hex') {OF_SEGMENT}",
        "segment_postings",
        hides=True,
    ),
    Damage(
        "a posting list deleted",
        f"DELETE FROM kb_posting WHERE ctid = (SELECT min(ctid) FROM kb_posting {OF_SEGMENT})",
        "segment_postings",
    ),
    Damage("half of the lists deleted", f"DELETE FROM kb_posting {OF_SEGMENT} AND term > 0", "segment_postings"),
    Damage(
        "vector codes cut short",
        f"UPDATE kb_segment_codes SET codes = substr(codes, 1, octet_length(codes) - 1) {OF_SEGMENT}",
        "unfit_codes",
    ),
    Damage(
        "a vector code too few",
        f"UPDATE kb_segment_codes SET codes = substr(codes, 1, octet_length(codes) / 2) {OF_SEGMENT}",
        "unfit_codes",
    ),
    Damage(
        "vector codes overwritten",
        f"UPDATE kb_segment_codes SET codes = decode(repeat('00', octet_length(codes)), 'hex') {OF_SEGMENT}",
        "unfit_codes",
    ),
    Damage("a segment deleted", "DELETE FROM kb_segment WHERE id = %(segment)s", "unlisted_chunks", hides=True),
    Damage("a gap in seq", "DELETE FROM kb_chunk WHERE source_id = %(source)s AND seq = 0", "lost_chunks"),
    Damage(
        "the last chunk deleted",
        "DELETE FROM kb_chunk c WHERE source_id = %(source)s"
        " AND seq = (SELECT max(seq) FROM kb_chunk WHERE source_id = c.source_id)",
        "lost_chunks",
    ),
    Damage(
        "impacts of chunks emptied",
        "UPDATE kb_chunk SET impacts = '' WHERE source_id = %(source)s",
        "chunks_without_impacts",
    ),
    Damage(
        "terms of chunks emptied",
        "UPDATE kb_chunk SET impacts = '', term_ids = '{}', terms = '{}/1000000000' WHERE source_id = %(source)s",
        "chunks_without_impacts",
        hides=True,
    ),
    Damage("a byte of a stored file changed", None, "file_contents", mended=False),
]


@dataclass(frozen=True)
class Shelf:
    """Two documents, each in a segment of its own. No search has been made yet, so nothing is remembered of either."""

    damaged: Source
    sound: Source

    def damage(self, statement: str | None) -> None:
        if statement is None:
            path = self._file()
            content = bytearray(path.read_bytes())
            content[len(content) // 2] ^= 1
            path.write_bytes(content)
            return
        chunk = Chunk.objects.get(source=self.damaged, seq=0)
        [segment] = [one for one in Segment.objects.all() if chunk.pk in merge.members(one.pk).chunk_ids]
        with connection.cursor() as cursor:
            cursor.execute(statement, {"segment": segment.pk, "source": self.damaged.pk})

    def put_file_back(self) -> None:
        self._file().write_bytes(LAKES.encode())

    def _file(self) -> Path:
        with storage.local_copy(self.damaged.file_key) as path:
            return path


@pytest.fixture
def shelf(settings: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shelf:
    backend = {
        "BACKEND": "django.core.files.storage.FileSystemStorage",
        "OPTIONS": {"location": tmp_path / "files", "allow_overwrite": True},
    }
    settings.STORAGES = {**settings.STORAGES, "default": backend}
    monkeypatch.setattr(merge, "ABSORBED", 0)
    documents = []
    for text in (LAKES, BANKS):
        documents.append(make_document(tmp_path, text, title=text.partition("\n")[0]))
        merge.merge_pending()
    maintain_index_thoroughly()
    assert Segment.objects.count() == 2
    return Shelf(*documents)


def found(query: str, mode: str) -> list[int]:
    """The sources of what `POST /kb/search` finds."""
    response = APIClient().post("/kb/search", {"query": query, "topic_id": 1, "mode": mode}, format="json")
    assert response.status_code == 200, response.content
    return [result["source"]["id"] for result in response.json()["results"]]


def check(*options: str) -> tuple[dict[str, list[dict[str, Any]]], int]:
    """The findings by check, of those that have some, and the exit code; no check breaks off."""
    out, code = io.StringIO(), 0
    try:
        call_command("check_integrity", "--deep", "--json", *options, stdout=out, stderr=io.StringIO())
    except CommandError as error:
        code = error.returncode
    outcomes = json.loads(out.getvalue())["checks"]
    assert [(one["name"], one["error"]) for one in outcomes if one["error"]] == []
    return {one["name"]: one["examples"] for one in outcomes if one["remaining"]}, code


def work_in_the_background() -> None:
    """What beat and the workers do within a minute."""
    for job in Job.objects.in_state(QUEUED):
        run_job(job.pk)
    engine().maintain()
    merge.merge_pending()
    maintain_index_thoroughly()


@pytest.mark.parametrize("kind", DAMAGES, ids=lambda kind: kind.name)
def test_damage_leaves_search_running_is_named_and_is_mended(shelf: Shelf, kind: Damage) -> None:
    shelf.damage(kind.statement)
    findings, code = check()
    assert code == 1
    assert findings[kind.check][0]["object"]

    for mode in ("hybrid", "lexical", "semantic"):
        assert shelf.sound.pk in found("interest on a deposit", mode)
    assert kind.hides or shelf.damaged.pk in found("herons in the reeds", "hybrid")

    check("--repair")
    work_in_the_background()
    if not kind.mended:
        assert check()[1] == 1
        shelf.put_file_back()
    assert check() == ({}, 0)
    for mode in ("hybrid", "lexical", "semantic"):
        assert found("herons in the reeds", mode)[0] == shelf.damaged.pk
        assert found("interest on a deposit", mode)[0] == shelf.sound.pk


def test_the_manual_has_a_row_for_each_damage_with_the_check_that_names_it() -> None:
    document = (PROJECT / "docs" / "operations.md").read_text(encoding="utf-8")
    table = document.split("\n### Damage\n")[1].split("\n## ")[0]
    rows = re.findall(r"^\| ([^|`]+) \| [^|]+ \| `(\w+)`[^|]* \| [^|]+ \|$", table, re.MULTILINE)
    assert dict(rows) == {kind.name: kind.check for kind in DAMAGES}
