"""Reads a page with pdfplumber where the spelling shows that PDFium's letters are wrong.

It is ten times slower, and opening the file may take as long as PDFium needs for a hundred pages.
"""

from __future__ import annotations

import logging
from pathlib import Path
from types import TracebackType
from typing import Any, BinaryIO

import pdfplumber

from sources.extraction.pdf.glyphs.model import Glyph, GlyphLine, group_by_height
from sources.extraction.pdf.text.characters import KIND, MIRROR, plain_letter

MAX_LOSSES = 12  # readings in a row that were no better, after which no more are tried
MAX_GLYPHS = 30_000  # of one page

logger = logging.getLogger(__name__)
logging.getLogger("pdfminer").setLevel(logging.ERROR)  # it warns of every odd font


class FallbackReader:
    """Opens the file on first use. Gives up after `MAX_LOSSES` readings that did not help."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._stream: BinaryIO | None = None
        self._document: Any = None
        self._losses = 0

    def __enter__(self) -> FallbackReader:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        # Not the document's own close(): it walks the page tree again, which a damaged file does not survive.
        if self._stream is not None:
            self._stream.close()

    def read(self, page_index: int) -> tuple[list[GlyphLine], str] | None:
        """Lines of the page, top to bottom, and its text as stored. None if the page cannot be read."""
        if self._losses >= MAX_LOSSES:
            return None
        try:
            if self._document is None:
                self._stream = self._path.open("rb")
                self._document = pdfplumber.open(self._stream)
            page = self._document.pages[page_index]
            try:
                glyphs, emitted = _glyphs(page.chars, float(page.bbox[3]))
                return group_by_height(glyphs), emitted
            finally:
                page.close()
        except Exception as error:
            # pdfminer raises almost anything on broken files. The first reading is kept then.
            logger.info("second reading of page %d failed: %r", page_index + 1, error)
            self._losses = MAX_LOSSES if self._document is None else self._losses + 1
            return None

    def report(self, *, helped: bool) -> None:
        """Record whether the last reading was the better one."""
        self._losses = 0 if helped else self._losses + 1


def _glyphs(chars: list[dict[str, Any]], page_top: float) -> tuple[list[Glyph], str]:
    chars = chars[:MAX_GLYPHS]
    glyphs = []
    for place, char in enumerate(chars):
        text = char["text"]
        if not text.strip() or text.startswith("(cid:") or not char.get("upright", True):
            continue
        text = plain_letter(text) if len(text) == 1 else text
        glyphs.append(
            Glyph(
                left=char["x0"],
                right=char["x1"],
                bottom=page_top - char["bottom"],
                top=page_top - char["top"],
                char=text,
                kind=KIND[text[0]],
                place=place,
                font=char["fontname"] if text in MIRROR else None,
            )
        )
    return glyphs, "".join(char["text"][:1] or " " for char in chars)
