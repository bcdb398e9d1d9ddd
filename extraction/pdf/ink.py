"""How much of what is inked on a page its text does not cover, by a small picture of the page."""

from collections.abc import Iterable

import numpy as np
import pypdfium2 as pdfium
from numpy.typing import NDArray

from extraction.pdf.glyphs.model import BoundingBox, TextLine

SCALE = 0.5  # pixels a point: a letter is a grey spot
MAX_PIXELS = 4_000_000
DARKER = 40  # than the paper, of 255: that is ink
WHITE = 240  # of 255, from which on white text is not seen on the paper
DESCENT = 0.3  # of the type size, below the baseline
EDGE = 2.0  # points in a part that its neighbours may share
AROUND = 1.5  # points around a line that are its own

Mask = NDArray[np.bool_]


class Ink:
    """Where a page is inked and its text is not. `box` is level, `turn` the quarter turns of its text."""

    def __init__(self, page: pdfium.PdfPage, lines: Iterable[TextLine], *, box: BoundingBox, turn: int) -> None:
        self._box = box
        self._inked, self._is_on_white = _inked(page, turn)
        covered = np.zeros_like(self._inked)
        for line in lines:
            bottom = line.baseline - DESCENT * line.size - AROUND
            around = BoundingBox(line.left - AROUND, bottom, line.right + AROUND, line.top + AROUND)
            covered[self._place(around)] = True
        self._uncovered = self._inked & ~covered

    def uncovered(self, part: BoundingBox | None = None) -> float:
        """The share of the ink, of a part of the page or of all of it, that no text covers. 0 without ink."""
        place = self._place(part or self._box)
        return float(self._uncovered[place].sum() / max(1, self._inked[place].sum()))

    def uncovered_share(self, part: BoundingBox) -> float:
        """The share of a part of the page that is inked and has no text."""
        found = self._uncovered[self._place(part)]
        return float(found.mean()) if found.size else 0.0

    def shows(self, part: BoundingBox) -> bool:
        """Whether there is ink in a part of the page."""
        return bool(self._inked[self._place(part)].any())

    def shows_white(self, part: BoundingBox) -> bool:
        """Whether white text is seen there: the paper is darker, or what it stands on is."""
        return not self._is_on_white or self.shows(part)

    def is_even(self, part: BoundingBox) -> bool:
        """Whether a part of the page has ink everywhere inside, or nowhere."""
        left, bottom, right, top = part
        across, down = (min(EDGE, side / 3) for side in (part.width, part.height))
        found = self._inked[self._place(BoundingBox(left + across, bottom + down, right - across, top - down))]
        return bool(found.all() or not found.any())

    def _place(self, part: BoundingBox) -> tuple[slice, slice]:
        height, width = self._inked.shape
        across, down = width / (self._box.width or 1), height / (self._box.height or 1)
        left, right = (part.left - self._box.left) * across, (part.right - self._box.left) * across
        top, bottom = (self._box.top - part.top) * down, (self._box.top - part.bottom) * down
        return _pixels(top, bottom), _pixels(left, right)


def _pixels(first: float, last: float) -> slice:
    return slice(max(0, int(first)), max(0, int(last) + 1))


def _inked(page: pdfium.PdfPage, turn: int) -> tuple[Mask, bool]:
    width, height = page.get_size()
    scale = min(SCALE, (MAX_PIXELS / max(1.0, width * height)) ** 0.5)
    bitmap = page.render(scale=scale, grayscale=True)
    try:
        grey = bitmap.to_numpy().reshape(bitmap.height, -1)[:, : bitmap.width].astype(np.int16)
    finally:
        bitmap.close()
    paper = np.median(grey)
    mask: Mask = np.rot90(grey < paper - DARKER, page.get_rotation() // 90 - turn)
    return mask, bool(paper >= WHITE)
