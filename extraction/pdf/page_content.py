"""The content of one page, independent of other pages: its class by its text layer, its tables, its glyphs."""

import enum
import functools
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field

import pypdfium2 as pdfium

from extraction.pdf.annotations import Annotations, annotations
from extraction.pdf.glyphs.marks_apart import may_have_marks_apart
from extraction.pdf.glyphs.model import BoundingBox, TextLine
from extraction.pdf.glyphs.page_glyphs import GlyphLine
from extraction.pdf.glyphs.text_layer import TextLayer
from extraction.pdf.ink import Covers, Ink
from extraction.pdf.layout.columns import find_middle
from extraction.pdf.layout.margins import find_margin, has_text_beside
from extraction.pdf.layout.rulings import Grid, PageDrawing, drawing, grids
from extraction.pdf.text.page_text import HEBREW_LETTER, IMPLAUSIBLE, JUNK, LATIN1, LETTER, PageText

MAX_GLYPHS = 100_000  # of one page. Beyond that the engine's own order is kept.
FEW_CHARACTERS = 15  # fewer beside an image: the page is a scan
FULL_PAGE = 0.6  # share of the page an image covers
LOGO = 0.03  # share of the page: a larger image may have words
UNCOVERED_PAGE = 0.3  # share of the ink of a page, from which on its text is a stamp or a title over an image
UNCOVERED_PICTURE = 0.15  # the same of a picture on the page. Less is a signature, or specks.
INKED = 0.002  # share of a picture
OUTLINED_TEXT_PATHS = 150  # as many paths and no text: letters were drawn as curves
JUNK_SHARE = 0.2
PLAUSIBLE_SHARE = 0.75


class PageClass(enum.Enum):
    OK = "ok"
    EMPTY = "empty"
    SCAN = "scan"
    JUNK = "junk"
    BROKEN = "broken"  # the engine could not read it


UNREAD = (PageClass.SCAN, PageClass.JUNK, PageClass.BROKEN)
"""The classes of pages whose text, if they have any, is not read without OCR."""


@dataclass(slots=True, kw_only=True)
class PageContent:
    """An open page and what is on it.

    `box` is level: its top is where the reader sees it. `right_to_left`: the file sets PDFium's base direction. `turn`:
    the quarter turns of its text. `mostly_image`: an image covers it, and the text does not say what is on the image.
    `has_picture`: a picture on it has ink that may be words. `layers` tells which lines are shown, where parts of the
    page may be switched off. `has_lost_table`: it has so many rulings or glyphs that a table of it is read as plain
    lines.
    A page of class OK has `finished` lines, in the engine's own order, or else `lines` of glyphs.
    """

    page: pdfium.PdfPage
    right_to_left: bool
    box: BoundingBox
    page_class: PageClass
    text: PageText
    turn: int = 0
    annotations: Annotations = field(default_factory=Annotations)
    mostly_image: bool = False
    has_picture: bool = False
    layers: Ink | None = None
    characters_in_white: int = 0
    characters_covered: int = 0
    tables: list[Grid] = field(default_factory=list)
    has_lost_table: bool = False
    has_ocr_layer: bool = False
    finished: list[TextLine] | None = None
    lines: list[GlyphLine] = field(default_factory=list)


@contextmanager
def open_page(document: pdfium.PdfDocument, index: int, *, right_to_left: bool) -> Iterator[PageContent]:
    """Open a page, counted from 0. Raises whatever PDFium raises."""
    with closing(document[index]) as page, closing(page.get_textpage()) as textpage:
        yield _content(page, TextLayer(textpage), right_to_left=right_to_left)


