"""What a page says when its ActualText is not believed."""

from pathlib import Path

import pypdfium2 as pdfium

from extraction.pdf.glyphs.actual_text import lines_without_actual_text
from extraction.pdf.glyphs.lines import line_text
from extraction.pdf.text.brackets import BracketVote
from tests.extraction.pdf.making import english_pdf

OBJECTS = """%PDF-1.4
1 0 obj <</Type /Catalog /Pages 2 0 R>> endobj
2 0 obj <</Type /Pages /Kids [3 0 R] /Count 1>> endobj
3 0 obj <</Type /Page /Parent 2 0 R /MediaBox [0 0 400 400] /Contents 4 0 R /Resources <</Font <</F 5 0 R>>>>>> endobj
5 0 obj <</Type /Font /Subtype /Type1 /BaseFont /Helvetica>> endobj
4 0 obj <</Length {length}>> stream
{content}
endstream endobj
trailer <</Root 1 0 R>>
"""


def page_with(content: str) -> pdfium.PdfPage:
    return pdfium.PdfDocument(OBJECTS.format(length=len(content), content=content).encode())[0]


def words(page: pdfium.PdfPage) -> list[str]:
    again = lines_without_actual_text(page, right_to_left=False)
    return [line_text(line, BracketVote(), hebrew_page=False)[0] for line in again]


def test_the_glyphs_are_read_instead_of_the_text_put_over_them() -> None:
    page = page_with(
        "BT /F 12 Tf 50 300 Td /Span <</Lang (en) /ActualText (xgqor bqqqt)>> BDC (wrong about) Tj EMC ( it) Tj ET"
    )
    textpage = page.get_textpage()
    assert "xgqor" in textpage.get_text_range()
    assert words(page) == ["wrong about it"]


def test_a_page_without_actual_text_is_not_read_again() -> None:
    assert words(page_with("BT /F 12 Tf 50 300 Td /Span <</Lang (en)>> BDC (as it is) Tj EMC ET")) == []


def test_a_space_the_engine_made_of_a_gap_is_not_believed() -> None:
    page = page_with(
        "BT /F 12 Tf 50 300 Td /Span <</ActualText (a)>> BDC (b) Tj EMC ET BT /F 12 Tf 70 300 Td (c d) Tj ET"
    )
    textpage = page.get_textpage()
    assert textpage.get_text_range() == "a c d"
    [line] = lines_without_actual_text(page, right_to_left=False)
    assert line.page.places.tolist() == [0, 1, 3]
    assert line.page.spaces.tolist() == [False, False, True, False]


def test_a_page_of_an_ordinary_file_has_none(tmp_path: Path) -> None:
    page = pdfium.PdfDocument(english_pdf(tmp_path / "plain.pdf", "The keeper keeps a register."))[0]
    assert words(page) == []
