"""What is drawn over text so that nobody sees it: a name is blacked out, and its letters are still in the file."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from extraction.pdf.glyphs.model import BoundingBox
from extraction.pdf.glyphs.pdfium_calls import form_objects, handle, page_objects
from extraction.pdf.layout.rulings import MAX_DEPTH, MAX_OBJECTS, SHORT, Matrix, chained, fills, placed

MAX_LOOKS = 5_000_000  # at a fill for a character
COVERED = 0.5  # of the place of a character

_Objects = Callable[[int, int], tuple[list[int], bytes]]


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
