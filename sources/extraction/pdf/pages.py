"""One page of an open PDF: text layer, tables and columns put together as finished lines."""

from __future__ import annotations

from dataclasses import dataclass, field

from sources.extraction.document import Origin
from sources.extraction.pdf.actual_text import lines_without_actual_text
from sources.extraction.pdf.brackets import BracketVote
from sources.extraction.pdf.classify_pages import PageClass
from sources.extraction.pdf.columns import split_columns
from sources.extraction.pdf.fallback import SecondReader
from sources.extraction.pdf.glyphs import Box, GlyphLine, TextLine, level_sizes
from sources.extraction.pdf.lines import VisualLine, visual_line
from sources.extraction.pdf.memory import FileMemory
from sources.extraction.pdf.page_content import PageContent
from sources.extraction.pdf.page_text import HEBREW_LETTER, LETTER
from sources.extraction.pdf.repeats import without_second_copies
from sources.extraction.pdf.rulings import Grid
from sources.extraction.pdf.spelling import misspelt_lines
from sources.extraction.pdf.stray_lines import with_strays_in_place
from sources.extraction.pdf.tables import TableRow, table_rows, take_tables

FEW_MISSPELT = 0.1  # of the lines


@dataclass(slots=True)
class PageReading:
    """A page before paragraphs are made. `box` is level: its top is where the reader sees it."""

    number: int
    box: Box
    page_class: PageClass
    lines: list[TextLine] = field(default_factory=list)
    hebrew: bool = False
    origin: Origin = Origin.TEXT
    mostly_image: bool = False
    has_ocr_layer: bool = False

    @property
    def rough(self) -> bool:
        """Were places and sizes measured by OCR?"""
        return self.origin is Origin.OCR


def read_page(content: PageContent, *, number: int, memory: FileMemory, second_reader: SecondReader) -> PageReading:
    reading = PageReading(number=number, box=content.box, page_class=content.page_class)
    reading.mostly_image = content.mostly_image
    if reading.page_class is PageClass.OK:
        reading.has_ocr_layer = content.has_ocr_layer
        misspelt = _read_text(reading, content, memory=memory)
        if misspelt:
            _read_again(reading, content, misspelt, memory=memory, second_reader=second_reader)
        if reading.has_ocr_layer:
            reading.origin = Origin.OCR
    return reading


def _read_text(reading: PageReading, content: PageContent, *, memory: FileMemory) -> int:
    """Fill in the lines; gives how many of them cannot be spelt right."""
    text = content.text
    reading.hebrew = memory.is_hebrew_page(hebrew=text.count(HEBREW_LETTER), letters=text.count(LETTER))
    if content.finished is not None:
        reading.lines = content.finished
        return 0
    reading.lines = _finished(
        content.lines, content.tables, emitted=text.text, hebrew_page=reading.hebrew, vote=memory.vote
    )
    if reading.has_ocr_layer:
        level_sizes(reading.lines)
    return misspelt_lines([line.text for line in reading.lines])


def _read_again(
    reading: PageReading, content: PageContent, misspelt: int, *, memory: FileMemory, second_reader: SecondReader
) -> None:
    """Take another reading of a page with `misspelt` lines where it has fewer of them: without ActualText, or else
    with the second reader. That one is spared a page that reads the same without ActualText and has few such lines:
    they are spelt so.
    """

    def take_if_better(lines: list[GlyphLine], emitted: str) -> list[str]:
        nonlocal misspelt
        again = _finished(lines, content.tables, emitted=emitted, hebrew_page=reading.hebrew, vote=memory.second_vote)
        texts = [line.text for line in again]
        left = misspelt_lines(texts)
        if again and left < misspelt:
            reading.lines, reading.origin, misspelt = again, Origin.REPAIRED, left
        return texts

    as_first_read = [line.text for line in reading.lines]
    without = lines_without_actual_text(content.page, right_to_left=memory.right_to_left)
    if without is not None:
        same = take_if_better(*without) == as_first_read
        if not misspelt or (same and misspelt <= FEW_MISSPELT * len(as_first_read)):
            return
    second = second_reader.read(reading.number - 1)
    if second is not None:
        before = misspelt
        take_if_better(*second)
        second_reader.tell(helped=misspelt < before)


def _finished(
    lines: list[GlyphLine], tables: list[Grid], *, emitted: str, hebrew_page: bool, vote: BracketVote
) -> list[TextLine]:
    """Lines in reading order. All brackets of the page vote before the first is turned."""
    parts: list[VisualLine | TableRow] = []
    run: list[GlyphLine] = []

    def end_run() -> None:
        for line in split_columns(run):
            parts.append(visual_line(line, emitted=emitted, hebrew_page=hebrew_page, vote=vote))
        run.clear()

    for part in take_tables(lines, tables):
        if isinstance(part, GlyphLine):
            run.append(part)
            continue
        end_run()
        grid, glyphs = part
        parts.extend(table_rows(grid, glyphs, emitted=emitted, hebrew_page=hebrew_page, vote=vote))
    end_run()
    finished = [part.finished(vote) for part in parts]
    return with_strays_in_place(without_second_copies(finished))
