"""Reads a PDF from the first page to the last, and refuses files without usable text."""

import ctypes
import logging
import statistics
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from extraction.document import ExtractionFailed, Lost, LostWhat, Page, TextOrigin
from extraction.images import lost_beside
from extraction.pdf.annotations import files_of_document, name_of
from extraction.pdf.fallback import FallbackReader
from extraction.pdf.glyphs.model import BoundingBox, TextLine
from extraction.pdf.layout.paragraphs import PageParagraphs, ParagraphMaker
from extraction.pdf.layout.placing import is_under, with_lines
from extraction.pdf.layout.tables import PageTables, TableFollower
from extraction.pdf.ocr import read_by_ocr
from extraction.pdf.opening import init_forms, open_pdf
from extraction.pdf.page_content import PageClass, PageContent, open_page
from extraction.pdf.page_reader import PageReader, PageReading
from extraction.pdf.running_heads import without_running_heads
from extraction.text.characters import SOFT_HYPHENS, without_invisible

USUAL_SIZE = 11.0  # points, where a page has no line
LEADING = 1.2  # sizes
logger = logging.getLogger(__name__)

MAX_NAMES = 20  # of files inside of a document
A4 = BoundingBox(0.0, 0.0, 595.0, 842.0)


def read_pdf(path: Path, *, max_pages: int, ocr: bool = True) -> Iterator[Page]:
    """Pages in order, each as soon as the few after it have been looked at for running heads.

    Pages without text come too, with a warning, but none before the first page with text: a file that yields
    anything is usable. Raises ExtractionFailed: empty, corrupt, encrypted, no_text_layer, too_many_pages.
    """
    document = open_pdf(path)
    try:
        count = len(document)
        if count > max_pages:
            raise ExtractionFailed("too_many_pages", f"The file has {count} pages; at most {max_pages} are accepted.")
        init_forms(document)
        with closing(FallbackReader(path)) as fallback_reader:
            yield from _usable(_pages(_readings(document, PageReader(fallback_reader), ocr=ocr)))
    finally:
        document.close()


def read_images(path: Path, *, max_pages: int, ocr: bool = True) -> Iterator[Page]:
    """Scans that come as images, read as those of a PDF. Raises as `read_pdf` and `open_image`."""
    losses = lost_beside(path)
    for page in read_pdf(path, max_pages=max_pages, ocr=ocr):
        yield replace(page, lost=(*page.lost, *losses.take()))


def _readings(document: pdfium.PdfDocument, reader: PageReader, *, ocr: bool) -> Iterator[PageReading]:
    right_to_left = _reads_right_to_left(document)
    for index in range(len(document)):
        try:
            with open_page(document, index, right_to_left=right_to_left) as content:
                reading = reader.read(content, number=index + 1)
                if ocr:
                    read_by_ocr(reading, content.page)
                add_typed(reading, content)
        except pdfium.PdfiumError as error:
            logger.warning("PDFium could not read page %d: %s", index + 1, error)
            reading = PageReading(number=index + 1, box=A4, page_class=PageClass.BROKEN)
        except Exception:
            # One hostile page must not cost the others. Its warning names it.
            logger.exception("page %d could not be read", index + 1)
            reading = PageReading(number=index + 1, box=A4, page_class=PageClass.BROKEN)
        if index == 0 and (files := [name_of(file) for file in files_of_document(document)]):
            reading.lost.append(Lost(LostWhat.ATTACHMENT))
            reading.files = [*files, *reading.files]
        yield reading


def _reads_right_to_left(document: pdfium.PdfDocument) -> bool:
    value = ctypes.create_string_buffer(16)
    length = pdfium_c.FPDF_VIEWERREF_GetName(document.raw, b"Direction", value, 16)
    return length > 0 and value.value == b"R2L"


def _pages(readings: Iterator[PageReading]) -> Iterator[tuple[Page, PageClass]]:
    """Pages with their paragraphs. Each waits for the next, which shows whether it continues."""
    maker, tables = ParagraphMaker(), TableFollower()
    waiting: tuple[PageReading, PageParagraphs] | None = None
    for reading, lines in without_running_heads(readings):
        if not lines:
            maker.forget()
        made = maker.page(lines, hebrew=reading.hebrew, rough=reading.origin is TextOrigin.OCR)
        if waiting is not None:
            before, earlier = waiting
            if made.goes_on and earlier.texts and made.texts:
                _mend_broken_word(earlier.texts, made.texts, maker)
            yield _page(before, tables.page(earlier), continues=made.goes_on and bool(made.texts)), before.page_class
        waiting = reading, made
    if waiting is not None:
        yield _page(waiting[0], tables.page(waiting[1]), continues=False), waiting[0].page_class


def _mend_broken_word(earlier: list[str], later: list[str], maker: ParagraphMaker) -> None:
    """Bring the second half of a word that the page break cut over to its first half."""
    half, _, rest = later[0].partition(" ")
    if rest and earlier[-1].endswith(SOFT_HYPHENS):
        earlier[-1] = maker.join(earlier[-1], half)
        later[0] = rest


