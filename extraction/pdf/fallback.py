"""Reads a page with pdfplumber where the spelling shows that PDFium's letters are wrong.

It is ten times slower, and opening the file may take as long as PDFium needs for a hundred pages.
"""

import logging
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
import pdfplumber

from extraction.pdf.glyphs.model import BoundingBox
from extraction.pdf.glyphs.page_glyphs import GlyphLine, PageGlyphs, group_by_height
from extraction.pdf.text.page_text import PageText
from extraction.text.characters import HEBREW

MAX_LOSSES = 12  # readings in a row that were no better, after which no more are tried
MAX_GLYPHS = 30_000  # of one page
MIN_SHARE = 0.9  # of a page's glyphs: a reading with fewer would lose text

logger = logging.getLogger(__name__)
logging.getLogger("pdfminer").setLevel(logging.ERROR)  # it warns of every odd font


class FallbackReader:
    """Opens the file on first use. Gives up after `MAX_LOSSES` readings that did not help."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._stream: BinaryIO | None = None
        self._document: Any = None
        self._losses = 0

    def close(self) -> None:
        # Not the document's own close(): it walks the page tree again, which a damaged file does not survive.
        if self._stream is not None:
            self._stream.close()

    def read(self, index: int) -> list[GlyphLine]:
        """Lines of the page (counted from 0), top to bottom. None of them if it cannot be read."""
        if self._losses >= MAX_LOSSES:
            return []
        try:
            if self._document is None:
                self._stream = self._path.open("rb")
                self._document = pdfplumber.open(self._stream)
            page = self._document.pages[index]
            try:
                return _lines(page)
            finally:
                page.close()
        except Exception as error:
            # pdfminer raises almost anything on broken files. The reading before is kept then.
            logger.info("second reading of page %d failed: %r", index + 1, error)
            if self._document is None:
                self._losses = MAX_LOSSES
            return []

    def report(self, *, helped: bool) -> None:
        """Record whether the last reading was the better one."""
        self._losses = 0 if helped else self._losses + 1


def _lines(page: Any) -> list[GlyphLine]:
    """The lines of a page of pdfplumber's, in the frame of PDFium's glyphs."""
    chars = page.chars
    known = [char for char in chars if char["upright"] and not char["text"].startswith("(cid:")]
    if len(chars) > MAX_GLYPHS or len(known) < MIN_SHARE * len(chars):
        return []
    # Letters of one glyph share its box, and follow one another as a page shows them from left to right.
    letters = [
        (" " if letter.isspace() else letter, char)
        for char in known
        for letter in (reversed(char["text"]) if HEBREW.match(char["text"]) else char["text"])
    ]
    text = PageText("".join(letter for letter, _ in letters)).undisguised()
    frame = BoundingBox(*page.page_obj.mediabox).turned(page.page_obj.rotate // 90)
    x, y = frame.left - page.bbox[0], frame.bottom
    boxes = np.array([(char["x0"] + x, char["y1"] + y, char["x1"] + x, char["y0"] + y) for _, char in letters])
    glyphs = PageGlyphs(
        text.codes,
        text.flags,
        [(0, len(text))],
        boxes_at=lambda places: boxes.reshape(-1, 4)[places],
        font_at=lambda place: letters[place][1]["fontname"].encode(),
    )
    return group_by_height(glyphs, np.arange(len(glyphs.places)))
