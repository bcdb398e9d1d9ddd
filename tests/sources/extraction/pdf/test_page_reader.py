"""Pages are opened ahead of their turn; that changes nothing of what is read."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pypdfium2 as pdfium
import pytest

from sources.extraction.pdf import page_reader
from sources.extraction.pdf.fallback import SecondReader
from sources.extraction.pdf.memory import FileMemory
from sources.extraction.pdf.page_content import PageContent
from sources.extraction.pdf.page_reader import AHEAD, PageReader
from sources.extraction.pdf.scans import PageRecogniser
from tests.sources.extraction.pdf.making import english_pdf

PAGES = 40
DAMAGED = 9


@pytest.fixture
def document(tmp_path: Path) -> Iterator[pdfium.PdfDocument]:
    path = english_pdf(tmp_path / "file.pdf", *(f"This is page {number} of the file." for number in range(PAGES)))
    opened = pdfium.PdfDocument(path)
    yield opened
    opened.close()


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The pages that were opened, in order; those that are closed again are gone."""
    numbers: list[int] = []

    class Watched(PageContent):
        def __init__(self, document: pdfium.PdfDocument, index: int, **options: Any) -> None:
            super().__init__(document, index, **options)
            self.index = index
            numbers.append(index)

        def close(self) -> None:
            super().close()
            numbers.remove(self.index)

    monkeypatch.setattr(page_reader, "PageContent", Watched)
    return numbers


def reader_of(document: pdfium.PdfDocument, *, step: int = 1) -> PageReader:
    second_reader = SecondReader(Path("nowhere.pdf"))
    return PageReader(document, second_reader=second_reader, recogniser=PageRecogniser(allowed=False), step=step)


def text_of(reader: PageReader, index: int) -> str:
    return " ".join(line.text for line in reader.read(index, FileMemory(right_to_left=False)).lines)


@pytest.mark.parametrize("step", [1, -1])
def test_more_and_more_pages_are_opened_at_once(document: pdfium.PdfDocument, opened: list[int], step: int) -> None:
    order = range(PAGES)[::step]
    ahead = []
    with closing(reader_of(document, step=step)) as reader:
        for index in order:
            assert f"page {index} of" in text_of(reader, index)
            ahead.append(len(opened))
    assert ahead[:15] == [0, 1, 0, 3, 2, 1, 0, 7, 6, 5, 4, 3, 2, 1, 0]
    assert max(ahead) == AHEAD - 1
    assert opened == []


def test_pages_opened_ahead_are_closed_when_no_more_are_read(document: pdfium.PdfDocument, opened: list[int]) -> None:
    with closing(reader_of(document)) as reader:
        for index in range(8):
            text_of(reader, index)
        assert opened == list(range(8, 15))
        assert "page 30 of" in text_of(reader, 30)
        assert opened == list(range(31, PAGES))
    assert opened == []


@pytest.mark.parametrize("limit", ["AHEAD_KB", "AHEAD_S"])
def test_pages_that_take_much_are_opened_one_by_one(
    document: pdfium.PdfDocument, opened: list[int], limit: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(page_reader, limit, -1)
    with closing(reader_of(document)) as reader:
        for index in range(PAGES):
            assert f"page {index} of" in text_of(reader, index)
            assert opened == []


@pytest.mark.parametrize("damaged_at", ["__init__", "look", "take_lines"])
def test_a_page_that_fails_costs_no_other(
    document: pdfium.PdfDocument, opened: list[int], damaged_at: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    step = getattr(PageContent, damaged_at)

    def fails(content: PageContent, *place: Any, **options: Any) -> None:
        index = place[1] if place else content.index
        if index == DAMAGED:
            raise pdfium.PdfiumError("damaged")
        step(content, *place, **options)

    monkeypatch.setattr(PageContent, damaged_at, fails)
    monkeypatch.setattr(page_reader, "STEPS", [fails if one is step else one for one in page_reader.STEPS])
    with closing(reader_of(document)) as reader:
        for index in range(PAGES):
            if index == DAMAGED:
                with pytest.raises(pdfium.PdfiumError):
                    text_of(reader, index)
                assert opened == []
            else:
                assert f"page {index} of" in text_of(reader, index)


def test_a_page_that_wants_the_memory_of_those_after_it_is_read_alone(
    document: pdfium.PdfDocument, opened: list[int], monkeypatch: pytest.MonkeyPatch
) -> None:
    alone = []

    def wants_all(content: PageContent) -> None:
        if len(opened) > 1:
            raise MemoryError
        alone.append(content)
        PageContent.look(content)

    monkeypatch.setattr(page_reader, "STEPS", (wants_all, PageContent.take_lines))
    with closing(reader_of(document)) as reader:
        assert [f"page {index} of" in text_of(reader, index) for index in range(6)] == 6 * [True]
    assert len(alone) == 6
