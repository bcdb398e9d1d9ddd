"""PDFium calls made thousands of times a page, with handles as plain integers.

Through pypdfium2's typed pointers each call costs half as much again, because ctypes makes pointer objects for them.
The calls keep the GIL, as each takes less time than giving it away. Where no types of arguments are said, they are
given as what ctypes passes on as it is (an int that fits into a C int, a pointer object, `byref`): converting them by
such types costs a third of the call.
Use only with handles of objects that are still open.
"""

import ctypes
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from itertools import repeat, starmap
from typing import Any

import numpy as np
import pypdfium2.raw as pdfium_c
from numpy.typing import NDArray

_MIN_BOXES = 64


def handle(pointer: Any) -> int:
    return ctypes.cast(pointer, ctypes.c_void_p).value or 0


def _ready(address: int) -> Any:
    """An address as an argument that need not be converted at each call."""
    return ctypes.c_void_p.from_param(address)


def _untyped(function: Any, result: Any, *arguments: Any) -> Any:
    return ctypes.PYFUNCTYPE(result, *arguments)(handle(function))


_loose_char_box = _untyped(pdfium_c.FPDFText_GetLooseCharBox, None)
_char_angle = _untyped(pdfium_c.FPDFText_GetCharAngle, ctypes.c_float)
_page_object = _untyped(pdfium_c.FPDFPage_GetObject, ctypes.c_void_p)
_form_object = _untyped(pdfium_c.FPDFFormObj_GetObject, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_ulong)
_object_type = _untyped(pdfium_c.FPDFPageObj_GetType, ctypes.c_int, ctypes.c_void_p)
_count_marks = _untyped(pdfium_c.FPDFPageObj_CountMarks, ctypes.c_int, ctypes.c_void_p)
_mark = _untyped(pdfium_c.FPDFPageObj_GetMark, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_ulong)


def _calls(function: Any, *arguments: Iterable[Any]) -> Iterator[Any]:
    """The function's result for each row of arguments. `map` would make another tuple, a tenth of a call."""
    rows = zip(*arguments, strict=False)
    return starmap(function, rows)


class CharacterBoxes:
    """A buffer for the boxes of characters, one row each as in FS_RECTF: left, top, right, bottom.

    It keeps a pointer to each row, as making one costs half as much as the call.
    """

    def __init__(self) -> None:
        self._rows: NDArray[np.float32] = np.zeros((0, 4), dtype=np.float32)
        self._pointers: list[Any] = []

    def at(self, textpage: Any, places: Sequence[int]) -> NDArray[np.float32]:
        """Font height and advance width of the characters at these places. The next call overwrites the rows."""
        if len(places) > len(self._rows):
            self._grow(max(_MIN_BOXES, 1 << len(places).bit_length()))
        rows = self._rows[: len(places)]
        rows.fill(0)
        deque(_calls(_loose_char_box, repeat(_ready(handle(textpage))), places, self._pointers), maxlen=0)
        return rows

    def _grow(self, count: int) -> None:
        rows = self._rows = np.zeros((count, 4), dtype=np.float32)
        memory = (ctypes.c_char * rows.nbytes).from_buffer(rows.data)
        self._pointers = [ctypes.byref(memory, at) for at in range(0, rows.nbytes, rows.strides[0])]


def angles(textpage: Any, places: Iterable[int]) -> list[float]:
    """The directions of the characters at these places, in radians. -1 where there is no character."""
    return list(_calls(_char_angle, repeat(_ready(handle(textpage))), places))


def page_objects(page: int, count: int) -> tuple[list[int], bytes]:
    """Handles of the first `count` objects of a page, and the type of each."""
    return _with_types(_calls(_page_object, repeat(_ready(page)), range(count)))


def form_objects(form: int, count: int) -> tuple[list[int], bytes]:
    """Handles of the first `count` objects of a form object, and the type of each."""
    return _with_types(_calls(_form_object, repeat(form), range(count)))


def _with_types(handles: Iterable[int | None]) -> tuple[list[int], bytes]:
    there = list(filter(None, handles))
    return there, bytes(_calls(_object_type, there))


def object_marks(shown: int) -> list[int]:
    """Handles of the marks of a page's object. Objects that were marked together share them."""
    return list(filter(None, _calls(_mark, repeat(shown), range(_count_marks(shown)))))
