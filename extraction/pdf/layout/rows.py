"""What stands side by side on a page: the lines of one height, cut at their gaps."""

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from extraction.pdf.glyphs.page_glyphs import GlyphLine, Places
from extraction.pdf.text.legal_marks import begins_section
from extraction.text.characters import LTR, RTL

LEVEL = 0.4  # sizes between the baselines of what stands side by side
MIN_GAP = 0.8  # heights of the line
_NUMBER = re.compile(r"(\d{1,4})(?!\d)")
_BEGINNING = 12  # glyphs of a line that tell whether it begins a section


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
