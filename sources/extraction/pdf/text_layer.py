"""PDFium's text layer of a page as glyph lines: its own reordering and mirroring undone."""

from __future__ import annotations

import ctypes
import math
import re
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from sources.extraction.pdf.characters import (
    KIND,
    LTR,
    MIRROR,
    NEUTRAL,
    RTL,
    undisguise_cp1255,
)
from sources.extraction.pdf.glyphs import Box, GlyphLine, TextLine
from sources.extraction.pdf.page_glyphs import Extent, PageGlyphs
from sources.extraction.pdf.pdfium_calls import char_boxes
from sources.extraction.pdf.placing import place_lines

# Besides brackets PDFium mirrors curly quotes in what it takes for right-to-left runs.
PDFIUM_MIRROR = {**MIRROR, "“": "”", "”": "“", "‘": "’", "’": "‘"}
MERGE_OVERLAP = 0.6  # two pieces of one baseline share this much of the smaller height
MERGE_GAP = 1.2  # and stand this near, in heights
_LINE = re.compile("[^\r\n\ufffe]+\ufffe?")  # after a word broken at the line end PDFium puts no line break
_TURN_SAMPLES = 12
_MIRRORED_BY_PDFIUM = re.compile("[" + re.escape("".join(PDFIUM_MIRROR)) + "]")  # each of them NEUTRAL
_RTL_RUN, _LTR_RUN = re.compile("R+"), re.compile("L+")


class _Strong(dict[int, str]):
    """Of each character which way it runs: R, L, or that it is neither, N where it parts runs of the same sign."""

    def __missing__(self, code: int) -> str:
        found = self[code] = {RTL: "R", LTR: "L", NEUTRAL: "N"}.get(KIND[chr(code)], "W")
        return found


_STRONG = _Strong()  # filled as characters are met


class Stand(NamedTuple):
    """How a piece of text stands: quarter turns, whether its matrix is mirrored, type size, baseline in its frame."""

    turn: int
    mirrored: bool
    size: float
    baseline: float


