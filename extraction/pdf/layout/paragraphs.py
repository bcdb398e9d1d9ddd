"""Paragraphs from lines: short last lines, gaps, indents and the markers of legal text."""

import statistics
from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import NamedTuple

from extraction.pdf.glyphs.model import TextLine
from extraction.pdf.layout.placing import NEXT_LINE
from extraction.pdf.layout.wide_gaps import settle_wide_gaps
from extraction.pdf.text.line_ends import (
    MARKER,
    REFERENCE,
    SECTION_NUMBER,
    SENTENCE_END,
    Hyphenation,
    begins_section,
    joined_lines,
)
from extraction.text.characters import SOFT_HYPHENS

WIDE_GAP = 1.45  # of the usual distance of lines: a new paragraph
SLIGHT_GAP = 1.12  # the same, on a page whose lines otherwise stand at one distance
SPACED = 1.85  # sizes from line to line: of two spaces, or of paragraphs of one line each ...
USUAL_WHEN_SPACED = 0.8  # ... as wide a line is usual on the page, as a share of its measure ...
SHORT_WHEN_SPACED, FULL_WHEN_SPACED = 0.6, 0.85  # of the measure
INDENT = 1.2  # sizes
SAME_SIZE = 0.1  # sizes may differ by this share within a paragraph
FULL_WHEN_JUSTIFIED = 0.6  # sizes a full line may end short of a justified margin
HAIR = 0.3  # points
SNUG = 0.15  # sizes within which ends count as one margin
RAGGED_ZONE = 5.0  # sizes to both sides of a margin where ragged lines end
JUSTIFIED_SHARE = 0.5  # of the ends near a margin that stand on it
FIT = 1.15  # room for the next line's first word, with a reserve for the estimate


@dataclass(slots=True)
class LineSpan:
    """A line in reading direction: `start` < `end` whichever way the page reads."""

    text: str
    start: float
    end: float
    baseline: float
    size: float
    is_row: bool
    edges: tuple[float, ...]
    aside: bool
    note: bool
    margin: float = 0.0  # where full lines of its column end
    justified: bool = False

    @property
    def character_width(self) -> float:
        return (self.end - self.start) / max(1, len(self.text))


class Spacing(NamedTuple):
    """Of a page whose paragraphs stand apart and are so short that most of its gaps are between them."""

    gap: float
    short: float  # a narrower line ends its paragraph ...
    full: float  # ... and one that is narrower than this if it ends a sentence

    def parts(self, before: LineSpan, span: LineSpan) -> bool:
        """Whether a new paragraph begins, as the line before ends a sentence or has much room, or a section begins."""
        if not self.gap < before.baseline - span.baseline:
            return False
        width = before.end - before.start
        if width < self.short or (width < self.full and SENTENCE_END.search(before.text)):
            return True
        return begins_section(span.text) and not REFERENCE.search(before.text)


class PageParagraphs(NamedTuple):
    """The paragraphs of a page. `goes_on`: the first goes on from the page before.

    `edges` are those of each paragraph's table (`TextLine`), () outside of ruled tables.
    """

    texts: list[str]
    goes_on: bool
    edges: list[tuple[float, ...]]

    def insert(self, place: int, notes: list[LineSpan]) -> int:
        """Put the notes before a paragraph, and forget them. Returns that paragraph's place before."""
        self.texts[place:place] = [note.text for note in notes]
        self.edges[place:place] = [note.edges for note in notes]
        notes.clear()
        return place


class ParagraphMaker:
    """Makes the paragraphs of one page after another. Remembers where the last page's last line ended."""

    def __init__(self) -> None:
        self._last: LineSpan | None = None
        self._last_opens = True  # the last line is the first of its paragraph
        self._opening = ""  # text of the first line of the open paragraph
        self._hyphenation = Hyphenation()

    def page(self, lines: Sequence[TextLine], *, hebrew: bool, rough: bool = False) -> PageParagraphs:
        """The page's paragraphs. `rough`: distances were measured by OCR and are not exact."""
        settled = settle_wide_gaps(lines, hebrew=hebrew)
        spans = [_span(line, hebrew=hebrew) for line in settled if line.text.strip()]
        if not hebrew:
            self._hyphenation.learn("\n".join(span.text for span in spans))
        lead, steady = _lead(spans)
        steady = steady and not rough
        _find_margins(spans)
        spaced = _spacing(spans, lead)
        made = PageParagraphs([], False, [])
        notes: list[LineSpan] = []
        opened, same_page = 0, False
        for span in spans:
            if span.note:
                self._add_note(notes, span)
                continue
            new = self._last is None or self._is_new(self._last, span, lead=lead, steady=steady, same_page=same_page)
            if same_page and spaced and self._last and spaced.parts(self._last, span):
                new = True
            new = new or bool(notes and begins_section(span.text))
            if not same_page and not new:
                made = made._replace(goes_on=True)
            same_page = True
            if new:
                opened = made.insert(len(made.texts), notes)
            if new or not made.texts:
                made.texts.append(span.text)
                made.edges.append(span.edges)
            else:
                made.texts[-1] = self.join(made.texts[-1], span.text)
            if new:
                self._opening = span.text
            self._last_opens = new
            self._last = span
        made.insert(opened or int(made.goes_on), notes)
        return made

    def _add_note(self, notes: list[LineSpan], span: LineSpan) -> None:
        """Add a line of the margin to the note that it goes on with, or else as one of its own."""
        if notes and 0 < notes[-1].baseline - span.baseline <= NEXT_LINE * span.size:
            notes[-1] = replace(span, text=self.join(notes[-1].text, span.text))
        else:
            notes.append(span)

    def forget(self) -> None:
        """The next page does not go on from here."""
        self._last = None

    def join(self, first: str, second: str) -> str:
        """Two lines of one paragraph as one."""
        if first.endswith(SOFT_HYPHENS):
            return self._hyphenation.join(first, second)
        return joined_lines(first, second)

    def _is_new(self, before: LineSpan, span: LineSpan, *, lead: float, steady: bool, same_page: bool) -> bool:
        if before.is_row or span.is_row or before.aside != span.aside:
            return True
        if before.text.endswith(SOFT_HYPHENS):
            return False
        if same_page and abs(before.size - span.size) > SAME_SIZE * max(before.size, span.size):
            return True
        gap = before.baseline - span.baseline if same_page else lead
        flows = not same_page or gap < -4 * lead  # to the next page or to the top of the next column
        if not flows:
            if _apart(before, span) or gap > (SLIGHT_GAP if steady else WIDE_GAP) * lead or gap < -0.5 * lead:
                return True
            indent = span.start - before.start
            if indent < -INDENT * span.size and not (self._last_opens and not MARKER.match(self._opening)):
                return True
            if indent > INDENT * span.size and not self._last_opens:
                return True
        if _ends_short(before, span):
            return True
        if SECTION_NUMBER.match(span.text) and not REFERENCE.search(before.text):
            return True
        return MARKER.match(span.text) is not None and SENTENCE_END.search(before.text) is not None


