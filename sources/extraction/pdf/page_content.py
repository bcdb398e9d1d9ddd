"""What a page of a PDF holds, as far as it is the same whatever the pages before it hold."""

from __future__ import annotations

import pypdfium2 as pdfium

from sources.extraction.pdf.classify_pages import PageClass, classify, covers_page, is_mostly_image
from sources.extraction.pdf.glyphs import Box, GlyphLine, TextLine
from sources.extraction.pdf.page_text import HEBREW_LETTER, PageText
from sources.extraction.pdf.rulings import Drawing, Grid, drawing, grids
from sources.extraction.pdf.text_layer import TextLayer

MAX_GLYPHS = 100_000  # of one page; beyond that the engine's own order is kept


class PageContent:
    """An open page and what is taken from it, in `STEPS`; `page` is of use until this is closed.

    `box` is level: its top is where the reader sees it. A page that is `page_class` OK has either `finished` lines, in
    the engine's own order, or `lines` of glyphs that are to be finished.
    """

    box: Box
    page_class: PageClass
    mostly_image: bool
    text: PageText
    _layer: TextLayer
    _drawn: Drawing

    def __init__(self, document: pdfium.PdfDocument, index: int, *, right_to_left: bool) -> None:
        """Only open it. `right_to_left`: the file sets PDFium's base direction. Raises whatever PDFium raises."""
        self.tables: list[Grid] = []
        self.has_ocr_layer = False
        self.finished: list[TextLine] | None = None
        self.lines: list[GlyphLine] = []
        self._right_to_left = right_to_left
        self.page = document[index]
        try:
            self._textpage = self.page.get_textpage()
        except BaseException:
            self.page.close()
            raise

    def look(self) -> None:
        """See what there is: text, and what is drawn beside it."""
        self._layer = TextLayer(self._textpage)
        self.box = Box(*self.page.get_bbox()).turned(self._layer.turn)
        self._drawn = drawing(self.page, page_box=self.box, turn=self._layer.turn)

    def take_lines(self) -> None:
        """Take the lines of a page that was looked at."""
        layer, drawn = self._layer, self._drawn
        area = self.box.width * self.box.height
        self.page_class = classify(layer.emitted, drawn)
        self.mostly_image = is_mostly_image(layer.emitted, drawn, area)
        if self.page_class is not PageClass.OK:
            return
        self.text = layer.shown
        self.tables = grids(drawn)
        self.has_ocr_layer = covers_page(drawn, area) and layer.is_invisible()
        plain = not self.text.count(HEBREW_LETTER) and not self._right_to_left and not self.tables
        if plain or len(self.text) > MAX_GLYPHS:
            self.finished = layer.lines_as_emitted()
            return
        self.lines = layer.glyph_lines(right_to_left=self._right_to_left)
        self.has_ocr_layer = self.has_ocr_layer or any(line.mirrored for line in self.lines)

    def close(self) -> None:
        self._textpage.close()
        self.page.close()


STEPS = (PageContent.look, PageContent.take_lines)
