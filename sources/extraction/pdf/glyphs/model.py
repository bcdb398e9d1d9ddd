"""Glyphs with their boxes, and lines of them, in an upright frame."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sources.extraction.pdf.text.characters import RTL

if TYPE_CHECKING:
    from sources.extraction.pdf.glyphs.page_glyphs import PageGlyphs

ROW_REACH = 0.15  # of a line's height: how far outside it the middle of a glyph may be


class Glyph(NamedTuple):
    """`place`: index in the text the engine emitted. `font` is known for brackets only."""

    left: float
    right: float
    bottom: float
    top: float
    char: str
    kind: int
    place: int
    font: object = None


class Box(NamedTuple):
    left: float
    bottom: float
    right: float
    top: float

    @property
    def height(self) -> float:
        return self.top - self.bottom

    @property
    def width(self) -> float:
        return self.right - self.left

    def turned(self, quarters: int) -> Box:
        """The box after text that runs at `quarters` x 90 degrees (anticlockwise) is laid level."""
        left, bottom, right, top = self
        if quarters == 1:
            return Box(bottom, -right, top, -left)
        if quarters == 2:
            return Box(-right, -top, -left, -bottom)
        if quarters == 3:
            return Box(-top, left, -bottom, right)
        return self


class LineCharacters(NamedTuple):
    """The characters of a line, left to right with spaces, and a kind for each.

    `brackets`: their places and fonts. `gaps`: those that became tabs, left to right.
    """

    chars: Sequence[str]
    kinds: Sequence[int]
    brackets: list[tuple[int, object]]
    gaps: list[tuple[float, float]]


class GlyphLine:
    """Glyphs of one printed line in any order. Bottom and top are those of its tallest glyph.

    `size`: type size in points, `baseline`: where the letters stand; boxes tell neither, for many producers shrink
    them to the glyph. `mirrored`: written with a mirrored text matrix (Tesseract's layers), so digits and Latin
    lie backwards. `aside`: runs in another direction than the page. `characters`: how its glyphs stand side by side,
    where that was found out for all lines of the page at once. `widest_gap`: no gap in it is wider, in points.
    """

    __slots__ = (
        "_glyphs",
        "aside",
        "baseline",
        "bottom",
        "characters",
        "end",
        "left",
        "mirrored",
        "page",
        "right",
        "size",
        "start",
        "top",
        "widest_gap",
    )

    def __init__(
        self,
        *,
        left: float,
        right: float,
        bottom: float,
        top: float,
        size: float,
        baseline: float,
        mirrored: bool,
        aside: bool,
        glyphs: list[Glyph] | None = None,
        page: PageGlyphs | None = None,
        start: int = 0,
        end: int = 0,
    ) -> None:
        """Either of `glyphs`, or of those that a page has from `start` to `end`."""
        self.left, self.right, self.bottom, self.top = left, right, bottom, top
        self.size, self.baseline = size, baseline
        self.mirrored, self.aside = mirrored, aside
        self.page, self.start, self.end = page, start, end
        self.characters: LineCharacters | None = None
        self.widest_gap = math.inf
        self._glyphs = glyphs

    @classmethod
    def of(
        cls,
        glyphs: list[Glyph],
        *,
        size: float | None = None,
        baseline: float | None = None,
        mirrored: bool = False,
        aside: bool = False,
    ) -> GlyphLine:
        tallest = glyphs[0]
        height = 0.0
        for glyph in glyphs:
            if glyph[3] - glyph[2] > height:
                tallest, height = glyph, glyph[3] - glyph[2]
        return cls(
            glyphs=glyphs,
            left=min([glyph[0] for glyph in glyphs]),
            right=max([glyph[1] for glyph in glyphs]),
            bottom=tallest.bottom,
            top=tallest.top,
            size=height if size is None else size,
            baseline=tallest.bottom if baseline is None else baseline,
            mirrored=mirrored,
            aside=aside,
        )

    def part(self, glyphs: list[Glyph]) -> GlyphLine:
        """A line of some of the glyphs."""
        return GlyphLine.of(glyphs, size=self.size, baseline=self.baseline, mirrored=self.mirrored, aside=self.aside)

    @property
    def glyphs(self) -> list[Glyph]:
        if self._glyphs is None:
            self._glyphs = self.page.glyphs(self.start, self.end) if self.page else []
        return self._glyphs

    def sides(self) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """The left and the right edges of the glyphs."""
        if self.page is not None:
            return self.page.left[self.start : self.end], self.page.right[self.start : self.end]
        edges = np.array([(glyph.left, glyph.right) for glyph in self.glyphs])
        return edges[:, 0], edges[:, 1]

    @property
    def height(self) -> float:
        return self.top - self.bottom

    @property
    def has_rtl(self) -> bool:
        return any(glyph.kind == RTL for glyph in self.glyphs)


@dataclass(slots=True)
class TextLine:
    """A finished line in logical order.

    Wide gaps became tabs. `gaps` are their (left, right) in reading order. `is_row`: a table row.
    """

    text: str
    left: float
    right: float
    top: float
    baseline: float
    size: float
    gaps: tuple[tuple[float, float], ...] = ()
    is_row: bool = False
    aside: bool = False


def group_by_height(glyphs: Iterable[Glyph]) -> list[GlyphLine]:
    """Lines, top to bottom, of glyphs that stand at about the same height.

    The tall glyphs make the lines and the small ones (stops, quotes) join them: their boxes may be as small as they.
    """
    rows: list[tuple[float, float, list[Glyph]]] = []  # bottom and top of the tall glyph, members
    for glyph in sorted(glyphs, key=lambda one: one.bottom - one.top):
        middle = (glyph.bottom + glyph.top) / 2
        nearest, distance = None, math.inf
        for row in rows:
            away = max(row[0] - middle, middle - row[1])
            if away < distance:
                nearest, distance = row, away
        if nearest is not None and distance <= ROW_REACH * (nearest[1] - nearest[0]):
            nearest[2].append(glyph)
        else:
            rows.append((glyph.bottom, glyph.top, [glyph]))
    rows.sort(key=lambda row: -(row[0] + row[1]))
    return [GlyphLine.of(members) for _, _, members in rows]


def level_sizes(lines: list[TextLine]) -> None:
    """Give all lines the usual size: OCR takes it from the boxes of words, which says nothing of the type."""
    if lines:
        typical = statistics.median(line.size for line in lines)
        for line in lines:
            line.size = typical
