"""Pieces of a page's text: those that nobody sees (without ink, pale, under a drawing), and those that turn.

A piece is the places of its first character and of the one behind its last.
"""

import ctypes
import math
from collections.abc import Iterator, Sequence
from typing import Any, Protocol

import pypdfium2.raw as pdfium_c

from extraction.pdf.glyphs.model import BoundingBox
from extraction.pdf.glyphs.pdfium_calls import CharacterBoxes, angles

TURNED = 0.15  # radians. What a scan lies askew is less.
COPIED = 0.5  # of the place of a text without ink, where other text is
MAX_PIECES = 1_000  # of a page, in which copies are looked for
SAMPLES = 12
PALE = 0xF0  # of 255, in each colour

Piece = tuple[int, int]


class Covering(Protocol):
    """What is drawn over text."""

    def over(self, box: BoundingBox) -> bool:
        """Whether something of it touches a place, in which characters are looked for then."""

    def hide(self, text: Any, box: BoundingBox) -> bool:
        """Whether it lies over a character of a text object at this place."""


_boxes = CharacterBoxes()
_colours = [ctypes.c_uint() for _ in range(4)]


def has_ink(textpage: Any, place: int) -> bool:
    """Whether a character is drawn with ink. Programs that lay OCR under a scan draw without."""
    shown = pdfium_c.FPDFText_GetTextObject(textpage, place)
    return not shown or pdfium_c.FPDFTextObj_GetTextRenderMode(shown) != pdfium_c.FPDF_TEXTRENDERMODE_INVISIBLE


def without_copies(textpage: Any, pieces: list[Piece]) -> list[Piece]:
    """The pieces without those that have no ink and lie under others, as where OCR read a page that was text."""
    step = max(1, len(pieces) // SAMPLES)
    if len(pieces) > MAX_PIECES or len({has_ink(textpage, start) for start, _ in pieces[::step]}) < 2:
        return pieces
    inked = [box_of(textpage, piece) for piece in pieces if has_ink(textpage, piece[0])]
    return [piece for piece in pieces if has_ink(textpage, piece[0]) or not _is_under(box_of(textpage, piece), inked)]


def pale(textpage: Any, pieces: Sequence[Piece]) -> list[Piece]:
    """Those in white, or nearly."""
    return [piece for piece in pieces if _is_pale(textpage, piece[0]) and _is_pale(textpage, piece[1] - 1)]


def parts_covered(textpage: Any, pieces: Sequence[Piece], covers: Covering) -> Iterator[tuple[Piece, bool]]:
    """The pieces, parted where something begins to lie over them or ends, and whether it does."""
    for piece in pieces:
        if not covers.over(box_of(textpage, piece)):
            yield piece, False
            continue
        begin, covered = piece[0], _is_covered(textpage, piece[0], covers)
        for place in range(*piece):
            if _is_covered(textpage, place, covers) != covered:
                yield (begin, place), covered
                begin, covered = place, not covered
        yield (begin, piece[1]), covered


def box_of(textpage: Any, piece: Piece) -> BoundingBox:
    """The place of a piece on the page as it is stored."""
    left, top, right, bottom = _boxes.at(textpage, range(*piece)).T
    return BoundingBox(float(left.min()), float(bottom.min()), float(right.max()), float(top.max()))


def _is_pale(textpage: Any, place: int) -> bool:
    known = pdfium_c.FPDFText_GetFillColor(textpage, place, *_colours)
    return bool(known) and all(colour.value >= PALE for colour in _colours[:3])


def _is_covered(textpage: Any, place: int, covers: Covering) -> bool:
    return covers.hide(pdfium_c.FPDFText_GetTextObject(textpage, place), box_of(textpage, (place, place + 1)))


def _is_under(box: BoundingBox, others: Sequence[BoundingBox]) -> bool:
    shared = 0.0
    for other in others:
        width = min(box.right, other.right) - max(box.left, other.left)
        height = min(box.top, other.top) - max(box.bottom, other.bottom)
        shared += width * height if width > 0 and height > 0 else 0.0
    return shared >= COPIED * max(1.0, box.width * box.height)


def of_one_direction(textpage: Any, pieces: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    """The pieces, those of several directions parted. A stamp across lines comes among their letters otherwise."""
    first = angles(textpage, (start for start, _ in pieces))
    last = angles(textpage, (end - 1 for _, end in pieces))
    found: list[tuple[int, int]] = []
    for piece, one, other in zip(pieces, first, last, strict=True):
        found += _parts(textpage, piece) if one != other and _differ(one, other) else [piece]
    return found


def _differ(one: float, other: float) -> bool:
    apart = abs(one - other)
    return min(apart, math.tau - apart) > TURNED


def _parts(textpage: Any, piece: tuple[int, int]) -> Iterator[tuple[int, int]]:
    begin, direction = piece[0], None
    for place, angle in enumerate(angles(textpage, range(*piece)), start=piece[0]):
        if angle < 0:  # a space that PDFium has put in
            continue
        if direction is not None and _differ(angle, direction):
            yield begin, place
            begin = place
        direction = angle
    yield begin, piece[1]
