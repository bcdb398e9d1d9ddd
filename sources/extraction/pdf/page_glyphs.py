"""The glyphs of a page as arrays: what is done to every glyph is done to all of them at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from sources.extraction.pdf.characters import (
    BRACKETS,
    DASHES,
    FIRST_PRESENTATION_FORM,
    INVISIBLE,
    KIND,
    LTR,
    MARK,
    MIRROR,
    NEUTRAL,
    RTL,
    SPACES,
    plain_letter,
)
from sources.extraction.pdf.glyphs import Glyph

# What is known of a character: its kind in the lowest bits, and these flags. 0 is a character not met yet.
KIND_BITS: Final = 0b111
UNSEEN: Final = 0b1000  # a space, or what a page carries but does not show
MIRRORED: Final = 0b1_0000
SPACE: Final = UNSEEN | MIRRORED  # no character is both else: a bracket is seen
BRACKET: Final = 0b10_0000
DASH: Final = 0b100_0000
ODD: Final = 0b1000_0000  # a mark, or a letter that becomes others: its line is put together glyph by glyph
_flags_of: Final = np.zeros(0x110000, dtype=np.uint8)


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

    def __init__(self, text: str, pieces: Sequence[tuple[int, int]], boxes: NDArray[np.float32]) -> None:
        """`boxes`: left, top, right, bottom of each character of the text, one row each."""
        codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
        flags = character_flags(codes)
        shown = np.zeros(len(codes), dtype=bool)
        for start, end in pieces:
            shown[start:end] = True
        shown &= (flags & UNSEEN) == 0
        self.places = np.flatnonzero(shown)
        self.codes = codes[self.places]
        self.flags = flags[self.places]
        self.kinds: NDArray[np.uint8] = self.flags & np.uint8(KIND_BITS)
        self.left, self.top, self.right, self.bottom = boxes[self.places].astype(np.float64).T.copy()
        self.spaces = (flags & SPACE) == SPACE  # of the whole text
        self.fonts: Mapping[int, object] = {}
        edges = np.searchsorted(self.places, np.array(pieces, dtype=np.int64).reshape(-1, 2)).tolist()
        self.bounds: list[tuple[int, int]] = [(start, end) for start, end in edges if start < end]

    def bracket_places(self) -> list[int]:
        """Places of the characters that are mirrored in right-to-left text; `fonts` wants to know theirs."""
        return [int(place) for place in self.places[(self.flags & MIRRORED) != 0]]

    def typical_places(self) -> list[int]:
        """For each piece the place of its first letter, else of its first glyph."""
        letters = np.flatnonzero((self.kinds == RTL) | (self.kinds == LTR))
        starts = np.array([start for start, _ in self.bounds], dtype=np.int64)
        first = np.append(letters, len(self.places))[np.searchsorted(letters, starts)].tolist()
        return [
            int(self.places[letter if letter < end else start])
            for letter, (start, end) in zip(first, self.bounds, strict=True)
        ]

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
        starts = [start for start, _ in self.bounds]
        heights = self.top - self.bottom
        tallest = [start + int(heights[start:end].argmax()) for start, end in self.bounds]
        for number, ((start, _), place) in enumerate(zip(self.bounds, tallest, strict=True)):
            if heights[place] <= 0:
                tallest[number] = start
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


def character_flags(codes: NDArray[np.uint32]) -> NDArray[np.uint8]:
    """Kind and flags of each character."""
    flags = _flags_of[codes]
    if not flags.all():
        for code in set(codes[flags == 0].tolist()):  # np.unique would load all of numpy.ma
            _flags_of[code] = _flags(chr(code))
        flags = _flags_of[codes]
    return flags


def _flags(char: str) -> int:
    kind = KIND[char]
    odd = kind == MARK or (kind == RTL and char >= FIRST_PRESENTATION_FORM)
    return (
        kind
        | SPACE * (char in SPACES)
        | UNSEEN * (kind == NEUTRAL and char in INVISIBLE)
        | MIRRORED * (char in MIRROR)
        | BRACKET * (char in BRACKETS)
        | DASH * (char in DASHES)
        | ODD * odd
    )


def _plain(char: str, kind: int) -> str:
    return plain_letter(char) if kind == RTL and char >= FIRST_PRESENTATION_FORM else char
