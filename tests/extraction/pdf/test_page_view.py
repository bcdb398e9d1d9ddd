"""Boxes of quoted words: the right ones, in the right place of the picture."""

import json
from pathlib import Path

import pypdfium2 as pdfium
import pytest

from extraction.document import ExtractionFailed
from extraction.isolation import mark_quotes
from extraction.pdf.glyphs.model import TextLine
from extraction.pdf.page_view import find_quote
from tests.extraction.pdf.making import misread_pdf

LAW = Path(__file__).resolve().parents[3] / "ingest" / "demo" / "hok-pikdonot-skhirut.pdf"


def line(text: str) -> TextLine:
    return TextLine(text=text, left=0, right=100, top=10, baseline=2, size=8)


def marks_of(path: Path, directory: Path, **quotes: tuple[int, str]) -> dict[str, list[list[float]]]:
    mark_quotes(path, directory / "marks.json", quotes=quotes)
    return dict(json.loads((directory / "marks.json").read_text(encoding="utf-8"))["marks"])


def words_at(path: Path, number: int, box: list[float]) -> str:
    """What PDFium itself finds in that part of the picture."""
    page = pdfium.PdfDocument(path)[number - 1]
    width, height = page.get_size()
    left, top, right, bottom = box
    text = page.get_textpage().get_text_bounded(
        left=left * width - 1, right=right * width + 1, top=(1 - top) * height, bottom=(1 - bottom) * height
    )
    return " ".join(text.split())


def test_a_few_words_of_a_hebrew_line_are_marked_and_no_more(tmp_path: Path) -> None:
    (box,) = marks_of(LAW, tmp_path, title=(1, "נועד להבטיח כי"))["title"]
    assert words_at(LAW, 1, box) == "נועד להבטיח כי"


def test_quotes_longer_than_a_request_are_looked_for_too(tmp_path: Path) -> None:
    absent = {f"absent {number}": (1, "מילים שאינן כאן " * 100) for number in range(100)}
    found = marks_of(LAW, tmp_path, title=(1, "נועד להבטיח כי"), **absent)
    assert [name for name, boxes in found.items() if boxes] == ["title"]
    assert len(found) == 101
    assert [path.name for path in tmp_path.iterdir()] == ["marks.json"]


def test_a_quote_over_two_lines_gets_a_box_on_each(tmp_path: Path) -> None:
    boxes = marks_of(LAW, tmp_path, summary=(1, "יישמרו בנפרד מנכסי המשכיר, יבוטחו ויושבו לשוכר"))["summary"]
    assert len(boxes) == 2
    assert boxes[0][3] <= boxes[1][3]


def test_missing_words_and_missing_pages_get_no_box(tmp_path: Path) -> None:
    found = marks_of(LAW, tmp_path, title=(1, "אין כאן מילים כאלה"), kind=(99, "חוק"))
    assert found == {"title": [], "kind": []}


@pytest.mark.parametrize("rotation", [90, 180, 270])
def test_marks_follow_a_page_that_is_turned(tmp_path: Path, rotation: int) -> None:
    document = pdfium.PdfDocument(LAW)
    document[0].set_rotation(rotation)
    document.save(tmp_path / "turned.pdf")
    quote = (1, "נועד להבטיח כי")
    (upright,) = marks_of(LAW, tmp_path, title=quote)["title"]
    (turned,) = marks_of(tmp_path / "turned.pdf", tmp_path, title=quote)["title"]
    left, top, right, bottom = upright
    expected = {
        90: [1 - bottom, left, 1 - top, right],
        180: [1 - right, 1 - bottom, 1 - left, 1 - top],
        270: [top, 1 - right, bottom, 1 - left],
    }[rotation]
    assert turned == pytest.approx(expected, abs=0.01)


def test_words_are_marked_on_a_page_whose_letters_pdfium_gets_wrong(tmp_path: Path) -> None:
    path = misread_pdf(tmp_path / "a.pdf", [(50, 700, "מנהל הרישום ישמור את המסמכים")])
    (box,) = marks_of(path, tmp_path, title=(1, "ישמור את"))["title"]
    left, top, _, bottom = box
    assert left == pytest.approx(50 / 600, abs=0.01)
    assert top < 1 - 700 / 800 < bottom


def test_a_damaged_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "broken.pdf").write_bytes(b"%PDF-1.7 nothing")
    with pytest.raises(ExtractionFailed) as failure:
        marks_of(tmp_path / "broken.pdf", tmp_path, title=(1, "x"))
    assert failure.value.code == "corrupt"


def test_signs_spaces_and_broken_words_do_not_matter() -> None:
    stretches = find_quote(
        "the borrowed book, returned", [line("Section 2. The"), line("the bor-"), line("rowed book")]
    )
    assert stretches == []
    stretches = find_quote("the borrowed “book”", [line("Section 2."), line("the bor-"), line("rowed book is")])
    assert [(one.line.text, one.start, one.end) for one in stretches] == [("the bor-", 0, 6), ("rowed book is", 0, 9)]
