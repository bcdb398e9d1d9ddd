"""What a page of a PDF holds, as far as it is the same whatever the pages before it hold."""

from __future__ import annotations

import pypdfium2 as pdfium

from sources.extraction.pdf.classify_pages import PageClass, classify, covers_page, is_mostly_image
from sources.extraction.pdf.glyphs import Box, GlyphLine, TextLine
from sources.extraction.pdf.page_text import HEBREW_LETTER, PageText
from sources.extraction.pdf.rulings import Grid, drawing, grids
from sources.extraction.pdf.text_layer import TextLayer

MAX_GLYPHS = 100_000  # of one page; beyond that the engine's own order is kept


class PageContent:
    """An open page and what was taken from it; `page` is of use until this is closed.

    `box` is level: its top is where the reader sees it. A page that is `page_class` OK has either `finished` lines, in
    the engine's own order, or `lines` of glyphs that are to be finished.
    """

    text: PageText

    def __init__(self, document: pdfium.PdfDocument, index: int, *, right_to_left: bool) -> None:
        """`right_to_left`: the file sets PDFium's base direction. Raises whatever PDFium raises."""
        self.tables: list[Grid] = []
        self.has_ocr_layer = False
        self.finished: list[TextLine] | None = None
        self.lines: list[GlyphLine] = []
        self.page = document[index]
        try:
            textpage = self.page.get_textpage()
            try:
                self._take(TextLayer(textpage), right_to_left=right_to_left)
            finally:
                textpage.close()
        except BaseException:
            self.page.close()
            raise

    def _take(self, layer: TextLayer, *, right_to_left: bool) -> None:
        box = self.box = Box(*self.page.get_bbox()).turned(layer.turn)
        drawn = drawing(self.page, page_box=box, turn=layer.turn)
        area = box.width * box.height
        self.page_class = classify(layer.emitted, drawn)
        self.mostly_image = is_mostly_image(layer.emitted, drawn, area)
        if self.page_class is not PageClass.OK:
            return
        self.text = layer.shown
        self.tables = grids(drawn)
        self.has_ocr_layer = covers_page(drawn, area) and layer.is_invisible()
        plain = not self.text.count(HEBREW_LETTER) and not right_to_left and not self.tables
        if plain or len(self.text) > MAX_GLYPHS:
            self.finished = layer.lines_as_emitted()
            return
        self.lines = layer.glyph_lines(right_to_left=right_to_left)
        self.has_ocr_layer = self.has_ocr_layer or any(line.mirrored for line in self.lines)

    def close(self) -> None:
        self.page.close()
