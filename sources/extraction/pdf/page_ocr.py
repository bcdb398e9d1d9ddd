"""Renders pages that are images and reads them by OCR, where it is installed."""

from __future__ import annotations

import io
import logging

import pypdfium2 as pdfium

from sources.extraction import ocr
from sources.extraction.document import Origin
from sources.extraction.pdf.glyphs.model import Box, TextLine, level_sizes
from sources.extraction.pdf.page_class import PageClass
from sources.extraction.pdf.page_reader import HEBREW_PAGE, PageReading
from sources.extraction.pdf.text.characters import hebrew_letters, letters

MAX_PIXELS = 25_000_000  # a larger sheet is rendered smaller
POINTS_PER_INCH = 72
NEEDS_MORE = 3  # OCR of a page with few words over an image is kept if it finds this many times more

logger = logging.getLogger(__name__)


class PageRecogniser:
    """Fills in the text of pages whose own text layer says nothing. Where OCR fails, the page stays as it was."""

    def __init__(self, *, allowed: bool) -> None:
        self._allowed = allowed

    def fill(self, reading: PageReading, page: pdfium.PdfPage) -> None:
        unread = reading.page_class in (PageClass.SCAN, PageClass.JUNK)
        if not unread and not reading.mostly_image:
            return
        if not self._allowed or not ocr.available():  # only now, as it starts a program
            return
        try:
            lines = _recognised(page)
        except ocr.OcrFailed as error:
            logger.warning("OCR of page %d failed: %s", reading.number, error)
            return
        found = sum(len(line.text) for line in lines)
        if not unread and found < NEEDS_MORE * sum(len(line.text) for line in reading.lines):
            return
        if not lines:
            reading.page_class = PageClass.EMPTY if reading.page_class is PageClass.SCAN else reading.page_class
            return
        text = " ".join(line.text for line in lines)
        level_sizes(lines)
        reading.lines = lines
        reading.page_class = PageClass.OK
        reading.origin = Origin.OCR
        reading.hebrew = hebrew_letters(text) > HEBREW_PAGE * letters(text)
        reading.box = _upright_box(page)


def _upright_box(page: pdfium.PdfPage) -> Box:
    """The page as it is shown, its own rotation included."""
    width, height = page.get_size()
    return Box(0.0, 0.0, width, height)


def _recognised(page: pdfium.PdfPage) -> list[TextLine]:
    width, height = page.get_size()
    scale = ocr.DPI / POINTS_PER_INCH
    if width * height * scale * scale > MAX_PIXELS:
        scale = (MAX_PIXELS / (width * height)) ** 0.5
    bitmap = page.render(scale=scale, grayscale=True)
    try:
        image = io.BytesIO()
        bitmap.to_pil().save(image, "PPM")
    finally:
        bitmap.close()
    return [_text_line(line, scale, height) for line in ocr.recognise(image.getvalue())]


def _text_line(line: ocr.OcrLine, scale: float, page_height: float) -> TextLine:
    """A line in points from the bottom left. Type size is guessed from the box, the baseline from its lower edge."""
    left = min(word.left for word in line.words) / scale
    right = max(word.right for word in line.words) / scale
    heights = sorted(word.bottom - word.top for word in line.words)
    bottoms = sorted(word.bottom for word in line.words)
    middle = len(line.words) // 2
    return TextLine(
        text=line.text,
        left=left,
        right=right,
        top=page_height - min(word.top for word in line.words) / scale,
        baseline=page_height - bottoms[middle] / scale,
        size=heights[middle] / scale,
    )
