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
from collections.abc import Iterable
from itertools import repeat
from typing import Any

import numpy as np
import pypdfium2.raw as pdfium_c
from numpy.typing import NDArray


def handle(pointer: Any) -> int:
    return ctypes.cast(pointer, ctypes.c_void_p).value or 0


def _untyped(function: Any, result: Any, *arguments: Any) -> Any:
    return ctypes.PYFUNCTYPE(result, *arguments)(handle(function))


_loose_char_box = _untyped(pdfium_c.FPDFText_GetLooseCharBox, None)
_page_object = _untyped(pdfium_c.FPDFPage_GetObject, ctypes.c_void_p)
_form_object = _untyped(pdfium_c.FPDFFormObj_GetObject, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_ulong)
_object_type = _untyped(pdfium_c.FPDFPageObj_GetType, ctypes.c_int, ctypes.c_void_p)


def char_boxes(textpage: Any, count: int) -> NDArray[np.float32]:
    """The box of each character of a text page, one row each as in FS_RECTF: left, top, right, bottom.

    Font height and advance width.
    """
    rects = np.zeros((count, 4), dtype=np.float32)
    memory = (ctypes.c_char * rects.nbytes).from_buffer(rects.data)
    rows = map(ctypes.byref, repeat(memory), range(0, rects.nbytes, rects.strides[0]))
    deque(map(_loose_char_box, repeat(ctypes.c_void_p(handle(textpage))), range(count), rows), maxlen=0)
    return rects


def page_objects(page: int, count: int) -> tuple[list[int], bytes]:
    """Handles of the first `count` objects of a page, and the type of each."""
    return _with_types(map(_page_object, repeat(ctypes.c_void_p(page)), range(count)))


def form_objects(form: int, count: int) -> tuple[list[int], bytes]:
    """Handles of the first `count` objects of a form object, and the type of each."""
    return _with_types(map(_form_object, repeat(form), range(count)))


def _with_types(handles: Iterable[int | None]) -> tuple[list[int], bytes]:
    there = list(filter(None, handles))
    return there, bytes(map(_object_type, there))
