"""The pages of a PDF as pictures, and where quoted words are in them. Runs in a reader's process.

PDFium is not thread-safe.
"""

import json
import logging
import unicodedata
from collections import Counter
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import pypdfium2 as pdfium
from PIL import Image, ImageChops

from extraction.document import ExtractionFailed
from extraction.pdf.fallback import FallbackReader
from extraction.pdf.glyphs.model import BoundingBox, TextLine
from extraction.pdf.glyphs.text_layer import TextLayer
from extraction.pdf.opening import open_pdf
from extraction.pdf.page_content import open_page
from extraction.pdf.page_reader import PageReader

WIDTH = 1200  # pixels: small print can still be read, and a page is drawn and packed in a tenth of a second
TALLEST = 3  # widths
RUN_LENGTHS = {"compress_level": 1, "compress_type": 3}  # zlib's Z_RLE: for scans faster and smaller than its default
SHADES = [round(value / 17) * 17 for value in range(256)]  # sixteen greys: half the bytes of a scan
MAX_SIZES = 5_000
PAPER, MAX_SIDE = (595.0, 842.0), 1e6  # points
DESCENT = 0.25  # of the type size: how far letters reach below their baseline

logger = logging.getLogger(__name__)
Image.preinit()  # otherwise each forked process would do it at its first save

Mark = tuple[float, float, float, float]
"""Left, top, right, bottom, as shares of the picture's width and height."""


@dataclass(frozen=True, slots=True)
class _Stretch:
    """Some of the letters and digits of one line: the `start`-th up to the `end`-th."""

    line: TextLine
    start: int
    end: int


def draw_page(path: str | Path, target: str | Path, *, number: int, width: int = WIDTH) -> int:
    """Write a picture of the page (counted from 1), `width` pixels wide, to `target`. Returns the number of pages.

    Raises ExtractionFailed as `open_pdf`, with no_such_page, and with corrupt for a page that cannot be drawn.
    """
    document = open_pdf(path, only=number)
    pages = len(document)
    if not 1 <= number <= pages:
        raise ExtractionFailed("no_such_page", f"The document has {pages} pages.")
    try:
        page = document[number - 1]
        page_width, page_height = page.get_size()
        scale = min(width / max(page_width, 1), TALLEST * width / max(page_height, 1))
        image = page.render(scale=scale).to_pil()
    except (pdfium.PdfiumError, ValueError) as error:
        raise ExtractionFailed("corrupt", "This page cannot be drawn.") from error
    if _is_grey(image):
        image = image.convert("L").point(SHADES)
    image.save(target, "png", **RUN_LENGTHS)
    return pages


def _is_grey(image: Image.Image) -> bool:
    if image.mode != "RGB":
        return False
    red, green, blue = image.split()
    return not ImageChops.difference(red, green).getbbox() and not ImageChops.difference(green, blue).getbbox()


def mark_quotes(path: str | Path, target: str | Path, *, quotes: Mapping[str, tuple[int, str]]) -> int:
    """Write `{"pages", "sizes", "marks"}` as JSON to `target`. Returns the number of pages.

    `quotes` names each quote with its page (from 1). `marks` has the boxes of each, none for words that are not
    found, as on a scan. `sizes` are width and height of the first pages as they are shown. Raises ExtractionFailed
    as `open_pdf`.
    """
    document = open_pdf(path)
    pages = len(document)
    sizes = [_size(document, index) for index in range(min(pages, MAX_SIZES))]
    by_page: dict[int, dict[str, str]] = {}
    for name, (number, quote) in quotes.items():
        if 1 <= number <= pages:
            by_page.setdefault(number, {})[name] = quote
    marks: dict[str, list[Mark]] = {name: [] for name in quotes}
    with closing(FallbackReader(Path(path))) as fallback_reader:
        for number, wanted in by_page.items():
            try:
                marks |= _marks_on(document, number, wanted, fallback_reader)
            except Exception as error:  # a damaged page must not cost the others
                logger.info("nothing could be marked on page %d: %r", number, error)
    Path(target).write_text(json.dumps({"pages": pages, "sizes": sizes, "marks": marks}), encoding="utf-8")
    return pages


def _size(document: pdfium.PdfDocument, index: int) -> tuple[float, float]:
    """Width and height in points. A4 for a page that is damaged or has an impossible size."""
    try:
        width, height = document.get_page_size(index)
    except pdfium.PdfiumError:
        return PAPER
    return (width, height) if 1 <= width < MAX_SIDE and 1 <= height < MAX_SIDE else PAPER


