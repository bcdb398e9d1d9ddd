"""PDFium calls made thousands of times a page, with handles as plain integers.

Through pypdfium2's typed pointers each call costs half as much again, because ctypes makes pointer objects for them.
Use only with handles of objects that are still open.
"""

from __future__ import annotations

import ctypes
import struct
from typing import Any

import pypdfium2.raw as pdfium_c

CharBox = tuple[float, float, float, float]  # left, top, right, bottom, as in FS_RECTF
_RECT = struct.Struct("4f")


def handle(pointer: Any) -> int:
    return ctypes.cast(pointer, ctypes.c_void_p).value or 0


def _untyped(function: Any, result: Any, *arguments: Any) -> Any:
    return ctypes.CFUNCTYPE(result, *arguments)(handle(function))


_loose_char_box = _untyped(
    pdfium_c.FPDFText_GetLooseCharBox, ctypes.c_int, ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p
)
page_object = _untyped(pdfium_c.FPDFPage_GetObject, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int)
form_object = _untyped(pdfium_c.FPDFFormObj_GetObject, ctypes.c_void_p, ctypes.c_void_p, ctypes.c_ulong)
object_type = _untyped(pdfium_c.FPDFPageObj_GetType, ctypes.c_int, ctypes.c_void_p)


def char_boxes(textpage: Any, count: int) -> list[CharBox]:
    """The box of each character of a text page: font height, advance width."""
    rects = ctypes.create_string_buffer(_RECT.size * max(1, count))
    page, address, step = handle(textpage), ctypes.addressof(rects), _RECT.size
    for index in range(count):
        _loose_char_box(page, index, address + step * index)
    return list(_RECT.iter_unpack(rects.raw))[:count]
