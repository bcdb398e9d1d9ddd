"""Marks above or below a line that are drawn after the other lines, as web browsers print what a page has moved."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final, cast

import numpy as np
from numpy.typing import NDArray

from extraction.pdf.glyphs.model import TextLine
from extraction.pdf.glyphs.page_glyphs import GlyphLine, PageGlyphs, Places

# As shares of a height: that of the line for those of a mark, that of the mark for what lies between the two.
MAX_MARK: Final = 1.05
WIDEST_MARK: Final = 3.0
MIN_MOVED: Final = 0.1
MIN_OVERLAP: Final = 0.2
TOUCHES: Final = 0.3
BETWEEN_MARKS: Final = 0.25  # a gap that parts two


def may_have_marks_apart(lines: Sequence[TextLine] | Sequence[GlyphLine]) -> bool:
    """Whether any line lies inside of another."""
    return bool(_inside(lines).any())


def with_marks_in_place(lines: list[GlyphLine]) -> list[GlyphLine]:
    """The lines without those that are nothing but such marks. These become glyphs of the lines that they touch."""
    inside = _inside(lines)
    kept = []
    for line, of_others in zip(lines, inside, strict=True):
        others = [lines[place] for place in np.flatnonzero(of_others)]
        marks = [(mark, _touched(mark, line, others)) for mark in _marks(line)] if others else []
        if not marks or any(touched is None for _mark, touched in marks):
            kept.append(line)
            continue
        for mark, touched in marks:
            _hang_on(mark, cast(GlyphLine, touched))
    return kept


def _inside(lines: Sequence[TextLine] | Sequence[GlyphLine]) -> NDArray[np.bool_]:
    """For each line (rows) whether it begins and ends inside of each other one, and at about its height."""
    sides = [(line.left, line.right, _bottom(line), line.top) for line in lines]
    left, right, bottom, top = np.array(sides, dtype=np.float64).reshape(-1, 4).T
    height = top - bottom
    common = np.minimum(top[:, None], top) - np.maximum(bottom[:, None], bottom)
    near = (common > MIN_OVERLAP * height[:, None]) & (height[:, None] <= MAX_MARK * height)
    reach = height[:, None]
    near &= (left[:, None] > left - reach) & (right[:, None] < right + reach)
    near &= (right - left)[:, None] < right - left
    return near


def _bottom(line: TextLine | GlyphLine) -> float:
    return line.baseline if isinstance(line, TextLine) else line.bottom


def _marks(line: GlyphLine) -> Iterator[Places]:
    """The glyphs of the line in groups, parted where there is a gap."""
    members = line.members[np.argsort(line.page.left[line.members], kind="stable")]
    gaps = line.page.left[members[1:]] - line.page.right[members[:-1]]
    yield from np.split(members, np.flatnonzero(gaps > BETWEEN_MARKS * line.height) + 1)


def _touched(mark: Places, line: GlyphLine, others: Sequence[GlyphLine]) -> GlyphLine | None:
    """Of the others that which the mark touches, None if it may be anything else than a mark."""
    page, height = line.page, line.height
    left, right = page.left[mark].min(), page.right[mark].max()
    if right - left > WIDEST_MARK * height:
        return None
    touched = [other for other in others if _is_beside(page, left, right, height, other) and _is_moved(line, other)]
    return max(touched, key=lambda other: min(line.top, other.top) - max(line.bottom, other.bottom), default=None)


def _is_beside(page: PageGlyphs, left: float, right: float, height: float, line: GlyphLine) -> bool:
    """Whether it touches a glyph of the line, and lies on none."""
    lefts, rights = page.left[line.members], page.right[line.members]
    if np.any(np.minimum(rights, right) - np.maximum(lefts, left) > TOUCHES * height):
        return False
    return bool(np.any(np.abs(left - rights) < TOUCHES * height) or np.any(np.abs(lefts - right) < TOUCHES * height))


def _is_moved(line: GlyphLine, other: GlyphLine) -> bool:
    return not line.aside and not other.aside and abs(line.baseline - other.baseline) > MIN_MOVED * other.height


def _hang_on(mark: Places, line: GlyphLine) -> None:
    page = line.page
    page.raised[mark] = page.bottom[mark] > line.bottom
    line.members = np.concatenate([line.members, mark])
    line.left = min(line.left, float(page.left[mark].min()))
    line.right = max(line.right, float(page.right[mark].max()))