def _marks_on(
    document: pdfium.PdfDocument, number: int, quotes: Mapping[str, str], fallback_reader: FallbackReader
) -> dict[str, list[Mark]]:
    with open_page(document, number - 1, right_to_left=False) as content:
        lines = PageReader(fallback_reader).read(content, number=number).lines
        page = content.page
        with closing(page.get_textpage()) as textpage:  # once more, as the page may have lost its ActualText since
            layer = TextLayer(textpage)
            glyphs = _glyphs(layer)
        frame = BoundingBox(*page.get_bbox())
        marks = {}
        for name, quote in quotes.items():
            boxes = [_box(stretch, glyphs) for stretch in find_quote(quote, lines)]
            unturned = [box.turned((4 - layer.turn) % 4) for box in boxes]
            marks[name] = [_share(box, frame, page.get_rotation()) for box in unturned]
    return marks


def _glyphs(layer: TextLayer) -> list[tuple[BoundingBox, str]]:
    """The box of each glyph that is a letter or digit, and which those are."""
    lines = layer.glyph_lines(right_to_left=False)
    if not lines:
        return []
    page = lines[0].page
    boxes = zip(page.left.tolist(), page.bottom.tolist(), page.right.tolist(), page.top.tolist(), strict=True)
    texts = [_letters(chr(code)) for code in page.codes.tolist()]
    return [(BoundingBox(*box), text) for box, text in zip(boxes, texts, strict=True) if text]


def find_quote(quote: str, lines: list[TextLine]) -> list[_Stretch]:
    """The stretches of lines in which the quote's letters and digits first follow one another. May be none.

    Signs and spaces are ignored, as quotes come from text with broken words mended.
    """
    texts = [_letters(line.text) for line in lines]
    wanted = _letters(quote)
    at = "".join(texts).find(wanted) if wanted else -1
    if at < 0:
        return []
    stretches = []
    before = 0
    for line, text in zip(lines, texts, strict=True):
        start, end = max(at - before, 0), min(at + len(wanted) - before, len(text))
        if start < end:
            stretches.append(_Stretch(line, start, end))
        before += len(text)
    return stretches


def _letters(text: str) -> str:
    return "".join(char for char in unicodedata.normalize("NFKC", text) if char.isalnum())


def _box(stretch: _Stretch, glyphs: list[tuple[BoundingBox, str]]) -> BoundingBox:
    """The box of the stretch: that of glyphs side by side with just its letters, else of the whole line."""
    line = stretch.line
    bottom = line.baseline - DESCENT * line.size
    text = _letters(line.text)
    whole = BoundingBox(line.left, bottom, line.right, line.top)
    if stretch.end - stretch.start == len(text):
        return whole
    on_line = sorted(
        (
            (box, letters)
            for box, letters in glyphs
            if bottom < (box.bottom + box.top) / 2 < line.top
            and line.left - 1 <= (box.left + box.right) / 2 <= line.right + 1
        ),
        key=lambda glyph: glyph[0].left + glyph[0].right,
    )
    wanted = Counter(text[stretch.start : stretch.end])
    count = stretch.end - stretch.start
    places = [
        place
        for place in range(len(on_line) - count + 1)
        if Counter(letters for _, letters in on_line[place : place + count]) == wanted
    ]
    if not places:
        return whole
    # A line is read from its left end or from its right end.
    expected = (stretch.start, len(on_line) - stretch.end)
    best = min(places, key=lambda place: min(abs(place - one) for one in expected))
    found = [box for box, _ in on_line[best : best + count]]
    return BoundingBox(min(box.left for box in found), bottom, max(box.right for box in found), line.top)


def _share(box: BoundingBox, frame: BoundingBox, rotation: int) -> Mark:
    """The box as it lies in the picture, which PDFium draws turned clockwise by `rotation` degrees."""
    width, height = frame.width or 1.0, frame.height or 1.0
    left, right = (box.left - frame.left) / width, (box.right - frame.left) / width
    top, bottom = (frame.top - box.top) / height, (frame.top - box.bottom) / height
    if rotation == 90:
        left, top, right, bottom = 1 - bottom, left, 1 - top, right
    elif rotation == 180:
        left, top, right, bottom = 1 - right, 1 - bottom, 1 - left, 1 - top
    elif rotation == 270:
        left, top, right, bottom = top, 1 - right, bottom, 1 - left
    return tuple(round(min(max(share, 0.0), 1.0), 5) for share in (left, top, right, bottom))  # type: ignore[return-value]
