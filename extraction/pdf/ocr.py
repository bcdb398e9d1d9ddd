"""Which pages need OCR, and reading those, also such as lie on their side or their head. Runs in a reader's process."""

import io
import json
import logging
import time
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path

import pypdfium2 as pdfium
from PIL import Image

from extraction.document import TextOrigin
from extraction.pdf.glyphs.model import BoundingBox, TextLine, level_sizes
from extraction.pdf.glyphs.text_layer import TextLayer
from extraction.pdf.layout.placing import is_under, with_lines
from extraction.pdf.layout.rulings import drawing
from extraction.pdf.opening import open_pdf
from extraction.pdf.page_content import UNREAD, PageClass, classify, unread_images
from extraction.pdf.page_reader import HEBREW_PAGE, PageReading, turn_if_backwards
from extraction.pdf.tesseract import DPI, OcrFailed, OcrLine, available, quarters_to_turn, recognise
from extraction.text.characters import hebrew_letters, letters

MAX_PIXELS = 25_000_000  # a larger sheet is rendered smaller
POINTS_PER_INCH = 72
MIN_MORE = 15  # characters that an image under text must say more than the text
DOUBTFUL_PAGE = 60.0  # confidence in the middle word. Upright print has more than 80, a page on its side less than 40

_TURNED = {1: Image.Transpose.ROTATE_270, 2: Image.Transpose.ROTATE_180, 3: Image.Transpose.ROTATE_90}  # by quarters

logger = logging.getLogger(__name__)


def read_by_ocr(reading: PageReading, page: pdfium.PdfPage) -> None:
    """Fill in the text of a page whose own text layer says nothing, or not what an image says.

    Where OCR fails, the page stays as it was.
    """
    unread = reading.page_class in (PageClass.SCAN, PageClass.JUNK)
    if not unread and not reading.mostly_image:
        return
    if not available():  # asked only now, as it starts a program
        return
    try:
        lines, width, height = _recognised(page, turned=unread)
    except OcrFailed as error:
        logger.warning("OCR of page %d failed: %s", reading.number, error)
        return
    reading.has_picture = False
    level_sizes(lines)
    box = BoundingBox(0.0, 0.0, width, height)  # as the page is shown, its own rotation included
    if not unread:
        further = _beside(reading, lines, box)
        if sum(len(line.text) for line in further) < MIN_MORE:
            reading.mostly_image = False  # the image says nothing more
            return
        if _fits(reading.box, box):
            lines, box = with_lines(further, reversed(reading.lines)), reading.box
    if not lines:
        reading.page_class = PageClass.EMPTY if reading.page_class is PageClass.SCAN else reading.page_class
        return
    text = " ".join(line.text for line in lines)
    reading.lines = lines
    reading.page_class = PageClass.OK
    reading.origin = TextOrigin.OCR
    reading.hebrew = hebrew_letters(text) > HEBREW_PAGE * letters(text)
    turn_if_backwards(reading)
    reading.box = box


def _beside(reading: PageReading, found: list[TextLine], shown: BoundingBox) -> list[TextLine]:
    """The lines that OCR found where the text layer has none, in the frame of the text layer."""
    if not _fits(reading.box, shown):
        return found
    for line in found:
        line.left, line.right = line.left + reading.box.left, line.right + reading.box.left
        line.top, line.baseline = line.top + reading.box.bottom, line.baseline + reading.box.bottom
    return [line for line in found if not any(is_under(line, other) for other in reading.lines)]


def _fits(box: BoundingBox, shown: BoundingBox) -> bool:
    """Whether a page is shown as its text lies."""
    return abs(box.width - shown.width) < 1 and abs(box.height - shown.height) < 1


def _recognised(page: pdfium.PdfPage, *, turned: bool) -> tuple[list[TextLine], float, float]:
    """The lines, and the page's width and height. A page that lies on its side or its head is `turned` to be read."""
    width, height = page.get_size()
    scale = DPI / POINTS_PER_INCH
    if width * height * scale * scale > MAX_PIXELS:
        scale = (MAX_PIXELS / (width * height)) ** 0.5
    bitmap = page.render(scale=scale, grayscale=True)
    try:
        picture = bitmap.to_pil().copy()
    finally:
        bitmap.close()
    lines = recognise(_stored(picture))
    if turned and _is_doubtful(lines) and (quarters := quarters_to_turn(_stored(picture))):
        lines = recognise(_stored(picture.transpose(_TURNED[quarters])))
        width, height = (height, width) if quarters % 2 else (width, height)
    return [_text_line(line, scale, height) for line in lines], width, height


def _stored(picture: Image.Image) -> bytes:
    stored = io.BytesIO()
    picture.save(stored, "PPM")
    return stored.getvalue()


def _is_doubtful(lines: Iterable[OcrLine]) -> bool:
    """Whether most words are hardly believed."""
    found = sorted(word.confidence for line in lines for word in line.words)
    return bool(found) and found[len(found) // 2] < DOUBTFUL_PAGE


def _text_line(line: OcrLine, scale: float, page_height: float) -> TextLine:
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


def survey(path: str | Path, target: str | Path, *, seconds: float, ocr: bool = True) -> int:
    """Write `{"pages", "looked_at", "unread"}` as JSON to `target`. Returns the number of pages.

    `unread` are the numbers of pages whose text is in an image or cannot be decoded, unless OCR is there to read them,
    and of damaged pages. After `seconds` no further page is looked at. Raises ExtractionFailed as `open_pdf`.
    """
    document = open_pdf(path)
    pages, looked_at, unread = len(document), 0, []
    ends = time.monotonic() + seconds
    while looked_at < pages and time.monotonic() < ends:
        looked_at += 1
        if _is_unread(document, looked_at - 1, ocr=ocr):
            unread.append(looked_at)
    found = {"pages": pages, "looked_at": looked_at, "unread": unread}
    Path(target).write_text(json.dumps(found), encoding="utf-8")
    return pages


def _is_unread(document: pdfium.PdfDocument, index: int, *, ocr: bool) -> bool:
    try:
        with closing(document[index]) as page, closing(page.get_textpage()) as textpage:
            layer = TextLayer(textpage)
            box = BoundingBox(*page.get_bbox()).turned(layer.turn)
            drawn = drawing(page, page_box=box, turn=layer.turn)
            unread = classify(layer.emitted, drawn) in UNREAD or unread_images(page, layer, drawn, box)[0]
            return unread and not (ocr and available())
    except Exception as error:  # a damaged page must not cost the others
        logger.info("page %d could not be looked at: %r", index + 1, error)
        return True
