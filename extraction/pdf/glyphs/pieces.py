"""Parts the pieces of text that PDFium makes of a page where the text changes its direction inside of one."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

from extraction.pdf.glyphs.pdfium_calls import angles

TURNED = 0.15  # radians. What a scan lies askew is less.


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
