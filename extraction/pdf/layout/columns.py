"""Lines of one height, cut at their gaps, and two columns that were drawn row by row across both."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from extraction.pdf.glyphs.page_glyphs import GlyphLine, Places
from extraction.pdf.text.line_ends import begins_section
from extraction.text.characters import LTR, RTL

LEVEL = 0.4  # sizes between the baselines of what stands side by side
MIN_GAP = 0.8  # heights of the line
_NUMBER = re.compile(r"(\d{1,4})(?!\d)")
_BEGINNING = 12  # glyphs of a line that tell whether it begins a section
MIN_GAP_POINTS = 8.0
MIN_GAP_HEIGHTS = 0.8
MIN_ROWS = 8
MIN_COUNTED_ROWS = 4  # where the sections count on from the foot of one column to the head of the other
MIN_SHARE = 0.5  # of the rows must have the gap
MIN_COMMON_GAP = 6.0  # points
MIN_SIDE_GLYPHS = 16  # of a usual row at each side: shorter ones are cells of a table
MIN_TURNS = 0.1  # of the rows that have the gap: so often the file turns from one column to the other ...
MIN_TURNS_IN_ALL = 3  # ... and no less


class RowSegment(NamedTuple):
    """Glyphs of one line without a gap, in any order."""

    line: GlyphLine
    members: Places
    left: float
    right: float

    @property
    def letters(self) -> int:
        kinds = self.line.page.kinds[self.members]
        return int(np.count_nonzero((kinds == RTL) | (kinds == LTR)))

    @property
    def height(self) -> float:
        page = self.line.page
        return float((page.top[self.members] - page.bottom[self.members]).max())

    def begins_section(self, *, from_right: bool) -> bool:
        return begins_section(self._beginning(from_right=from_right))

    def section_number(self, *, from_right: bool) -> int | None:
        """The number with which it begins a section."""
        beginning = self._beginning(from_right=from_right)
        number = _NUMBER.match(beginning) if begins_section(beginning) else None
        return int(number[1][::-1] if from_right else number[1]) if number else None

    def _beginning(self, *, from_right: bool) -> str:
        """Its first glyphs, in the order in which they stand."""
        page = self.line.page
        members = self.members[np.argsort(page.left[self.members], kind="stable")]
        beginning = members[::-1][:_BEGINNING] if from_right else members[:_BEGINNING]
        return "".join(map(chr, page.codes[beginning].tolist()))


def rows_of(lines: Sequence[GlyphLine]) -> list[list[RowSegment]]:
    """The segments of the lines, those at one height together, from left to right. The page's first row comes first."""
    rows: list[list[RowSegment]] = []
    height = 0.0
    for line in sorted(lines, key=lambda line: -line.baseline):
        if not rows or height - line.baseline > LEVEL * line.size:
            rows.append([])
            height = line.baseline
        rows[-1] += _segments(line)
    for row in rows:
        row.sort(key=lambda segment: segment.left)
    return rows


def _segments(line: GlyphLine) -> Iterator[RowSegment]:
    if line.widest_gap <= MIN_GAP * line.height:
        yield RowSegment(line, line.members, line.left, line.right)
        return
    left, right = line.sides()
    order = np.argsort(left, kind="stable")
    members, left, edge = line.members[order], left[order], np.maximum.accumulate(right[order])
    cuts = [0, *(np.flatnonzero(left[1:] - edge[:-1] > MIN_GAP * line.height) + 1).tolist(), len(members)]
    for start, end in pairwise(cuts):
        yield RowSegment(line, members[start:end], float(left[start]), float(edge[end - 1]))


def split_columns(lines: list[GlyphLine], *, from_right: bool) -> list[GlyphLine]:
    """Lines in reading order: of each block of columns the first one first, lines across both end a block.

    `from_right`: the first column is the right one.
    """
    middle = find_middle(lines, from_right=from_right)
    if middle is None:
        return lines
    ordered: list[GlyphLine] = []
    left_column: list[GlyphLine] = []
    right_column: list[GlyphLine] = []
    columns = (right_column, left_column) if from_right else (left_column, right_column)

    def end_block() -> None:
        for column in columns:
            ordered.extend(column)
            column.clear()

    for line in lines:
        left, right = line.sides()
        is_right = left + right > 2 * middle
        is_both = is_right.any() and not is_right.all()
        if is_both and left[is_right].min() - right[~is_right].max() < MIN_COMMON_GAP:
            end_block()
            ordered.append(line)
            continue
        for part, column in ((line.members[is_right], right_column), (line.members[~is_right], left_column)):
            if len(part):
                column.append(line.part(part))
    end_block()
    return ordered


def find_middle(lines: Sequence[GlyphLine], *, from_right: bool) -> float | None:
    """Where the gap of most rows runs, if the file turns from side to side. Columns drawn one by one are in order.

    A few rows may as well be those of a table: then the numbers of sections must tell.
    """
    if len(lines) < MIN_COUNTED_ROWS:
        return None
    rows = rows_of([line for line in lines if not line.aside])
    gaps = [gap for row in rows if len(row) > 1 and (gap := _widest_gap(row))]
    if len(gaps) < max(MIN_COUNTED_ROWS, MIN_SHARE * len(rows)):
        return None
    left_edge = sorted(low for low, _ in gaps)[int(len(gaps) * 0.9)]
    right_edge = sorted(high for _, high in gaps)[int(len(gaps) * 0.1)]
    if right_edge - left_edge < MIN_COMMON_GAP:
        return None
    middle = (left_edge + right_edge) / 2
    is_text = _is_prose(rows, middle, gaps=len(gaps)) or _counts_on(rows, middle, from_right=from_right)
    return middle if is_text and _turns(lines, middle) >= max(MIN_TURNS_IN_ALL, MIN_TURNS * len(gaps)) else None


def _is_prose(rows: Sequence[Sequence[RowSegment]], middle: float, *, gaps: int) -> bool:
    """Whether each side has more in its many rows than the cells of a table."""
    sides = [0, 0]
    for row in rows:
        if any(low <= middle <= high for low, high in _gaps(row)):
            for segment in row:
                sides[segment.left > middle] += len(segment.members)
    return gaps >= MIN_ROWS and min(sides) >= MIN_SIDE_GLYPHS * gaps


def _counts_on(rows: Sequence[Sequence[RowSegment]], middle: float, *, from_right: bool) -> bool:
    """Whether the sections of the second column have the numbers that follow those of the first."""
    columns: tuple[list[int], list[int]] = ([], [])
    for row in rows:
        for segment in row:
            number = segment.section_number(from_right=from_right)
            if number is not None:
                columns[(segment.left > middle) != from_right].append(number)
    first, second = columns
    numbers = [*first, *second]
    return bool(first and second) and second[0] == first[-1] + 1 and numbers == sorted(set(numbers))


def _gaps(row: Sequence[RowSegment]) -> list[tuple[float, float]]:
    return [(before.right, after.left) for before, after in pairwise(row)]


def _widest_gap(row: Sequence[RowSegment]) -> tuple[float, float] | None:
    """The widest gap of a row, if it is wide enough for columns."""
    low, high = max(_gaps(row), key=lambda gap: gap[1] - gap[0])
    return (low, high) if high - low > max(MIN_GAP_POINTS, MIN_GAP_HEIGHTS * row[0].line.height) else None


def _turns(lines: Sequence[GlyphLine], middle: float) -> int:
    """How often the file goes from one side of the page to the other."""
    sides = [line.left > middle for line in lines]
    both = sum(line.left < middle < line.right for line in lines)
    return both + sum(before != after for before, after in pairwise(sides))
