"""One page of an open PDF: text layer, tables and columns put together as finished lines."""

from __future__ import annotations

from dataclasses import dataclass, field

import pypdfium2 as pdfium

from sources.extraction.document import Origin
from sources.extraction.pdf.actual_text import lines_without_actual_text
from sources.extraction.pdf.brackets import BracketVote
from sources.extraction.pdf.classify_pages import PageClass, classify, covers_page, is_mostly_image
from sources.extraction.pdf.columns import split_columns
from sources.extraction.pdf.fallback import SecondReader
from sources.extraction.pdf.glyphs import Box, GlyphLine, TextLine, level_sizes
from sources.extraction.pdf.lines import VisualLine, visual_line
from sources.extraction.pdf.memory import FileMemory
from sources.extraction.pdf.page_text import HEBREW_LETTER, LETTER
from sources.extraction.pdf.repeats import without_second_copies
from sources.extraction.pdf.rulings import Grid, drawing, grids
from sources.extraction.pdf.spelling import misspelt_lines
from sources.extraction.pdf.stray_lines import with_strays_in_place
from sources.extraction.pdf.tables import TableRow, table_rows, take_tables
from sources.extraction.pdf.text_layer import TextLayer

MAX_GLYPHS = 100_000  # of one page; beyond that the engine's own order is kept
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


def read_page(page: pdfium.PdfPage, *, number: int, memory: FileMemory, second_reader: SecondReader) -> PageReading:
    textpage = page.get_textpage()
    try:
        layer = TextLayer(textpage)
        box = Box(*page.get_bbox()).turned(layer.turn)
        drawn = drawing(page, page_box=box, turn=layer.turn)
        reading = PageReading(number=number, box=box, page_class=classify(layer.emitted, drawn))
        reading.mostly_image = is_mostly_image(layer.emitted, drawn, box.width * box.height)
        if reading.page_class is PageClass.OK:
            reading.has_ocr_layer = covers_page(drawn, box.width * box.height) and layer.is_invisible()
            misspelt = _read_text(reading, layer, tables=grids(drawn), memory=memory)
            if misspelt:
                _read_again(reading, page, misspelt, tables=grids(drawn), memory=memory, second_reader=second_reader)
            if reading.has_ocr_layer:
                reading.origin = Origin.OCR
        return reading
    finally:
        textpage.close()


def _read_text(reading: PageReading, layer: TextLayer, *, tables: list[Grid], memory: FileMemory) -> int:
    """Fill in the lines; gives how many of them cannot be spelt right."""
    text = layer.shown
    reading.hebrew = memory.is_hebrew_page(hebrew=text.count(HEBREW_LETTER), letters=text.count(LETTER))
    plain = not text.count(HEBREW_LETTER) and not memory.right_to_left and not tables
    if plain or len(text) > MAX_GLYPHS:
        reading.lines = layer.lines_as_emitted()
        return 0
    lines = layer.glyph_lines(right_to_left=memory.right_to_left)
    reading.has_ocr_layer = reading.has_ocr_layer or any(line.mirrored for line in lines)
    reading.lines = _finished(lines, tables, emitted=text.text, hebrew_page=reading.hebrew, vote=memory.vote)
    if reading.has_ocr_layer:
        level_sizes(reading.lines)
    return misspelt_lines([line.text for line in reading.lines])


def _read_again(
    reading: PageReading,
    page: pdfium.PdfPage,
    misspelt: int,
    *,
    tables: list[Grid],
    memory: FileMemory,
    second_reader: SecondReader,
) -> None:
    """Take another reading of a page with `misspelt` lines where it has fewer of them: without ActualText, or else
    with the second reader. That one is spared a page that reads the same without ActualText and has few such lines:
    they are spelt so.
    """

    def take_if_better(lines: list[GlyphLine], emitted: str) -> list[str]:
        nonlocal misspelt
        again = _finished(lines, tables, emitted=emitted, hebrew_page=reading.hebrew, vote=memory.second_vote)
        texts = [line.text for line in again]
        left = misspelt_lines(texts)
        if again and left < misspelt:
            reading.lines, reading.origin, misspelt = again, Origin.REPAIRED, left
        return texts

    as_first_read = [line.text for line in reading.lines]
    without = lines_without_actual_text(page, right_to_left=memory.right_to_left)
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
