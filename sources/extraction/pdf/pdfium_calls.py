"""PDFium calls made thousands of times a page, with handles as plain integers.

Through pypdfium2's typed pointers each call costs half as much again, because ctypes makes pointer objects for them.
The calls keep the GIL, as each takes less time than giving it away. Where no types of arguments are said, they are
given as what ctypes passes on as it is (an int that fits into a C int, a pointer object, `byref`): converting them by
such types costs a third of the call.
Use only with handles of objects that are still open.
"""

from __future__ import annotations

import ctypes
from collections import deque
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import repeat
from typing import Any

import numpy as np
import pypdfium2.raw as pdfium_c
from numpy.typing import NDArray

_FEWEST_BOXES = 4096


def handle(pointer: Any) -> int:
    return ctypes.cast(pointer, ctypes.c_void_p).value or 0


def _untyped(function: Any, result: Any, *arguments: Any) -> Any:
    return ctypes.PYFUNCTYPE(result, *arguments)(handle(function))


_loose_char_box = _untyped(pdfium_c.FPDFText_GetLooseCharBox, None)
_char_matrix = _untyped(pdfium_c.FPDFText_GetMatrix, ctypes.c_int)
_char_origin = _untyped(pdfium_c.FPDFText_GetCharOrigin, None)
_font_size = _untyped(pdfium_c.FPDFText_GetFontSize, ctypes.c_double)
_font_info = _untyped(pdfium_c.FPDFText_GetFontInfo, None)
_page_object = _untyped(pdfium_c.FPDFPage_GetObject, ctypes.c_void_p)
_form_object = _untyped(pdfium_c.FPDFFormObj_GetObject, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_ulong)
_object_type = _untyped(pdfium_c.FPDFPageObj_GetType, ctypes.c_int, ctypes.c_void_p)


class TextCalls:
    """What PDFium tells of single characters of an open text page."""

    def __init__(self, textpage: Any) -> None:
        self._page = ctypes.c_void_p(handle(textpage))
        self._matrix = (ctypes.c_float * 6)()
        self._origin = (ctypes.c_double * 2)()
        self._name = ctypes.create_string_buffer(128)
        self._to_matrix = ctypes.byref(self._matrix)
        self._to_x, self._to_y = ctypes.byref(self._origin), ctypes.byref(self._origin, 8)
        self._no_flags = ctypes.c_void_p()

    def boxes(self, places: Sequence[int]) -> NDArray[np.float32]:
        """The box of each character, one row each as in FS_RECTF: left, top, right, bottom.

        Font height and advance width. The rows are overwritten by the next call.
        """
        rects, rows = _box_rows(max(_FEWEST_BOXES, 1 << len(places).bit_length()))
        found = rects[: len(places)]
        found.fill(0)
        deque(map(_loose_char_box, repeat(self._page), places, rows), maxlen=0)
        return found

    def matrix(self, place: int) -> tuple[float, float, float, float]:
        """Of a character's matrix what turns and scales; an upright one where PDFium knows none."""
        if not _char_matrix(self._page, place, self._to_matrix):
            return 1.0, 0.0, 0.0, 1.0
        a, b, c, d, _, _ = self._matrix
        return a, b, c, d

    def font_size(self, place: int) -> float:
        """Points, before the matrix scales them."""
        return float(_font_size(self._page, place))

    def origin(self, place: int) -> tuple[float, float]:
        _char_origin(self._page, place, self._to_x, self._to_y)
        x, y = self._origin
        return x, y

    def font(self, place: int) -> bytes:
        """The name of a character's font."""
        _font_info(self._page, place, self._name, ctypes.c_ulong(128), self._no_flags)
        return self._name.value


@lru_cache(maxsize=2)
def _box_rows(count: int) -> tuple[NDArray[np.float32], list[Any]]:
    """Room for boxes, with the pointer to each: made once, as making one costs half as much as the call."""
    rects = np.zeros((count, 4), dtype=np.float32)
    memory = (ctypes.c_char * rects.nbytes).from_buffer(rects.data)
    return rects, [ctypes.byref(memory, at) for at in range(0, rects.nbytes, rects.strides[0])]


def page_objects(page: int, count: int) -> tuple[list[int], bytes]:
    """Handles of the first `count` objects of a page, and the type of each."""
    return _with_types(map(_page_object, repeat(ctypes.c_void_p(page)), range(count)))


def form_objects(form: int, count: int) -> tuple[list[int], bytes]:
    """Handles of the first `count` objects of a form object, and the type of each."""
    return _with_types(map(_form_object, repeat(form), range(count)))


def _with_types(handles: Iterable[int | None]) -> tuple[list[int], bytes]:
    there = list(filter(None, handles))
    return there, bytes(map(_object_type, there))