class TextLayer:
    """The text layer of one open page; use only while its textpage is open."""

    def __init__(self, textpage: pdfium.PdfTextPage) -> None:
        self._raw = textpage.raw
        self._rect = pdfium_c.FS_RECTF()
        self._matrix = pdfium_c.FS_MATRIX()
        self._x, self._y = ctypes.c_double(), ctypes.c_double()
        self._font_name = ctypes.create_string_buffer(128)
        self._font_flags = ctypes.c_int()
        self.text = _emitted_text(textpage)
        self.turn = self._page_turn()

    def _page_turn(self) -> int:
        """Quarter turns of most text: pages of landscape tables are often stored lying on their side."""
        places = [found.start() for found in _LINE.finditer(self.text)]
        step = max(1, len(places) // _TURN_SAMPLES)
        turns = Counter(self._turn(place)[0] for place in places[::step])
        return turns.most_common(1)[0][0] if turns else 0

    def _turn(self, index: int) -> tuple[int, bool]:
        """Quarter turns of a character, and whether its matrix is mirrored."""
        matrix = self._matrix
        if not pdfium_c.FPDFText_GetMatrix(self._raw, index, matrix):
            matrix.a, matrix.b, matrix.d = 1.0, 0.0, 1.0
        if abs(matrix.b) > abs(matrix.a):
            return (1 if matrix.b > 0 else 3), False
        if matrix.a < 0:
            return (0, True) if matrix.d > 0 else (2, False)
        return 0, False

    def _size_and_baseline(self, index: int, turn: int) -> tuple[float, float]:
        """Type size and the height of the baseline in the level frame; call after `_turn` of the same character."""
        matrix = self._matrix
        size = pdfium_c.FPDFText_GetFontSize(self._raw, index) * math.hypot(matrix.c, matrix.d)
        pdfium_c.FPDFText_GetCharOrigin(self._raw, index, self._x, self._y)
        x, y = self._x.value, self._y.value
        return size, Box(x, y, x, y).turned(turn).bottom

    def _font(self, index: int) -> bytes:
        pdfium_c.FPDFText_GetFontInfo(self._raw, index, self._font_name, 128, ctypes.byref(self._font_flags))
        return self._font_name.value

    def _box(self, index: int) -> Box:
        rect = self._rect
        pdfium_c.FPDFText_GetLooseCharBox(self._raw, index, rect)
        return Box(rect.left, rect.bottom, rect.right, rect.top)

    def is_invisible(self) -> bool:
        """Is the text drawn without ink, as programs do that lay OCR under a scan?"""
        found = _LINE.search(self.text)
        text_object = pdfium_c.FPDFText_GetTextObject(self._raw, found.start()) if found else None
        if not text_object:
            return False
        return pdfium_c.FPDFTextObj_GetTextRenderMode(text_object) == pdfium_c.FPDF_TEXTRENDERMODE_INVISIBLE

    def lines_as_emitted(self) -> list[TextLine]:
        """PDFium's own lines, right for a page without Hebrew, with the box of first and last character."""
        lines = []
        for found in _LINE.finditer(self.text):
            text = found.group().rstrip()
            if not text:
                continue
            start = found.start() + len(text) - len(text.lstrip())
            first = self._box(start).turned(self.turn)
            last = self._box(found.start() + len(text) - 1).turned(self.turn)
            self._turn(start)
            size, baseline = self._size_and_baseline(start, self.turn)
            lines.append(
                TextLine(
                    text=text.strip(),
                    left=min(first.left, last.left),
                    right=max(first.right, last.right),
                    top=max(first.top, last.top),
                    baseline=baseline,
                    size=size or first.height,
                )
            )
        return lines

    def glyph_lines(self, *, right_to_left: bool, disguised: bool = False) -> list[GlyphLine]:
        """Lines with a box for each glyph, pieces of one baseline put together.

        `right_to_left`: the file sets PDFium's base direction (viewer preference R2L); `disguised`: the letters
        are windows-1255 under Latin-1 names.
        """
        pieces = [found.span() for found in _LINE.finditer(self.text) if not found.group().isspace()]
        shown = _without_mirroring(self.text, pieces, right_to_left=right_to_left)
        if disguised:
            shown = undisguise_cp1255(shown)
        page = PageGlyphs(shown, pieces, char_boxes(self._raw, len(self.text)))
        page.fonts = {place: self._font(place) for place in page.bracket_places()}
        stands = [self._stand(place) for place in page.typical_places()]
        for number, stand in enumerate(stands):
            if stand.turn:
                page.turn(number, stand.turn)
        lines: list[GlyphLine] = []
        for (start, end), stand, extent in zip(page.bounds, stands, page.extents(), strict=True):
            aside = stand.turn != self.turn
            if lines and _continue_line(lines[-1], end, stand, extent, aside=aside):
                continue
            lines.append(
                GlyphLine(
                    left=extent.left,
                    right=extent.right,
                    bottom=extent.bottom,
                    top=extent.top,
                    size=stand.size or max(0.0, extent.top - extent.bottom),
                    baseline=stand.baseline,
                    mirrored=stand.mirrored,
                    aside=aside,
                    page=page,
                    start=start,
                    end=end,
                )
            )
        place_lines(page, lines)
        return lines

    def _stand(self, place: int) -> Stand:
        turn, mirrored = self._turn(place)
        size, baseline = self._size_and_baseline(place, turn)
        return Stand(turn, mirrored, size, baseline)


def _emitted_text(textpage: pdfium.PdfTextPage) -> str:
    count = textpage.count_chars()
    text = textpage.get_text_range()
    if len(text) != count:  # then places in the text would not be places of characters
        get = pdfium_c.FPDFText_GetUnicode
        text = "".join(chr(min(get(textpage.raw, index), 0xFFFF)) for index in range(count))
    return text


def _without_mirroring(text: str, pieces: Sequence[tuple[int, int]], *, right_to_left: bool) -> str:
    """Undo the mirroring PDFium did in each piece: decide its direction as CFX_BidiString does, then mirror back."""
    parts: list[str] = []
    done = 0
    for start, end in pieces:
        if _MIRRORED_BY_PDFIUM.search(text, start, end):
            parts += (text[done:start], *_mirrored_back(text[start:end], right_to_left=right_to_left))
            done = end
    return "".join(parts) + text[done:] if parts else text


def _mirrored_back(emitted: str, *, right_to_left: bool) -> list[str]:
    strong = emitted.translate(_STRONG)
    turned = right_to_left or len(_RTL_RUN.findall(strong)) > len(_LTR_RUN.findall(strong))
    parts: list[str] = []
    done = seen = 0
    for found in _MIRRORED_BY_PDFIUM.finditer(emitted):
        at = found.start()
        rtl, ltr = strong.rfind("R", seen, at), strong.rfind("L", seen, at)
        if rtl != ltr:  # without a letter since the last sign the text runs as it did there
            turned = rtl > ltr
        if turned:
            parts += (emitted[done:at], PDFIUM_MIRROR[found.group()])
            done = at + 1
        seen = at
    parts.append(emitted[done:])
    return parts


def _continue_line(line: GlyphLine, end: int, stand: Stand, piece: Extent, *, aside: bool) -> bool:
    """Add a piece that stands beside the line on its baseline (superscripts and tabs break printed lines).

    `end`: where the piece ends among the glyphs of the page.
    """
    if line.aside != aside:
        return False
    height = piece.top - piece.bottom
    smaller = min(line.height, height) or 1.0
    low = max(line.bottom, piece.lowest)
    high = min(line.top, piece.highest)
    if high - low <= MERGE_OVERLAP * smaller:
        return False
    after, before = piece.left - line.right, line.left - piece.right
    if not (-0.3 * smaller <= after < MERGE_GAP * smaller or -0.3 * smaller <= before < MERGE_GAP * smaller):
        return False
    line.end = end
    size = stand.size or max(0.0, height)
    if size > line.size:
        line.size, line.baseline = size, stand.baseline
    if height >= line.height:
        line.bottom, line.top = min(line.bottom, piece.bottom), max(line.top, piece.top)
    line.left, line.right = min(line.left, piece.left), max(line.right, piece.right)
    return True
