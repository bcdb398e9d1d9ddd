"""Notes in the margin, as statutes print the headings of their sections: beside the text, often in smaller type."""

import statistics
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from extraction.pdf.glyphs.model import TextLine
from extraction.pdf.glyphs.page_glyphs import GlyphLine
from extraction.pdf.layout.rows import LEVEL, RowSegment, rows_of

MIN_LINES = 5
MIN_GUTTER = 4.0  # points that these gaps have in common
WIDEST = 0.33  # of the width of the page's text
SMALL_TYPE = 0.92  # of the text beside it
MAX_CROSSING = 0.15  # of the lines
MIN_LETTERS = 3


class Margin(NamedTuple):
    """The gap between the text and its margin, on which side of it the margin is, and the type size of the text."""

    left: float
    right: float
    is_left: bool
    size: float


class _Beside(NamedTuple):
    """A note and the text on its row. `low` and `high`: the gap between them."""

    low: float
    high: float
    is_small: bool
    begins_section: bool


def has_text_beside(lines: Sequence[TextLine]) -> bool:
    """Whether some of the lines stand beside lines that were drawn before. Cheap, as it is asked of each page."""
    if len(lines) < MIN_LINES:
        return False
    return any(line.mixed for line in lines) or any(
        _is_level(lines[place], earlier)
        for place in range(1, len(lines))
        if lines[place].baseline > lines[place - 1].baseline - LEVEL * lines[place].size
        for earlier in lines[:place]
    )


def _is_level(line: TextLine, other: TextLine) -> bool:
    return abs(line.baseline - other.baseline) <= LEVEL * line.size


def find_margin(lines: Sequence[GlyphLine], *, from_right: bool) -> Margin | None:
    """The margin of a page whose sections have notes in it. `from_right`: the text begins at the right."""
    lines = [line for line in lines if not line.aside]
    rows = [row for row in rows_of(lines) if len(row) > 1] if len(lines) >= MIN_LINES else []
    if not rows:
        return None
    left, right = min(line.left for line in lines), max(line.right for line in lines)
    widest = WIDEST * (right - left)
    margins = []
    for is_left in (True, False):
        beside = [one for row in rows if (one := _beside(row, is_left=is_left, from_right=from_right))]
        beside = [one for one in beside if (one.low - left if is_left else right - one.high) <= widest]
        is_shown = any(one.begins_section for one in beside) or (sum(one.is_small for one in beside) > 1)
        if not beside or not is_shown:
            continue
        low, high = max(one.low for one in beside), min(one.high for one in beside)
        notes = [line for line in lines if (line.right <= high if is_left else line.left >= low)]
        texts = [line for line in lines if (line.right > high if is_left else line.left < low)]
        width = max((line.right - line.left for line in notes), default=0)
        crossing = sum(line.left < low and line.right > high for line in texts) - len(beside)
        if high - low < MIN_GUTTER or width > widest or len(notes) > len(texts):
            continue
        is_table = is_left == from_right and len(texts) < 2 * len(beside) and not any(one.is_small for one in beside)
        if crossing <= MAX_CROSSING * len(texts) and not is_table:
            size = statistics.median_low(line.size for line in texts)
            margins.append((len(beside), Margin(low, high, is_left, size)))
    return max(margins)[1] if margins else None


def _beside(row: Sequence[RowSegment], *, is_left: bool, from_right: bool) -> _Beside | None:
    note, near = (row[0], row[1]) if is_left else (row[-1], row[-2])
    texts = row[1:] if is_left else row[:-1]
    begins_section = texts[-1 if from_right else 0].begins_section(from_right=from_right)
    is_small = not from_right and note.height <= SMALL_TYPE * near.height  # boxes of Hebrew may be of its letters
    if not (begins_section or is_small) or note.letters < MIN_LETTERS or near.letters < MIN_LETTERS:
        return None
    low, high = (note.right, near.left) if is_left else (near.right, note.left)
    widest = max(after.left - before.right for before, after in pairwise(row))
    return _Beside(low, high, is_small, begins_section) if high - low >= widest > 0 else None


def cut_off(margin: Margin, line: GlyphLine) -> tuple[GlyphLine | None, GlyphLine | None]:
    """What of a line is text, and what is in the margin."""
    left, right = line.sides()
    beside = (right <= margin.right) if margin.is_left else (left >= margin.left)
    within = (left >= margin.left) if margin.is_left else (right <= margin.right)
    is_row = len(line.characters.gaps) > 1
    if line.aside or is_row or not beside.any() or not (beside | within).all():
        return line, None
    if beside.all():
        return None, line
    gap = left[~beside].min() - right[beside].max() if margin.is_left else left[beside].min() - right[~beside].max()
    if gap < MIN_GUTTER:
        return line, None
    text, note = line.part(line.members[~beside]), line.part(line.members[beside])
    text.size = margin.size  # a line of two sizes of type has that of its first letter
    return text, note
