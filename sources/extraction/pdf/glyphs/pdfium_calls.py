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
from collections.abc import Iterable, Iterator, Sequence
from itertools import repeat, starmap
from typing import Any, cast

import numpy as np
import pypdfium2.raw as pdfium_c
from numpy.typing import NDArray

_FEWEST_ROWS = 64
_LONGEST_NAME = 128  # bytes. Longer font names are left empty.


def handle(pointer: Any) -> int:
    return ctypes.cast(pointer, ctypes.c_void_p).value or 0


def ready(address: int) -> Any:
    """An address as an argument that need not be converted at each call."""
    return ctypes.c_void_p.from_param(address)


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
_count_marks = _untyped(pdfium_c.FPDFPageObj_CountMarks, ctypes.c_int, ctypes.c_void_p)
_mark = _untyped(pdfium_c.FPDFPageObj_GetMark, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_ulong)
_to_longest_name, _to_no_flags = repeat(ctypes.c_ulong(_LONGEST_NAME)), repeat(ctypes.c_void_p())


def _calls(function: Any, *arguments: Iterable[Any]) -> Iterator[Any]:
    """The function's result for each row of arguments. `map` would make another tuple, a tenth of a call."""
    rows = zip(*arguments, strict=False)
    return starmap(function, rows)


class _Buffer:
    """A buffer for what PDFium returns about many characters: a row for each, and pointers to the cells of its columns.

    The pointers are made once, as making one costs half as much as the call.
    """

    def __init__(self, dtype: str, *, columns: int, pointed: int = 1) -> None:
        """`pointed`: how many of the columns, from the first, PDFium is given pointers to."""
        self._dtype, self._columns, self._pointed = dtype, columns, pointed
        self._rows: NDArray[Any] = np.zeros((0, columns), dtype=dtype)
        self._pointers: list[list[Any]] = [[] for _ in range(pointed)]

    def __call__(self, count: int) -> tuple[NDArray[Any], list[list[Any]]]:
        """That many rows, all zero, and the pointers column by column. The next call overwrites the rows."""
        if count > len(self._rows):
            self._grow(max(_FEWEST_ROWS, 1 << count.bit_length()))
        rows = self._rows[:count]
        rows.fill(0)
        return rows, self._pointers

    def _grow(self, count: int) -> None:
        rows = self._rows = np.zeros((count, self._columns), dtype=self._dtype)
        memory = (ctypes.c_char * rows.nbytes).from_buffer(rows.data)
        step, column = rows.strides
        self._pointers = [
            [ctypes.byref(memory, at) for at in range(number * column, rows.nbytes, step)]
            for number in range(self._pointed)
        ]


_boxes = _Buffer("f4", columns=4)
_matrices = _Buffer("f4", columns=6)
_origins = _Buffer("f8", columns=2, pointed=2)
_names = _Buffer(f"S{_LONGEST_NAME}", columns=1)


class TextCalls:
    """PDFium's data on single characters of an open text page."""

    def __init__(self, textpage: Any) -> None:
        self._page = repeat(ready(handle(textpage)))

    def boxes(self, places: Sequence[int]) -> NDArray[np.float32]:
        """The box of each character, one row each as in FS_RECTF: left, top, right, bottom.

        Font height and advance width. The rows are overwritten by the next call.
        """
        rows, (pointers,) = _boxes(len(places))
        deque(_calls(_loose_char_box, self._page, places, pointers), maxlen=0)
        return rows

    def matrices(self, places: Sequence[int]) -> list[tuple[float, float, float, float]]:
        """The turning and scaling part of each character's matrix. Upright where PDFium knows none."""
        rows, (pointers,) = _matrices(len(places))
        known = list(_calls(_char_matrix, self._page, places, pointers))
        return [
            (a, b, c, d) if is_known else (1.0, 0.0, 0.0, 1.0)
            for is_known, (a, b, c, d, _, _) in zip(known, rows.tolist(), strict=True)
        ]

    def font_sizes(self, places: Sequence[int]) -> list[float]:
        """Points, before the matrix scales them."""
        return list(_calls(_font_size, self._page, places))

    def origins(self, places: Sequence[int]) -> list[list[float]]:
        """x and y of where each character stands."""
        rows, pointers = _origins(len(places))
        deque(_calls(_char_origin, self._page, places, *pointers), maxlen=0)
        return cast(list[list[float]], rows.tolist())

    def fonts(self, places: Sequence[int]) -> list[bytes]:
        """The name of each character's font."""
        rows, (pointers,) = _names(len(places))
        deque(_calls(_font_info, self._page, places, pointers, _to_longest_name, _to_no_flags), maxlen=0)
        return cast(list[bytes], rows[:, 0].tolist())


def page_objects(page: int, count: int) -> tuple[list[int], bytes]:
    """Handles of the first `count` objects of a page, and the type of each."""
    return _with_types(_calls(_page_object, repeat(ready(page)), range(count)))


def form_objects(form: int, count: int) -> tuple[list[int], bytes]:
    """Handles of the first `count` objects of a form object, and the type of each."""
    return _with_types(_calls(_form_object, repeat(form), range(count)))


def _with_types(handles: Iterable[int | None]) -> tuple[list[int], bytes]:
    there = list(filter(None, handles))
    return there, bytes(_calls(_object_type, there))


def object_marks(shown: int) -> list[int]:
    """Handles of the marks of a page's object. Objects that were marked together share them."""
    return list(filter(None, _calls(_mark, repeat(shown), range(_count_marks(shown)))))
