"""A page read without its ActualText: what PDFium then gives is what the fonts say of each glyph.

Some Chromium files get ActualText wrong by one letter: each glyph of a paragraph carries its neighbour's.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from sources.extraction.pdf.glyphs.model import GlyphLine
from sources.extraction.pdf.glyphs.pdfium_calls import handle, object_marks, page_objects
from sources.extraction.pdf.glyphs.text_layer import TextLayer

KEY = "ActualText"
_KEY_BYTES = 64  # longer keys are others


def lines_without_actual_text(page: pdfium.PdfPage, *, right_to_left: bool) -> tuple[list[GlyphLine], str] | None:
    """Lines of the page and its text as stored, without spaces that PDFium made of gaps. None if it has no ActualText.

    It is removed from the open page, whose look does not change.
    """
    if not _drop_actual_text(page.raw):
        return None
    textpage = page.get_textpage()
    try:
        layer = TextLayer(textpage)
        # `FPDFText_IsGenerated` denies it of spaces in runs that PDFium has turned.
        stored = [bool(pdfium_c.FPDFText_GetTextObject(textpage.raw, place)) for place in range(len(layer.emitted))]
        place_of = [0]
        for is_stored in stored:
            place_of.append(place_of[-1] + is_stored)
        lines = [
            line.part([glyph._replace(place=place_of[glyph.place]) for glyph in line.glyphs])
            for line in layer.glyph_lines(right_to_left=right_to_left)
        ]
        return lines, "".join(char for char, is_stored in zip(layer.emitted.text, stored, strict=True) if is_stored)
    finally:
        textpage.close()


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
