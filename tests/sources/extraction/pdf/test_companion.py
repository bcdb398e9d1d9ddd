"""The second process of a long PDF: it changes when a page is read, and nothing else."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import pypdfium2 as pdfium
import pytest

from sources.extraction import ocr
from sources.extraction.pdf import read_pdf
from sources.extraction.pdf.companion import Companion
from sources.extraction.pdf.fallback import SecondReader
from sources.extraction.pdf.memory import FileMemory, NotingMemory
from sources.extraction.pdf.page_reader import PageReader
from sources.extraction.pdf.pages import PageReading
from sources.extraction.pdf.reader import LONG
from sources.extraction.pdf.scans import PageRecogniser
from tests.sources.extraction.pdf.making import english_pdf, hebrew_pdf, image_pdf

RULE = "{}. A permit holder (or whoever acts for one) shall keep a register, and send it (with its annex) once a year."


@pytest.fixture(scope="module")
def long_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pages = [["The Register", RULE.format(number), str(number)] for number in range(1, LONG + 30)]
    return english_pdf(tmp_path_factory.mktemp("long") / "long.pdf", *pages)


@pytest.fixture
def hebrew_file(tmp_path: Path) -> Path:
    pages = [[f"{number}. בעל היתר (או מי שפועל מטעמו) ינהל מרשם (להלן – המרשם)."] for number in range(1, 9)]
    return hebrew_pdf(tmp_path / "hebrew.pdf", *pages)


def wait_for(found: Callable[[], object]) -> None:
    deadline = time.monotonic() + 20
    while not found():
        assert time.monotonic() < deadline
        time.sleep(0.01)


def all_read(path: Path, scratch: Path, memory: FileMemory, *, pages: int) -> Companion:
    """A companion that has read the whole file."""
    companion = Companion(path, ocr=False)
    companion.start(range(pages), memory, scratch=scratch)
    wait_for(lambda: companion.reading(0, memory))
    return companion


def read_in_order(path: Path) -> list[PageReading]:
    document = pdfium.PdfDocument(path)
    memory = FileMemory(right_to_left=False)
    reader = PageReader(document, second_reader=SecondReader(path), recogniser=PageRecogniser(allowed=False))
    readings = [reader.read(index, memory) for index in range(len(document))]
    document.close()
    return readings


def test_pages_read_from_the_end_are_those_read_in_order(hebrew_file: Path, tmp_path: Path) -> None:
    expected = read_in_order(hebrew_file)
    memory = FileMemory(right_to_left=False)
    with all_read(hebrew_file, tmp_path, memory, pages=len(expected)) as companion:
        readings = []
        for index in range(len(expected)):
            met = companion.reading(index, memory)
            assert met is not None
            reading, memory = met
            readings.append(reading)
    assert readings == expected


def test_a_page_that_would_read_otherwise_after_those_before_it_is_left_to_the_first_process(
    hebrew_file: Path, tmp_path: Path
) -> None:
    memory, contrary = FileMemory(right_to_left=False), FileMemory(right_to_left=False)
    for font, swapped in answers_to_first_page(hebrew_file):
        for _ in range(1_000):
            contrary.vote.count(font, swapped=not swapped)
    with all_read(hebrew_file, tmp_path, memory, pages=8) as companion:
        assert companion.reading(1, contrary) is None
        assert companion.reading(1, memory) is not None


def answers_to_first_page(path: Path) -> list[tuple[bytes, bool]]:
    """The fonts of its brackets, and whether they are swapped."""
    document = pdfium.PdfDocument(path)
    memory = NotingMemory(FileMemory(right_to_left=False))
    PageReader(document, second_reader=SecondReader(path), recogniser=PageRecogniser(allowed=False)).read(0, memory)
    document.close()
    return [(note[2].encode("latin-1"), note[3]) for note in memory.notes if note[0] == "is swapped"]


@pytest.fixture
def failing_ocr(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A Tesseract that knows Hebrew and reads nothing."""
    program = tmp_path / "bin" / "tesseract"
    program.parent.mkdir()
    program.write_text('#!/bin/sh\n[ "$1" = --list-langs ] && echo heb && exit 0\nexit 1\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}:{os.environ['PATH']}")
    ocr.languages.cache_clear()
    yield
    ocr.languages.cache_clear()


@pytest.mark.usefixtures("failing_ocr")
def test_a_page_whose_ocr_fails_is_left_to_the_first_process(tmp_path: Path) -> None:
    before = set(psutil.Process().children())
    memory = FileMemory(right_to_left=False)
    with Companion(image_pdf(tmp_path / "scan.pdf", "A page"), ocr=True) as companion:
        companion.start(range(1), memory, scratch=tmp_path)
        [second] = set(psutil.Process().children()) - before
        wait_for(lambda: second.status() == psutil.STATUS_ZOMBIE)
        assert companion.reading(0, memory) is None


def test_a_long_file_reads_the_same_by_two_processes(long_file: Path, tmp_path: Path) -> None:
    alone = list(read_pdf(long_file, max_pages=1_000))
    assert list(read_pdf(long_file, max_pages=1_000, scratch=tmp_path)) == alone
    assert len(alone) == LONG + 29


def test_the_second_process_is_gone_when_the_file_is_read(long_file: Path, tmp_path: Path) -> None:
    before = set(psutil.Process().children())
    for _ in read_pdf(long_file, max_pages=1_000, scratch=tmp_path):
        pass
    assert set(psutil.Process().children()) == before
    assert not list(tmp_path.iterdir())


def test_a_killed_second_process_costs_no_page(long_file: Path, tmp_path: Path) -> None:
    before = set(psutil.Process().children())
    pages = read_pdf(long_file, max_pages=1_000, scratch=tmp_path)
    found = []
    for page in pages:
        found.append(page)
        for second in set(psutil.Process().children()) - before:
            second.kill()
    assert found == list(read_pdf(long_file, max_pages=1_000))


def test_whoever_wants_no_more_pages_ends_it(long_file: Path, tmp_path: Path) -> None:
    before = set(psutil.Process().children())
    pages = read_pdf(long_file, max_pages=1_000, scratch=tmp_path)
    for _ in range(40):
        next(pages)
    pages.close()  # type: ignore[attr-defined]
    assert set(psutil.Process().children()) == before


def test_without_room_for_its_pages_the_file_is_read_without_it(long_file: Path) -> None:
    pages = list(read_pdf(long_file, max_pages=1_000, scratch=Path("/proc")))
    assert pages == list(read_pdf(long_file, max_pages=1_000))


def test_a_short_file_has_none(tmp_path: Path) -> None:
    path = english_pdf(tmp_path / "short.pdf", *[RULE.format(number) for number in range(1, LONG - 1)])
    before = set(psutil.Process().children())
    for _ in read_pdf(path, max_pages=1_000, scratch=tmp_path):
        assert set(psutil.Process().children()) == before
