"""The glyphs of a page as arrays: what is done to every glyph is done to all of them at once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from sources.extraction.pdf.glyphs.model import Glyph
from sources.extraction.pdf.text.characters import FIRST_PRESENTATION_FORM, LTR, RTL, plain_letter
from sources.extraction.pdf.text.page_text import KIND_BITS, MIRRORED, SPACE, UNSEEN, Codes, Flags


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

    `bounds` says where in the arrays each piece starts and ends. Places are those in the emitted text.
    """

    def __init__(
        self,
        codes: Codes,
        flags: Flags,
        pieces: Sequence[tuple[int, int]],
        *,
        boxes_at: Callable[[list[int]], NDArray[np.float32]],
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
        self.edges: NDArray[np.float64] = boxes_at(self.places.tolist()).T.astype(np.float64, order="C")
        self.left, self.top, self.right, self.bottom = self.edges
        self.spaces = (flags & np.uint16(SPACE)) != 0  # of the whole text
        self.fonts: Mapping[int, object] = {}
        edges = np.searchsorted(self.places, np.array(pieces, dtype=np.int64).reshape(-1, 2)).tolist()
        self.bounds: list[tuple[int, int]] = [(start, end) for start, end in edges if start < end]

    def bracket_places(self) -> list[int]:
        """Places of the characters that are mirrored in right-to-left text, whose fonts are needed."""
        return cast(list[int], self.places[(self.flags & np.uint16(MIRRORED)) != 0].tolist())

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
        left, right, bottom, top = (side[part].copy() for side in (self.left, self.right, self.bottom, self.top))
        if quarters == 1:
            left, bottom, right, top = bottom, -right, top, -left
        elif quarters == 2:
            left, bottom, right, top = -right, -top, -left, -bottom
        elif quarters == 3:
            left, bottom, right, top = -top, left, -bottom, right
        self.left[part], self.right[part], self.bottom[part], self.top[part] = left, right, bottom, top

    def extents(self) -> list[Extent]:
        """That of each piece."""
        if not self.bounds:
            return []
        starts, ends = np.array(self.bounds).T
        heights = self.top - self.bottom
        highest = np.maximum.reduceat(heights, starts)
        tall = np.flatnonzero(~(heights < np.repeat(highest, ends - starts)))
        tallest = np.where(highest > 0, tall[np.searchsorted(tall, starts)], starts)
        return [
            Extent(*row)
            for row in zip(
                np.minimum.reduceat(self.left, starts).tolist(),
                np.maximum.reduceat(self.right, starts).tolist(),
                np.minimum.reduceat(self.bottom, starts).tolist(),
                np.maximum.reduceat(self.top, starts).tolist(),
                self.bottom[tallest].tolist(),
                self.top[tallest].tolist(),
                strict=True,
            )
        ]

    def glyphs(self, start: int, end: int) -> list[Glyph]:
        """Those of a stretch, one by one."""
        chars = self.codes[start:end].tobytes().decode("utf-32-le", "surrogatepass")
        columns = (
            side[start:end].tolist() for side in (self.left, self.right, self.bottom, self.top, self.kinds, self.places)
        )
        return [
            Glyph(left, right, bottom, top, _plain(char, kind), kind, place, self.fonts.get(place))
            for left, right, bottom, top, kind, place, char in zip(*columns, chars, strict=True)
        ]


def _plain(char: str, kind: int) -> str:
    return plain_letter(char) if kind == RTL and char >= FIRST_PRESENTATION_FORM else char
