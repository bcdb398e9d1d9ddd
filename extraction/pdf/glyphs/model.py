"""Boxes and finished lines, in an upright frame."""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from typing import NamedTuple


class BoundingBox(NamedTuple):
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

    def turned(self, quarters: int) -> BoundingBox:
        """The box after text that runs at `quarters` x 90 degrees (anticlockwise) is laid level."""
        left, bottom, right, top = self
        if quarters == 1:
            return BoundingBox(bottom, -right, top, -left)
        if quarters == 2:
            return BoundingBox(-right, -top, -left, -bottom)
        if quarters == 3:
            return BoundingBox(-top, left, -bottom, right)
        return self


@dataclass(slots=True)
class TextLine:
    """A finished line in logical order.

    Wide gaps became tabs. `gaps` are their (left, right) in reading order. `is_row`: a table row,
    of a ruled table if `edges` has the borders of its columns. Rows of one table share that object.
    `note`: it stands in the margin, beside the line that follows. `mixed`: its ends are of two sizes of type.
    """

    text: str
    left: float
    right: float
    top: float
    baseline: float
    size: float
    gaps: tuple[tuple[float, float], ...] = ()
    is_row: bool = False
    edges: tuple[float, ...] = ()
    aside: bool = False
    note: bool = False
    mixed: bool = False


def level_sizes(lines: list[TextLine]) -> None:
    """Give all lines the usual size: OCR takes it from the boxes of words, which says nothing of the type."""
    if lines:
        typical = statistics.median(line.size for line in lines)
        for line in lines:
            line.size = typical