def _content(page: pdfium.PdfPage, layer: TextLayer, *, right_to_left: bool) -> PageContent:
    box = BoundingBox(*page.get_bbox()).turned(layer.turn)
    area = box.width * box.height
    drawn = drawing(page, page_box=box, turn=layer.turn)
    content = PageContent(
        page=page,
        right_to_left=right_to_left,
        box=box,
        page_class=classify(layer.emitted, drawn),
        text=layer.shown,
        turn=layer.turn,
        annotations=annotations(page),
    )
    if content.page_class is not PageClass.OK:
        return content
    content.mostly_image, content.has_picture = unread_images(page, layer, drawn, box)
    content.layers = Ink(page, [], box=box, turn=layer.turn) if layer.has_layers() else None
    content.characters_in_white = layer.leave_out_pale(lambda: Ink(page, [], box=box, turn=layer.turn).shows_white)
    if drawn.is_filled or content.annotations.covers:
        covers = Covers(page, content.annotations.covers, characters=len(content.text))
        ink = functools.cache(lambda: Ink(page, [], box=box, turn=layer.turn))
        content.characters_covered = layer.leave_out_covered(covers, lambda part: ink().is_even(part))
    content.tables = grids(drawn)
    content.has_ocr_layer = covers_page(drawn, area) and layer.is_invisible()
    plain = not (content.text.count(HEBREW_LETTER) or right_to_left or content.tables or content.characters_covered)
    content.has_lost_table = drawn.is_crowded or bool(content.tables and len(content.text) > MAX_GLYPHS)
    too_long = len(content.text) > MAX_GLYPHS
    if plain or too_long:
        lines = layer.lines_as_emitted()
        by_glyphs = any(map(_is_broken, lines, lines[1:])) or may_have_marks_apart(lines)
        if too_long or not (by_glyphs or has_text_beside(lines)):
            content.finished = lines
            return content
    content.lines = layer.glyph_lines(right_to_left=right_to_left)
    if plain and not by_glyphs and not stands_in_columns(content.lines):
        content.finished, content.lines = lines, []
        return content
    content.has_ocr_layer = content.has_ocr_layer or any(line.mirrored for line in content.lines)
    return content


def stands_in_columns(lines: list[GlyphLine]) -> bool:
    """Whether lines without Hebrew have notes in a margin, or stand in columns that were drawn row by row."""
    return find_margin(lines, from_right=False) is not None or find_middle(lines, from_right=False) is not None


def _is_broken(line: TextLine, following: TextLine) -> bool:
    """Whether the two are one printed line that PDFium broke at a raised digit."""
    if not (line.text[-1:].isdigit() or following.text[:1].isdigit()):
        return False
    beside = abs(following.left - line.right) < line.top - line.baseline
    return beside and following.baseline < line.top and following.top > line.baseline


def classify(text: PageText, drawn: PageDrawing) -> PageClass:
    """`text` as emitted. Latin-1 that is really windows-1255 Hebrew counts as text."""
    printed = text.printed
    if printed < FEW_CHARACTERS:
        if drawn.images or (not printed and drawn.paths >= OUTLINED_TEXT_PATHS):
            return PageClass.SCAN
        return PageClass.OK if printed else PageClass.EMPTY
    if text.is_disguised:
        return PageClass.OK if text.count(LATIN1) > 0.5 * text.count(LETTER) else PageClass.JUNK
    if text.count(JUNK) > JUNK_SHARE * printed:
        return PageClass.JUNK
    if printed - text.count(IMPLAUSIBLE) < PLAUSIBLE_SHARE * printed:
        return PageClass.JUNK
    return PageClass.OK


def unread_images(page: pdfium.PdfPage, layer: TextLayer, drawn: PageDrawing, box: BoundingBox) -> tuple[bool, bool]:
    """Whether the page is mostly an image that its text does not cover, or else has a picture with ink.

    `box` is level, as what is drawn.
    """
    area = box.width * box.height
    pictures = [image for image in drawn.images if image.width * image.height > LOGO * area]
    covered = covers_page(drawn, area)
    if not pictures and not covered:
        return False, False
    ink = Ink(page, layer.lines_as_emitted(), box=box, turn=layer.turn)
    if covered and ink.uncovered() > UNCOVERED_PAGE:
        return True, False
    return False, any(
        ink.uncovered(picture) > UNCOVERED_PICTURE and ink.uncovered_share(picture) > INKED for picture in pictures
    )


def covers_page(drawn: PageDrawing, page_area: float) -> bool:
    return 0 < FULL_PAGE * page_area <= drawn.image_area
