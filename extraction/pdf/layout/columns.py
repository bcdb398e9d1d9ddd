"""Two text columns that were drawn row by row across both: found by the gap most lines share."""

from typing import NamedTuple

import numpy as np

from extraction.pdf.glyphs.page_glyphs import GlyphLine

MIN_GAP_POINTS = 8.0
MIN_GAP_HEIGHTS = 0.8
MIN_LINE_GLYPHS = 40
MIN_SIDE_GLYPHS = 18
MIN_LINES = 8
MIN_SHARE = 0.5  # of the lines must have the gap
MIN_COMMON_GAP = 6.0  # points


class ColumnGap(NamedTuple):
    left: float
    right: float


def split_columns(lines: list[GlyphLine]) -> list[GlyphLine]:
    """Lines in reading order: of each block of columns the right one first, lines across both end a block."""
    if len(lines) < MIN_LINES:
        return lines
    gaps = [_widest_gap(line) for line in lines]
    middle = _common_middle(lines, gaps)
    if middle is None:
        return lines
    ordered: list[GlyphLine] = []
    right_column: list[GlyphLine] = []
    left_column: list[GlyphLine] = []

    def end_block() -> None:
        ordered.extend(right_column)
        ordered.extend(left_column)
        right_column.clear()
        left_column.clear()

    for line, gap in zip(lines, gaps, strict=True):
        is_right = line.middles()[0] > middle
        right, left = line.members[is_right], line.members[~is_right]
        if len(right) and len(left) and not (gap and gap.left <= middle <= gap.right):
            end_block()
            ordered.append(line)
            continue
        for part, column in ((right, right_column), (left, left_column)):
            if len(part):
                column.append(line.part(part))
    end_block()
    return ordered


def _widest_gap(line: GlyphLine) -> ColumnGap | None:
    threshold = max(MIN_GAP_POINTS, MIN_GAP_HEIGHTS * line.height)
    if line.widest_gap <= threshold or line.right - line.left < 2 * threshold:
        return None
    left, right = line.sides()
    order = np.argsort(left, kind="stable")
    left, edge = left[order], np.maximum.accumulate(right[order])
    gaps = left[1:] - edge[:-1]
    widest = int(gaps.argmax()) if len(gaps) else 0
    if not len(gaps) or gaps[widest] <= threshold:
        return None
    return ColumnGap(float(edge[widest]), float(left[widest + 1]))


def _common_middle(lines: list[GlyphLine], gaps: list[ColumnGap | None]) -> float | None:
    """Where the gap of nearly all two-sided lines runs, if the page has enough of them."""
    two_sided = [gap for line, gap in zip(lines, gaps, strict=True) if gap and _is_two_sided(line, gap)]
    if len(two_sided) < MIN_LINES or len(two_sided) < MIN_SHARE * len(lines):
        return None
    left_edge = sorted(gap.left for gap in two_sided)[int(len(two_sided) * 0.9)]
    right_edge = sorted(gap.right for gap in two_sided)[int(len(two_sided) * 0.1)]
    if right_edge - left_edge < MIN_COMMON_GAP:
        return None
    return (left_edge + right_edge) / 2


def _is_two_sided(line: GlyphLine, gap: ColumnGap) -> bool:
    left, right = line.sides()
    if line.aside or len(left) < MIN_LINE_GLYPHS:
        return False
    centres = (left + right) / 2
    sides = np.count_nonzero(centres < gap.left + 1), np.count_nonzero(centres > gap.right - 1)
    return bool(min(sides) >= MIN_SIDE_GLYPHS)
