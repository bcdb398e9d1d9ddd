"""How much ink of a page its text does not cover, and what is drawn over text so that nobody sees it."""

import ctypes
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

import numpy as np
import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c
from numpy.typing import NDArray

from extraction.pdf.glyphs.model import BoundingBox, TextLine
from extraction.pdf.glyphs.pdfium_calls import form_objects, handle, page_objects
from extraction.pdf.layout.rulings import MAX_DEPTH, MAX_OBJECTS, SHORT, Matrix, chained, fills, placed

MAX_LOOKS = 5_000_000  # at a fill for a character
COVERED = 0.5  # of the place of a character

_Objects = Callable[[int, int], tuple[list[int], bytes]]
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


class Covers:
    """The opaque fills of a page, and which text was drawn before each. Boxes are of the page as it is stored."""

    def __init__(self, page: pdfium.PdfPage, above: Sequence[BoundingBox], *, characters: int) -> None:
        """`above` are drawn over the whole page. `characters`: so many are on it."""
        most = MAX_LOOKS // max(1, characters)
        self._fills: list[tuple[float, BoundingBox]] = [(float("inf"), box) for box in above[:most]]
        self._near = self._fills  # to the place that was asked for last
        self._texts: dict[int, int] = {}
        count = pdfium_c.FPDFPage_CountObjects(page.raw)
        for order, (address, kind, form) in enumerate(_in_order(page_objects, handle(page.raw), count, None, 0)):
            if order >= MAX_OBJECTS or len(self._fills) >= most:
                break
            if kind == pdfium_c.FPDF_PAGEOBJ_TEXT:
                self._texts[address] = order
            elif kind == pdfium_c.FPDF_PAGEOBJ_PATH and (box := _opaque(address, form)):
                self._fills.append((order, box))

    def over(self, box: BoundingBox) -> bool:
        """Whether one of them touches a place, in which characters are looked for then."""
        self._near = [one for one in self._fills if _shared(box, one[1])]
        return bool(self._near)

    def hide(self, text: Any, box: BoundingBox) -> bool:
        """Whether one lies over a character of a text object at this place."""
        order = self._texts.get(handle(text), -1)
        least = COVERED * max(0.1, box.width * box.height)
        return any(order < over and _shared(box, fill) >= least for over, fill in self._near)


def _in_order(
    objects_of: _Objects, owner: int, count: int, form: Matrix | None, depth: int
) -> Iterator[tuple[int, int, Matrix | None]]:
    """(address, type, matrix of the form it stands in) of the objects as they are drawn, forms entered."""
    addresses, kinds = objects_of(owner, max(0, min(count, MAX_OBJECTS)))
    for address, kind in zip(addresses, kinds, strict=True):
        if kind != pdfium_c.FPDF_PAGEOBJ_FORM:
            yield address, kind, form
        elif depth < MAX_DEPTH:
            shown, matrix = ctypes.cast(address, pdfium_c.FPDF_PAGEOBJECT), pdfium_c.FS_MATRIX()
            inner = chained(matrix, form) if pdfium_c.FPDFPageObj_GetMatrix(shown, matrix) else form
            yield from _in_order(form_objects, address, pdfium_c.FPDFFormObj_CountObjects(shown), inner, depth + 1)


def _opaque(address: int, form: Matrix | None) -> BoundingBox | None:
    """The place of a path that is filled and through which nothing is seen."""
    shown = ctypes.cast(address, pdfium_c.FPDF_PAGEOBJECT)
    sides = [ctypes.c_float() for _ in range(4)]
    if not pdfium_c.FPDFPageObj_GetBounds(shown, *sides):
        return None
    box = placed(BoundingBox(*(side.value for side in sides)), form)
    is_large = min(box.width, box.height) > SHORT
    return box if is_large and fills(shown) and not pdfium_c.FPDFPageObj_HasTransparency(shown) else None


def _shared(one: BoundingBox, other: BoundingBox) -> float:
    width = min(one.right, other.right) - max(one.left, other.left)
    height = min(one.top, other.top) - max(one.bottom, other.bottom)
    return width * height if width > 0 and height > 0 else 0.0
