"""Notes in the margin, as statutes print the headings of their sections, and numbers of lines beside the text.

Notes are often smaller. Numbers of lines are told from those of a list by what follows them: lines of prose
that fill the measure, many of them in small letters. Those of lines without small letters, as in Hebrew, are kept.
"""

import re
import statistics
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from extraction.pdf.glyphs.model import TextLine
from extraction.pdf.glyphs.page_glyphs import GlyphLine
from extraction.pdf.layout.columns import LEVEL, RowSegment, rows_of

MIN_NUMBERED_LINES = 10  # lines of a page
SAME_COLUMN = 1.5  # sizes between the left ends of numbers
UNEVEN = 0.15  # share by which the lines' distances may differ
SMALL = 0.3  # share of the lines that begin in a small letter
FULL = 0.8  # of the longest line: so long are most lines of prose
MIN_LENGTH = 30  # characters of a usual line

_NUMBERED = re.compile(r"(\d{1,4})(?:\s+(\S.*))?")
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


class _Numbered(NamedTuple):
    line: TextLine
    number: int
    text: str  # that follows the number in its line, or stands beside it


def without_line_numbers(lines: list[TextLine]) -> list[TextLine]:
    """The lines of a page without the numbers of its lines, if it has such."""
    found = {id(one.line): one for one in _numbered(lines)}
    if not _are_line_numbers(sorted(found.values(), key=lambda one: -one.line.baseline)):
        return lines
    kept = []
    for line in lines:
        if id(line) not in found:
            kept.append(line)
        elif not line.text.strip().isdigit():
            kept.append(replace(line, text=found[id(line)].text))
    return kept


def _numbered(lines: Sequence[TextLine]) -> list[_Numbered]:
    matches = [(line, _NUMBERED.fullmatch(line.text.strip())) for line in lines if not (line.is_row or line.aside)]
    if sum(match is not None for _, match in matches) < MIN_NUMBERED_LINES:
        return []
    others = [line for line, match in matches if not match]
    return [
        _Numbered(line, int(match[1]), match[2] or _letter_beside(line, others)) for line, match in matches if match
    ]


def _letter_beside(number: TextLine, others: Sequence[TextLine]) -> str:
    texts = (one.text for one in others if abs(one.baseline - number.baseline) < 0.3 * one.size)
    return next(texts, "")


def _are_line_numbers(numbered: Sequence[_Numbered]) -> bool:
    """Whether those, from the top down, count evenly down one column beside prose."""
    texts = [one.text for one in numbered if one.text]
    if len(numbered) < MIN_NUMBERED_LINES or len(texts) < MIN_NUMBERED_LINES:
        return False
    steps = {second.number - first.number for first, second in pairwise(numbered)}
    distances = [first.line.baseline - second.line.baseline for first, second in pairwise(numbered)]
    lefts = [one.line.left for one in numbered]
    size = statistics.median(one.line.size for one in numbered)
    is_column = len(steps) == 1 and steps <= {1, 5} and max(lefts) - min(lefts) <= SAME_COLUMN * size
    if not is_column or max(distances) - min(distances) > UNEVEN * statistics.median(distances):
        return False
    lengths = sorted(map(len, texts))
    usual = lengths[len(lengths) // 2]
    is_prose = usual >= MIN_LENGTH and usual >= FULL * lengths[-1]
    return is_prose and sum(text[0].islower() for text in texts) >= SMALL * len(texts)
