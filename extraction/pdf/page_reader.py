"""Reads page after page: text layer, tables and columns become finished lines."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from extraction.document import Losses, Lost, LostWhat, TextOrigin, characters_of
from extraction.pdf.fallback import FallbackReader
from extraction.pdf.glyphs.actual_text import lines_without_actual_text
from extraction.pdf.glyphs.lines import put_together, text_line
from extraction.pdf.glyphs.model import BoundingBox, TextLine, level_sizes
from extraction.pdf.glyphs.page_glyphs import NOT_PUT_TOGETHER, GlyphLine
from extraction.pdf.layout.columns import split_columns
from extraction.pdf.layout.margins import cut_off, find_margin, without_line_numbers
from extraction.pdf.layout.placing import with_notes_in_place, with_strays_in_place, without_second_copies
from extraction.pdf.layout.rulings import Grid
from extraction.pdf.layout.tables import TextRow, has_lost_rows, take_tables
from extraction.pdf.page_content import UNREAD, PageClass, PageContent
from extraction.pdf.text.brackets import BracketVote
from extraction.pdf.text.page_text import HEBREW_LETTER, LETTER
from extraction.text.bidi import LineOrder, order_of, reading_order

HEBREW_PAGE = 0.25  # share of Hebrew among the letters
HEBREW_PAGE_OF_HEBREW_FILE = 0.1
FEW_MISSPELT = 0.1  # of the lines
FINAL_INSIDE_WORD = re.compile("[ךםןףץ](?=[א-ת])")
NON_FINAL_AT_END = re.compile("[כמנצ](?![א-ת\"'׳״־])(?<=[א-ת].)")
WORD = re.compile("[א-ת]+")
STRAY_LETTER = re.compile(r"\s[א-ת](?!\S)")  # in a text that begins with a space
MIN_WORDS_FOR_STRAYS = 6
STRAY_SHARE = 0.15


@dataclass(slots=True)
class PageReading:
    """A page before paragraphs are made. `box` is level: its top is where the reader sees it.

    `misspelt` tells how many of the lines are so.
    """

    number: int
    box: BoundingBox
    page_class: PageClass
    lines: list[TextLine] = field(default_factory=list)
    misspelt: int = 0
    hebrew: bool = False
    origin: TextOrigin = TextOrigin.TEXT
    mostly_image: bool = False
    has_ocr_layer: bool = False
    has_lost_table: bool = False
    has_picture: bool = False
    lost: list[Lost] = field(default_factory=list)
    files: list[str] = field(default_factory=list)

    @property
    def unread(self) -> bool:
        """Whether the page, or an image that covers it, may have text that was not read."""
        return self.page_class in UNREAD or (self.mostly_image and self.origin is not TextOrigin.OCR)


class PageReader:
    """Reads the pages of one document in order.

    A page depends on those before it in two ways: which fonts store their brackets swapped, and whether the file is
    mostly Hebrew. Second readings of pages have a bracket vote of their own.
    """

    def __init__(self, fallback_reader: FallbackReader) -> None:
        self._fallback_reader = fallback_reader
        self._vote, self._second_vote = BracketVote(), BracketVote()
        self._hebrew_letters = self._letters = 0

    def read(self, content: PageContent, *, number: int) -> PageReading:
        """The page, `number` counted from 1."""
        reading = PageReading(number=number, box=content.box, page_class=content.page_class)
        reading.mostly_image, reading.has_lost_table = content.mostly_image, content.has_lost_table
        reading.has_picture = content.has_picture
        if reading.page_class is PageClass.OK:
            reading.has_ocr_layer = content.has_ocr_layer
            self._read_text(reading, content)
            if reading.misspelt and not content.characters_covered:  # which a second reading would show
                self._read_again(reading, content)
            if reading.has_ocr_layer:
                reading.origin = TextOrigin.OCR
            turn_if_backwards(reading)
            reading.has_lost_table = reading.has_lost_table or has_lost_rows(reading.lines, content.tables)
            _leave_out_unseen(reading, content)
            reading.lines = without_line_numbers(reading.lines)
        return reading

    def _read_text(self, reading: PageReading, content: PageContent) -> None:
        """Fill in the lines."""
        text = content.text
        reading.hebrew = self._is_hebrew_page(hebrew=text.count(HEBREW_LETTER), letters=text.count(LETTER))
        if content.finished is not None:
            reading.lines = content.finished
            return
        reading.lines = _finished(content.lines, content.tables, hebrew_page=reading.hebrew, vote=self._vote)
        if reading.has_ocr_layer:
            level_sizes(reading.lines)
        reading.misspelt = misspelt_lines([line.text for line in reading.lines])

    def _is_hebrew_page(self, *, hebrew: int, letters: int) -> bool:
        """Whether a page with so many letters reads as Hebrew. The letters count for the file."""
        self._hebrew_letters += hebrew
        self._letters += letters
        if hebrew > HEBREW_PAGE * letters:
            return True
        mostly_hebrew = self._hebrew_letters > 0.5 * self._letters
        return mostly_hebrew and hebrew > HEBREW_PAGE_OF_HEBREW_FILE * letters

    def _read_again(self, reading: PageReading, content: PageContent) -> None:
        """Read a page without its ActualText, then with the fallback reader.

        The fallback reader is skipped if the page reads the same without ActualText and few lines are misspelt: then
        they are spelt like that.
        """
        as_first_read = [line.text for line in reading.lines]
        lines = lines_without_actual_text(content.page, right_to_left=content.right_to_left)
        is_same = self._keep_if_better(reading, content, lines) == as_first_read
        misspelt = reading.misspelt
        if misspelt and not (is_same and misspelt <= FEW_MISSPELT * len(as_first_read)):
            self._keep_if_better(reading, content, self._fallback_reader.read(reading.number - 1))
            self._fallback_reader.report(helped=reading.misspelt < misspelt)

    def _keep_if_better(self, reading: PageReading, content: PageContent, lines: list[GlyphLine]) -> list[str]:
        """Finish other lines of the page, and take them if fewer are misspelt. Returns their texts."""
        again = _finished(lines, content.tables, hebrew_page=reading.hebrew, vote=self._second_vote)
        texts = [line.text for line in again]
        misspelt = misspelt_lines(texts)
        if again and misspelt < reading.misspelt:
            reading.lines, reading.misspelt, reading.origin = again, misspelt, TextOrigin.REPAIRED
        return texts


def turn_if_backwards(reading: PageReading) -> None:
    """Turn the Hebrew of a page whose letters run from left to right, as programs draw them that know no Hebrew.

    What is seen is no word either, and OCR reads what is seen.
    """
    if order_of(line.text for line in reading.lines) is not LineOrder.SCREEN:
        return
    reading.lines = [replace(line, text=reading_order(line.text)) for line in reading.lines]
    if reading.origin is TextOrigin.TEXT:
        reading.origin = TextOrigin.REPAIRED


def _leave_out_unseen(reading: PageReading, content: PageContent) -> None:
    """Leave out the lines that lie outside of the page, and those in a layer that is switched off."""
    losses, kept = Losses(), []
    losses.add(LostWhat.HIDDEN, content.characters_in_white + content.characters_covered)
    for line in reading.lines:
        unseen = _unseen(line, content)
        if unseen is None:
            kept.append(line)
        else:
            losses.add(unseen, characters_of(line.text))
    reading.lines = kept
    reading.lost += losses.take()


def _unseen(line: TextLine, content: PageContent) -> LostWhat | None:
    """Why nobody sees a line that is level, or None if it is shown."""
    if line.aside:
        return None
    if not _touches(line, content.box):
        return LostWhat.MARGIN
    return LostWhat.HIDDEN if content.layers and not content.layers.shows(_place_of(line)) else None


def _place_of(line: TextLine) -> BoundingBox:
    return BoundingBox(line.left, line.baseline, line.right, line.top)


def _touches(line: TextLine, box: BoundingBox) -> bool:
    return line.left < box.right and line.right > box.left and line.baseline < box.top and line.top > box.bottom


def _finished(lines: list[GlyphLine], tables: list[Grid], *, hebrew_page: bool, vote: BracketVote) -> list[TextLine]:
    """Lines in reading order. All brackets of the page vote before the first is turned."""
    parts: list[GlyphLine | TextRow] = []
    run: list[GlyphLine] = []
    flow, notes = _without_notes(take_tables(lines, tables, hebrew_page=hebrew_page), hebrew_page=hebrew_page)
    for part in flow:
        if isinstance(part, GlyphLine):
            run.append(part)
        else:
            parts += [*split_columns(run, from_right=hebrew_page), part]
            run = []
    parts += split_columns(run, from_right=hebrew_page)
    text = len(parts)
    parts += notes
    in_cells = [line for part in parts if isinstance(part, TextRow) for line in part.lines]
    beside = [part for part in parts if isinstance(part, GlyphLine)]
    put_together([line for line in beside if line.characters is NOT_PUT_TOGETHER])
    put_together(in_cells, cells=False)
    for line in (*beside, *in_cells):
        vote.count_pairs(line.characters.chars, line.characters.brackets)
    finished = [
        text_line(part, vote, hebrew_page=hebrew_page)
        if isinstance(part, GlyphLine)
        else part.finished(vote, hebrew_page=hebrew_page)
        for part in parts
    ]
    ordered = with_strays_in_place(without_second_copies(finished[:text]))
    return with_notes_in_place(ordered, finished[text:]) if notes else ordered


def _without_notes(
    parts: list[GlyphLine | TextRow], *, hebrew_page: bool
) -> tuple[list[GlyphLine | TextRow], list[GlyphLine]]:
    """What a page has besides the notes in its margin, and these."""
    margin = find_margin([part for part in parts if isinstance(part, GlyphLine)], from_right=hebrew_page)
    if margin is None:
        return parts, []
    flow: list[GlyphLine | TextRow] = []
    notes = []
    for part in parts:
        text, note = cut_off(margin, part) if isinstance(part, GlyphLine) else (part, None)
        flow += [text] if text else []
        notes += [note] if note else []
    return flow, notes


def is_misspelt(line: str) -> bool:
    """A final letter inside a word, a word that ends in a non-final form, or many stray single letters."""
    return _has_wrong_form(line) or _is_scattered(line)


def misspelt_lines(lines: Sequence[str]) -> int:
    """How many Hebrew lines have a spelling that cannot be right: reversed, shifted or lost letters.

    Needs no dictionary. It reports 0.04 % of correct statute lines. Most pages have none, which one search shows.
    """
    page = "\n".join(["", *lines])
    if _has_wrong_form(page):
        return sum(map(is_misspelt, lines))
    return sum(map(_is_scattered, lines)) if len(STRAY_LETTER.findall(page)) > 1 else 0


def _has_wrong_form(text: str) -> bool:
    return FINAL_INSIDE_WORD.search(text) is not None or NON_FINAL_AT_END.search(text) is not None


def _is_scattered(line: str) -> bool:
    strays = len(STRAY_LETTER.findall(f" {line}"))
    if strays < 2:
        return False
    words = len(WORD.findall(line))
    return words >= MIN_WORDS_FOR_STRAYS and strays >= STRAY_SHARE * words
