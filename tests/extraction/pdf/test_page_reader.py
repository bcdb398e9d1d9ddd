"""What the reading of a page takes from the pages before it."""

from collections.abc import Iterator
from pathlib import Path

import pypdfium2 as pdfium
import pytest

from extraction.document import TextOrigin
from extraction.pdf.fallback import FallbackReader
from extraction.pdf.glyphs.lines import put_together
from extraction.pdf.glyphs.model import BoundingBox
from extraction.pdf.page_content import PageClass, PageContent
from extraction.pdf.page_reader import PageReader, PageReading
from extraction.pdf.text.page_text import PageText
from tests.extraction.pdf.making import drawn, page_of

LONE_BRACKET = "ב( ףיעס"
SWAPPED_PAIR = ")א( ףיעס"
LITTLE_HEBREW = "אבגדהוזחטיכלמנס" + 85 * "a"


class Pages:
    """Reads made-up pages of one document."""

    def __init__(self, page: pdfium.PdfPage) -> None:
        self._page = page
        self._reader = PageReader(FallbackReader(Path("nowhere.pdf")))

    def read(self, *lines: str, text: str = "") -> PageReading:
        """`lines` as they stand from left to right; `text` is what the page's language is told by."""
        content = PageContent(
            page=self._page,
            right_to_left=False,
            box=BoundingBox(0, 0, 595, 842),
            page_class=PageClass.OK,
            mostly_image=False,
            text=PageText(text or "".join(lines)),
        )
        if lines:
            content.lines = page_of(*(drawn(line, bottom=700 - 20 * number) for number, line in enumerate(lines)))
            put_together(content.lines)
        return self._reader.read(content, number=1)


@pytest.fixture
def pages() -> Iterator[Pages]:
    document = pdfium.PdfDocument.new()
    yield Pages(document.new_page(595, 842))
    document.close()


def test_hebrew_that_was_drawn_from_left_to_right_is_turned(pages: Pages) -> None:
    lines = ("החלטת ועדת המעגנים", "בעניין סירת הדייגים (ערר 700)", "Quay 5", "חויבו בסך שקלים")
    reading = pages.read(*lines)
    assert tuple(line.text for line in reading.lines) == lines
    assert reading.origin is TextOrigin.REPAIRED
    as_it_should_be = pages.read(*(line if line.isascii() else line[::-1] for line in lines))
    assert as_it_should_be.lines[0].text == lines[0]
    assert as_it_should_be.origin is TextOrigin.TEXT


def test_a_lone_bracket_faces_as_its_font_stores_it(pages: Pages) -> None:
    assert pages.read(LONE_BRACKET).lines[0].text == "סעיף )ב"


def test_a_bracket_is_turned_by_what_an_earlier_page_showed(pages: Pages) -> None:
    pages.read(SWAPPED_PAIR)
    assert pages.read(LONE_BRACKET).lines[0].text == "סעיף (ב"


def test_page_with_little_hebrew_is_hebrew_in_hebrew_file_alone(pages: Pages) -> None:
    assert not pages.read(text=LITTLE_HEBREW).hebrew
    assert pages.read(text=500 * "א").hebrew
    assert pages.read(text=LITTLE_HEBREW).hebrew
    assert not pages.read(text=100 * "a").hebrew
