"""A page read without its ActualText: what PDFium then gives is what the fonts say of each glyph.

Some Chromium files get ActualText wrong by one letter: each glyph of a paragraph carries its neighbour's.
"""

import ctypes
from collections.abc import Iterator
from contextlib import closing
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from extraction.pdf.glyphs.page_glyphs import GlyphLine
from extraction.pdf.glyphs.pdfium_calls import handle, object_marks, page_objects
from extraction.pdf.glyphs.text_layer import TextLayer

KEY = "ActualText"
_KEY_BYTES = 64  # longer keys are others


def lines_without_actual_text(page: pdfium.PdfPage, *, right_to_left: bool) -> list[GlyphLine]:
    """Lines of the page, without spaces that PDFium made of gaps. None of them if it has no ActualText.

    It is removed from the open page, whose look does not change.
    """
    if not _drop_actual_text(page.raw):
        return []
    with closing(page.get_textpage()) as textpage:
        return TextLayer(textpage).glyph_lines(right_to_left=right_to_left, stored_only=True)


def _drop_actual_text(page: Any) -> bool:
    """Remove the marks with ActualText from the page's objects. Returns whether there were any."""
    found = False
    has_actual_text: dict[int, bool] = {}
    objects, _ = page_objects(handle(page), pdfium_c.FPDFPage_CountObjects(page))
    for shown in objects:
        for mark in reversed(object_marks(shown)):
            if mark not in has_actual_text:
                has_actual_text[mark] = KEY in _keys(ctypes.cast(mark, pdfium_c.FPDF_PAGEOBJECTMARK))
            if has_actual_text[mark]:
                found = _removed(shown, mark) or found
    return found


def _removed(shown: int, mark: int) -> bool:
    return bool(
        pdfium_c.FPDFPageObj_RemoveMark(
            ctypes.cast(shown, pdfium_c.FPDF_PAGEOBJECT), ctypes.cast(mark, pdfium_c.FPDF_PAGEOBJECTMARK)
        )
    )


def _keys(mark: Any) -> Iterator[str]:
    key = (pdfium_c.FPDF_WCHAR * (_KEY_BYTES // 2))()
    length = ctypes.c_ulong()
    for number in range(pdfium_c.FPDFPageObjMark_CountParams(mark)):
        fits = pdfium_c.FPDFPageObjMark_GetParamKey(mark, number, key, _KEY_BYTES, length)
        if fits and 2 <= length.value <= _KEY_BYTES:
            yield bytes(key)[: length.value - 2].decode("utf-16-le", "replace")
