"""Reading and indexing go side by side: what that looks like, and what is left when the reader dies amid them."""

from collections.abc import Callable
from pathlib import Path

import pytest

from extraction.document import ExtractionFailed
from ingest.jobs import claims
from ingest.models import Job
from ingest.stages.publish import embed
from sources.models import Chunk, Source
from tests.extraction.isolation.processes import readers
from tests.factories import upload_text

pytestmark = pytest.mark.django_db(transaction=True)

SENTENCE = "Whoever moors a boat at the pier pays the harbour master the fee of the season before the tide turns. " * 3


class Watched(claims.Heartbeat):
    """A heartbeat that keeps what it was told, and calls `told` at each."""

    def __init__(self, job: Job, told: Callable[[str, int], object] = lambda stage, done: None) -> None:
        super().__init__(job)
        self.stages: list[str] = []
        self._told = told

    def progress(self, stage: str, done: int) -> None:
        super().progress(stage, done)
        self.stages.append(stage)
        self._told(stage, done)


def taken(tmp_path: Path, *, lines: int) -> Job:
    text = "\n".join(f"{SENTENCE}{number}" for number in range(lines))
    job = claims.claim(upload_text(tmp_path, text, filename="fees.txt").pk)
    assert job is not None
    return job


def test_a_file_is_read_and_then_indexed_with_progress(tmp_path: Path) -> None:
    job = taken(tmp_path, lines=2_000)
    with Watched(job) as heartbeat:
        embed(job, heartbeat)
    assert heartbeat.stages.count("reading") > 3
    assert heartbeat.stages.count("indexing") > 3
    assert Chunk.objects.count() == Source.objects.get().chunk_count > 300


def test_a_reader_that_dies_amid_the_reading_leaves_nothing(tmp_path: Path) -> None:
    job = taken(tmp_path, lines=60_000)

    def kill_behind_the_second_page(stage: str, done: int) -> None:
        if (stage, done) == ("reading", 2):
            for reader in readers():
                reader.kill()

    with Watched(job, kill_behind_the_second_page) as heartbeat, pytest.raises(ExtractionFailed) as caught:
        embed(job, heartbeat)
    assert caught.value.code == "extraction_crashed"
    assert "reading" in heartbeat.stages
    assert not Source.objects.exists()
    assert not Chunk.objects.exists()


def test_a_judgment_without_a_title_is_called_by_its_parties_and_its_number(tmp_path: Path) -> None:
    text = "IN THE HARBOUR TRIBUNAL\n[2024] NZHT 7\nBuoy Ltd v Anchor Ltd (Costs) [2024] NZHT 7\n[1] Buoy claims."
    job = claims.claim(upload_text(tmp_path, text, filename="7.txt", kind="caselaw").pk)
    assert job is not None
    with Watched(job) as heartbeat:
        embed(job, heartbeat)
    source = Source.objects.get()
    assert (source.title, source.identifier) == ("Buoy Ltd v Anchor Ltd (Costs)", "[2024] NZHT 7")
