"""The reading of a page by pdfplumber: what it gives, and when it is left."""

import tracemalloc
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest

from extraction.pdf.fallback import MAX_GLYPHS, MAX_LOSSES, FallbackReader
from tests.extraction.pdf.making import misread_pdf

LINE = "מנהל הרישום ישמור את המסמכים"


@pytest.fixture
def reader(tmp_path: Path) -> Iterator[FallbackReader]:
    """Its file is not there yet."""
    with closing(FallbackReader(tmp_path / "a.pdf")) as reader:
        yield reader


def letters(reader: FallbackReader) -> list[str]:
    return ["".join(chr(code) for code in line.page.codes[line.members]) for line in reader.read(0)]


def test_lines_come_from_the_top_with_their_glyphs(reader: FallbackReader, tmp_path: Path) -> None:
    misread_pdf(tmp_path / "a.pdf", [(50, 600, "שנים"), (50, 700, LINE)])
    assert [sorted(line) for line in letters(reader)] == [sorted(LINE.replace(" ", "")), sorted("שנים")]


def test_letters_of_one_glyph_stand_as_a_page_shows_them(reader: FallbackReader, tmp_path: Path) -> None:
    path = misread_pdf(tmp_path / "a.pdf", [(50, 700, "@")])
    ligature = "1 beginbfchar <40> <05D005DC> endbfchar"
    path.write_text(path.read_text().replace("begincmap", f"begincmap {ligature}").replace("<20> <40>", "<20> <3F>"))
    assert letters(reader) == ["לא"]


def test_it_is_left_after_readings_that_did_not_help(reader: FallbackReader, tmp_path: Path) -> None:
    misread_pdf(tmp_path / "a.pdf", [(50, 700, LINE)])
    for _ in range(MAX_LOSSES - 1):
        reader.report(helped=False)
    assert letters(reader)
    reader.report(helped=True)
    for _ in range(MAX_LOSSES):
        assert letters(reader)
        reader.report(helped=False)
    assert not letters(reader)


def test_a_file_that_cannot_be_opened_is_not_tried_again(reader: FallbackReader, tmp_path: Path) -> None:
    assert not letters(reader)
    misread_pdf(tmp_path / "a.pdf", [(50, 700, LINE)])
    assert not letters(reader)


def test_a_damaged_page_gives_nothing(reader: FallbackReader, tmp_path: Path) -> None:
    path = misread_pdf(tmp_path / "a.pdf", [(50, 700, LINE)])
    path.write_text(path.read_text().replace("/MediaBox", "/Nothing"))
    assert not letters(reader)


def test_a_page_with_too_many_glyphs_is_left(reader: FallbackReader, tmp_path: Path) -> None:
    path = misread_pdf(tmp_path / "a.pdf", [(50, 700, LINE)])
    path.write_text(path.read_text().replace("BT ", f"BT /F 1 Tf ({'A' * MAX_GLYPHS}) Tj "))
    assert not letters(reader)


def test_a_page_is_left_if_many_glyphs_have_no_letters(reader: FallbackReader, tmp_path: Path) -> None:
    path = misread_pdf(tmp_path / "a.pdf", [(50, 700, LINE)])
    font = "<</Subtype /Type0 /Encoding /Identity-H /DescendantFonts [<</Subtype /CIDFontType2 /BaseFont /X>>]>>"
    content = path.read_text().replace("/F 3 0 R", f"/F 3 0 R /G {font}")
    path.write_text(content.replace("BT ", "BT /G 1 Tf (abababababab) Tj "))
    assert not letters(reader)


def test_pages_that_were_read_are_not_kept(reader: FallbackReader, tmp_path: Path) -> None:
    misread_pdf(tmp_path / "a.pdf", *[[(50, 20 * number, LINE) for number in range(10)]] * 4)
    reader.read(0)
    tracemalloc.start()
    try:
        for index in (1, 2, 3):
            reader.read(index)
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept < 300_000, kept
