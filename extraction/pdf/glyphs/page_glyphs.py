"""The glyphs of a page as arrays, and lines of them: what is done to every glyph is done to all of them at once."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from extraction.pdf.glyphs.model import BoundingBox
from extraction.pdf.text.page_text import KIND_BITS, MIRRORED, SPACE, UNSEEN, Codes, Flags
from extraction.text.characters import LTR, RTL

ROW_REACH = 0.15  # of a line's height: how far outside it the middle of a glyph may be

Floats = NDArray[np.float64]
Places = NDArray[np.int64]


class Extent(NamedTuple):
    """Of a stretch of glyphs: its outer edges, and bottom and top of its tallest glyph."""

    left: float
    right: float
    lowest: float
    highest: float
    bottom: float
    top: float


class PageGlyphs:
    """The glyphs of the pieces of text that the engine emitted, piece after piece, as they follow one another in them.

    `bounds` says where in the arrays each piece starts and ends. `places` are those in the emitted text, and `spaces`
    tells of all its places which are spaces. `fonts` are known for brackets only, by the number of the glyph. `raised`
    are those that are known to stand above their line.
    """

    def __init__(
        self,
        codes: Codes,
        flags: Flags,
        pieces: Sequence[tuple[int, int]],
        *,
        boxes_at: Callable[[list[int]], NDArray[np.float32]],
        font_at: Callable[[int], bytes],
    ) -> None:
        """`codes` and `flags` are of the emitted text. `boxes_at` gives left, top, right, bottom at each place."""
        shown = np.zeros(len(codes), dtype=bool)
        for start, end in pieces:
            shown[start:end] = True
        shown &= (flags & np.uint16(UNSEEN)) == 0
        self.places = np.flatnonzero(shown)
        self.codes = codes[self.places]
        self.flags = flags[self.places]
        self.kinds: NDArray[np.uint8] = (self.flags & np.uint16(KIND_BITS)).astype(np.uint8)
        self.edges: Floats = boxes_at(self.places.tolist()).T.astype(np.float64, order="C")
        self.left, self.top, self.right, self.bottom = self.edges
        self.raised = np.zeros(len(self.places), dtype=np.bool_)
        self.spaces = (flags & np.uint16(SPACE)) != 0
        mirrored = np.flatnonzero(self.flags & np.uint16(MIRRORED))
        self.fonts = {number: font_at(int(self.places[number])) for number in mirrored.tolist()}
        edges = np.searchsorted(self.places, np.array(pieces, dtype=np.int64).reshape(-1, 2)).tolist()
        self.bounds: list[tuple[int, int]] = [(start, end) for start, end in edges if start < end]

    def leave_out(self, unwanted: NDArray[np.bool_]) -> None:
        """Count the places of the emitted text without those characters."""
        self.places = (np.cumsum(~unwanted) - ~unwanted)[self.places]
        self.spaces = self.spaces[~unwanted]

    def typical_places(self) -> list[int]:
        """For each piece the place of its first letter, else of its first glyph."""
        if not self.bounds:
            return []
        starts, ends = np.array(self.bounds).T
        letters = np.flatnonzero((self.kinds == RTL) | (self.kinds == LTR))
        first = np.append(letters, len(self.places))[np.searchsorted(letters, starts)]
        return cast(list[int], self.places[np.where(first < ends, first, starts)].tolist())

    def turn(self, piece: int, quarters: int) -> None:
        """Lay a piece level whose text runs at `quarters` x 90 degrees (anticlockwise)."""
        part = slice(*self.bounds[piece])
        sides = self.left, self.bottom, self.right, self.top
        copies: list[Any] = [side[part].copy() for side in sides]
        for side, level in zip(sides, BoundingBox(*copies).turned(quarters), strict=True):
            side[part] = level

    def extents(self) -> list[Extent]:
        """That of each piece."""
        if not self.bounds:
            return []
        starts, ends = np.array(self.bounds).T
        heights = self.top - self.bottom
        highest = np.maximum.reduceat(heights, starts)
        tall = np.flatnonzero(~(heights < np.repeat(highest, ends - starts)))
        tallest = np.where(highest > 0, tall[np.searchsorted(tall, starts)], starts)
        outer = (
            np.minimum.reduceat(self.left, starts),
            np.maximum.reduceat(self.right, starts),
            np.minimum.reduceat(self.bottom, starts),
            np.maximum.reduceat(self.top, starts),
        )
        columns = [*outer, self.bottom[tallest], self.top[tallest]]
        return [Extent(*row) for row in zip(*(column.tolist() for column in columns), strict=True)]

    def line_of(self, members: Places) -> GlyphLine:
        """A line of those glyphs, which says of size and baseline only what their boxes do."""
        heights = self.top[members] - self.bottom[members]
        tallest = int(heights.argmax())
        tallest = tallest if heights[tallest] > 0 else 0
        bottom, top = float(self.bottom[members[tallest]]), float(self.top[members[tallest]])
        return GlyphLine(
            page=self,
            members=members,
            left=float(self.left[members].min()),
            right=float(self.right[members].max()),
            bottom=bottom,
            top=top,
            size=max(0.0, top - bottom),
            baseline=bottom,
        )


class LineCharacters(NamedTuple):
    """The characters of a line, left to right with spaces, brackets still as the font codes them, and a kind for each.

    `brackets`: their places and fonts. `gaps`: those that became tabs, left to right.
    """

    chars: Sequence[str]
    kinds: bytes
    brackets: list[tuple[int, object]]
    gaps: list[tuple[float, float]]


NOT_PUT_TOGETHER = LineCharacters("", b"", [], [])


@dataclass(slots=True, kw_only=True, eq=False)
class GlyphLine:
    """Glyphs of one printed line in any order: the numbers of those `members` in the page's arrays.

    Bottom and top are those of its tallest glyph.
    `size`: type size in points, `baseline`: where the letters stand. Boxes tell neither, for many producers shrink
    them to the glyph. `mirrored`: written with a mirrored text matrix (Tesseract's layers), so digits and Latin
    lie backwards. `aside`: runs in another direction than the page. `characters`: how its glyphs stand side by side,
    once that was found out. `widest_gap`: no gap in it is wider, in points.
    """

    page: PageGlyphs
    members: Places
    left: float
    right: float
    bottom: float
    top: float
    size: float
    baseline: float
    mirrored: bool = False
    aside: bool = False
    characters: LineCharacters = NOT_PUT_TOGETHER
    widest_gap: float = math.inf

    def part(self, members: Places) -> GlyphLine:
        """A line of some of the glyphs."""
        line = self.page.line_of(members)
        line.size, line.baseline, line.mirrored, line.aside = self.size, self.baseline, self.mirrored, self.aside
        return line

    def sides(self) -> tuple[Floats, Floats]:
        """The left and the right edges of the glyphs."""
        return self.page.left[self.members], self.page.right[self.members]

    def middles(self) -> tuple[Floats, Floats]:
        """x and y of the middles of the glyphs."""
        page, own = self.page, self.members
        return (page.left[own] + page.right[own]) / 2, (page.bottom[own] + page.top[own]) / 2

    @property
    def height(self) -> float:
        return self.top - self.bottom


def group_by_height(page: PageGlyphs, members: Places) -> list[GlyphLine]:
    """Lines, top to bottom, of glyphs that stand at about the same height.

    The tall glyphs make the lines and the small ones (stops, quotes) join them: their boxes may be as small as they.
    """
    rows: list[tuple[float, float, list[int]]] = []  # bottom and top of the tall glyph, members
    bottoms, tops = page.bottom[members], page.top[members]
    order = np.argsort(bottoms - tops, kind="stable")
    for member, bottom, top in zip(members[order].tolist(), bottoms[order].tolist(), tops[order].tolist(), strict=True):
        middle = (bottom + top) / 2
        nearest, distance = None, math.inf
        for row in rows:
            away = max(row[0] - middle, middle - row[1])
            if away < distance:
                nearest, distance = row, away
        if nearest is not None and distance <= ROW_REACH * (nearest[1] - nearest[0]):
            nearest[2].append(member)
        else:
            rows.append((bottom, top, [member]))
    rows.sort(key=lambda row: -(row[0] + row[1]))
    return [page.line_of(np.array(row[2])) for row in rows]
