"""The content of one page, independent of other pages."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field

import pypdfium2 as pdfium

from sources.extraction.pdf.glyphs.model import Box, TextLine
from sources.extraction.pdf.glyphs.page_glyphs import GlyphLine
from sources.extraction.pdf.glyphs.text_layer import TextLayer
from sources.extraction.pdf.layout.rulings import Grid, drawing, grids
from sources.extraction.pdf.page_class import PageClass, classify, covers_page, is_mostly_image
from sources.extraction.pdf.text.page_text import HEBREW_LETTER, PageText

MAX_GLYPHS = 100_000  # of one page. Beyond that the engine's own order is kept.


@dataclass(slots=True, kw_only=True)
class PageContent:
    """An open page and what is on it.

    `box` is level: its top is where the reader sees it. `right_to_left`: the file sets PDFium's base direction.
    A page of class OK has `finished` lines, in the engine's own order, or else `lines` of glyphs.
    """

    page: pdfium.PdfPage
    right_to_left: bool
    box: Box
    page_class: PageClass
    mostly_image: bool
    text: PageText
    tables: list[Grid] = field(default_factory=list)
    has_ocr_layer: bool = False
    finished: list[TextLine] | None = None
    lines: list[GlyphLine] = field(default_factory=list)


@contextmanager
def open_page(document: pdfium.PdfDocument, index: int, *, right_to_left: bool) -> Iterator[PageContent]:
    """Open a page, counted from 0. Raises whatever PDFium raises."""
    with closing(document[index]) as page, closing(page.get_textpage()) as textpage:
        yield _content(page, TextLayer(textpage), right_to_left=right_to_left)


def _content(page: pdfium.PdfPage, layer: TextLayer, *, right_to_left: bool) -> PageContent:
    box = Box(*page.get_bbox()).turned(layer.turn)
    area = box.width * box.height
    drawn = drawing(page, page_box=box, turn=layer.turn)
    content = PageContent(
        page=page,
        right_to_left=right_to_left,
        box=box,
        page_class=classify(layer.emitted, drawn),
        mostly_image=is_mostly_image(layer.emitted, drawn, area),
        text=layer.shown,
    )
    if content.page_class is not PageClass.OK:
        return content
    content.tables = grids(drawn)
    content.has_ocr_layer = covers_page(drawn, area) and layer.is_invisible()
    plain = not content.text.count(HEBREW_LETTER) and not right_to_left and not content.tables
    if plain or len(content.text) > MAX_GLYPHS:
        content.finished = layer.lines_as_emitted()
        return content
    content.lines = layer.glyph_lines(right_to_left=right_to_left)
    content.has_ocr_layer = content.has_ocr_layer or any(line.mirrored for line in content.lines)
    return content