def _page(reading: PageReading, made: PageTables, *, continues: bool) -> Page:
    texts = tuple(without_invisible(text).replace("\ufffe", "-") for text in made.texts)
    has_text = any(text.strip() for text in texts)
    return Page(
        number=reading.number,
        paragraphs=texts if has_text else (),
        continues=continues,
        origin=reading.origin,
        unread=reading.unread,
        warnings=tuple(_warnings(reading)),
        tables=tuple(made.tables) if has_text else (),
        lost=(*reading.lost, *([Lost(LostWhat.PICTURE)] if reading.has_picture else [])),
    )


def _warnings(reading: PageReading) -> Iterator[str]:
    number = reading.number
    if reading.page_class is PageClass.SCAN:
        yield f"Page {number} is an image without text; what it says was not read."
    elif reading.page_class is PageClass.JUNK:
        yield f"Page {number} has a text layer that cannot be decoded; what it says was not read."
    elif reading.page_class is PageClass.BROKEN:
        yield f"Page {number} is damaged and was not read."
    elif reading.has_ocr_layer:
        yield f"Page {number} is a scan whose text was made by OCR; check numbers and names against the page."
    elif reading.origin is TextOrigin.OCR:
        yield f"Page {number} was read by OCR; check numbers and names against the page."
    elif reading.origin is TextOrigin.REPAIRED:
        yield f"Page {number} had a faulty text layer, which was read another way."
    elif reading.mostly_image:
        yield f"Page {number} is mostly an image; text inside the image was not read."
    if reading.files:
        shown = ", ".join(reading.files[:MAX_NAMES]) + (", …" if len(reading.files) > MAX_NAMES else "")
        yield f"Files inside of the document that are not in its text: {shown}."
    if reading.has_lost_table:
        yield f"Page {number} has a table that is not kept as rows and cells."


def _usable(pages: Iterator[tuple[Page, PageClass]]) -> Iterator[Page]:
    """The pages, held back until one of them has text. Raises `ExtractionFailed` if none has."""
    held: list[Page] = []
    classes: set[PageClass] = set()
    has_text = False
    for page, page_class in pages:
        classes.add(page_class)
        if has_text:
            yield page
            continue
        held.append(page)
        if page.paragraphs:
            has_text = True
            yield from held
            held.clear()
    if has_text:
        return
    if classes & {PageClass.SCAN, PageClass.JUNK}:
        raise ExtractionFailed(
            "no_text_layer",
            "The pages are images or carry unreadable text, and no OCR is available to read them.",
        )
    if PageClass.BROKEN in classes:
        raise ExtractionFailed("corrupt", "None of the PDF's pages can be read.")
    raise ExtractionFailed("empty", "The PDF has only blank pages.")


def add_typed(reading: PageReading, content: PageContent) -> None:
    """Fill in what is typed, where it is, and what else lies over the page. Call it after OCR, which sees it too."""
    for what, characters in content.annotations.lost.items():
        reading.lost.append(Lost(what, characters))
    reading.files += content.annotations.files
    new = []
    for typed in content.annotations.typed:
        box = _placed(typed.box, reading, content)
        there = [line for line in reading.lines if is_under(line, box)]
        if reading.origin is TextOrigin.OCR and not reading.has_ocr_layer:
            reading.lines = [line for line in reading.lines if line not in there]  # it has seen the same
        elif any("".join(typed.text.split()) in "".join(line.text.split()) for line in there):
            continue  # some programs draw what they keep as a value
        new.append(_line(typed.text, box, reading))
    if not new:
        return
    reading.lines = with_lines(reading.lines, sorted(new, key=lambda line: -line.top), hebrew_page=reading.hebrew)
    if reading.page_class is PageClass.EMPTY:
        reading.page_class = PageClass.OK


def _placed(box: BoundingBox, reading: PageReading, content: PageContent) -> BoundingBox:
    """The box in the frame of the page's lines. After OCR of a page that lies on its side, that is not known."""
    box, origin = box.turned(content.turn), content.box
    if reading.box == origin:
        return box
    return BoundingBox(
        box.left - origin.left, box.bottom - origin.bottom, box.right - origin.left, box.top - origin.bottom
    )


def _line(text: str, box: BoundingBox, reading: PageReading) -> TextLine:
    sizes = [line.size for line in reading.lines if not line.is_row]
    size = min(statistics.median(sizes) if sizes else USUAL_SIZE, box.height or USUAL_SIZE)
    lines = max(1, round(box.height / (LEADING * size)))
    middle = (box.top + box.bottom) / 2 if lines == 1 else box.top - LEADING * size / 2
    return TextLine(
        text="\n".join(text.splitlines()),
        left=box.left,
        right=box.right,
        top=middle + size / 2,
        baseline=middle - size / 3,
        size=size,
    )