def _span(line: TextLine, *, hebrew: bool) -> LineSpan:
    start, end = (-line.right, -line.left) if hebrew else (line.left, line.right)
    return LineSpan(
        text=line.text.strip(" "),
        start=start,
        end=end,
        baseline=line.baseline,
        size=line.size,
        is_row=line.is_row,
        edges=line.edges,
        aside=line.aside,
        note=line.note,
    )


def _apart(before: LineSpan, span: LineSpan) -> bool:
    """Do the two stand in different columns? Asked of each two lines, so min and max are not called."""
    end = before.end if before.end < span.end else span.end
    start = before.start if before.start > span.start else span.start
    width, other = before.end - before.start, span.end - span.start
    return end - start < 0.1 * (width if width < other else other)


def _ends_short(before: LineSpan, span: LineSpan) -> bool:
    """Could the line have held more? Then its end was meant."""
    room = before.margin - before.end
    if before.justified:
        return room > FULL_WHEN_JUSTIFIED * before.size
    first_word = span.text.split(maxsplit=1)[0]
    return room > FIT * (len(first_word) + 1) * span.character_width


def _lead(spans: Sequence[LineSpan]) -> tuple[float, bool]:
    """The usual distance of lines inside a paragraph (the lower quarter), and whether it is kept to a hair."""
    gaps = sorted(
        before.baseline - span.baseline
        for before, span in pairwise(spans)
        if not (before.is_row or span.is_row) and 0.5 * span.size < before.baseline - span.baseline < 4 * span.size
    )
    if not gaps:
        return (1.3 * spans[0].size if spans else 14.0), False
    lead = gaps[len(gaps) // 4]
    alike = sum(abs(gap - lead) <= HAIR for gap in gaps)
    return lead, alike >= 4


def _spacing(spans: Sequence[LineSpan], lead: float) -> Spacing | None:
    lines = [span for span in spans if not (span.is_row or span.aside or span.note)]
    if not lines or lead < SPACED * statistics.median_low(span.size for span in lines):
        return None
    widths = sorted(span.end - span.start for span in lines)
    measure = max(span.end for span in lines) - min(span.start for span in lines)
    is_short = widths[len(widths) // 2] < USUAL_WHEN_SPACED * measure
    return Spacing(lead * 0.9, SHORT_WHEN_SPACED * measure, FULL_WHEN_SPACED * measure) if is_short else None


def _find_margins(spans: Sequence[LineSpan]) -> None:
    """Give each line the margin of its column: the nearest end that several lines share, else the run's longest."""
    text_lines = [span for span in spans if not (span.is_row or span.aside or span.note)]
    shared = _shared_ends(text_lines)
    for run in _runs(text_lines):
        longest = max(span.end for span in run)
        if len(run) < 5:
            start = min(span.start for span in run)
            aligned = [span.end for span in text_lines if abs(span.start - start) < 1.5 * span.size]
            longest = max([longest, *aligned])
        size = run[0].size
        margin = next((end for end in reversed(shared) if longest - RAGGED_ZONE * size <= end <= longest + 2), None)
        for span in run:
            span.margin, span.justified = (longest, False) if margin is None else (margin, True)


def _shared_ends(spans: Sequence[LineSpan]) -> list[float]:
    """Ends of justified lines, ascending: places where many lines end to a hair and next to none goes beyond."""
    if len(spans) < 4:
        return []
    ends = sorted(span.end for span in spans)
    height = sorted(span.size for span in spans)[len(spans) // 2]
    shared: list[float] = []
    for last, end in enumerate(ends):
        if last + 1 < len(ends) and ends[last + 1] - end <= SNUG * height:
            continue  # a later one is the end of this cluster
        count = last + 1 - bisect_left(ends, end - 2 * SNUG * height)
        beyond = bisect_right(ends, end + RAGGED_ZONE * height) - (last + 1)
        near = last + 1 - bisect_left(ends, end - RAGGED_ZONE * height)
        if count >= max(3, JUSTIFIED_SHARE * near) and beyond <= 0.25 * count:
            shared.append(end)
    return shared


def _runs(spans: Sequence[LineSpan]) -> list[list[LineSpan]]:
    """Consecutive lines that go down one column."""
    runs: list[list[LineSpan]] = []
    for span in spans:
        before = runs[-1][-1] if runs else None
        if before is None or _apart(before, span) or span.baseline > before.baseline + 0.5 * span.size:
            runs.append([])
        runs[-1].append(span)
    return runs
