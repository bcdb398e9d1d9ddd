"""PDFium's text layer of a page as glyph lines: its own reordering and mirroring undone."""

from __future__ import annotations

import ctypes
import math
import re
from collections import Counter
from collections.abc import Sequence

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from sources.extraction.pdf.characters import (
    DIGIT,
    FIRST_PRESENTATION_FORM,
    INVISIBLE,
    KIND,
    LTR,
    MARK,
    MIRROR,
    NEUTRAL,
    RTL,
    SPACES,
    WEAK,
    plain_letter,
    undisguise_cp1255,
)
from sources.extraction.pdf.glyphs import Box, Glyph, GlyphLine, TextLine
from sources.extraction.pdf.pdfium_calls import CharBox, char_boxes

# Besides brackets PDFium mirrors curly quotes in what it takes for right-to-left runs.
PDFIUM_MIRROR = {**MIRROR, "“": "”", "”": "“", "‘": "’", "’": "‘"}
MERGE_OVERLAP = 0.6  # two pieces of one baseline share this much of the smaller height
MERGE_GAP = 1.2  # and stand this near, in heights
_LINE = re.compile("[^\r\n\ufffe]+\ufffe?")  # after a word broken at the line end PDFium puts no line break
_TURN_SAMPLES = 12
_MIRRORED_BY_PDFIUM = re.compile("[" + re.escape("".join(PDFIUM_MIRROR)) + "]")


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
        lines: list[GlyphLine] = []
        boxes = char_boxes(self._raw, len(self.text))
        for found in _LINE.finditer(self.text):
            start = found.start()
            emitted = found.group()
            if emitted.isspace():
                continue
            chars = _without_mirroring(emitted, right_to_left=right_to_left)
            if disguised:
                chars = [undisguise_cp1255(char) for char in chars]
            line = self._glyph_line(chars, start, boxes[start : found.end()])
            if line is None:
                continue
            if not (lines and _continue_line(lines[-1], line)):
                lines.append(line)
        return lines

    def _glyph_line(self, chars: Sequence[str], start: int, boxes: Sequence[CharBox]) -> GlyphLine | None:
        # The innermost loop of a page, a few thousand turns: tuple.__new__ halves the price of a named tuple.
        new, glyph_class = tuple.__new__, Glyph
        glyphs: list[Glyph] = []
        add = glyphs.append
        for index, (char, (left, top, right, bottom)) in enumerate(zip(chars, boxes, strict=True), start):
            if char in SPACES:
                continue
            kind = KIND[char]
            font = None
            if kind == NEUTRAL:
                if char in INVISIBLE:
                    continue
                if char in MIRROR:
                    font = self._font(index)
            elif kind == RTL and char >= FIRST_PRESENTATION_FORM:
                char = plain_letter(char)
            add(new(glyph_class, (left, right, bottom, top, char, kind, index, font)))
        if not glyphs:
            return None
        typical = next((glyph.place for glyph in glyphs if glyph.kind in (RTL, LTR)), glyphs[0].place)
        turn, mirrored = self._turn(typical)
        size, baseline = self._size_and_baseline(typical, turn)
        if turn:
            glyphs = [_turned(glyph, turn) for glyph in glyphs]
        return GlyphLine.of(glyphs, size=size or None, baseline=baseline, mirrored=mirrored, aside=turn != self.turn)


def _emitted_text(textpage: pdfium.PdfTextPage) -> str:
    count = textpage.count_chars()
    text = textpage.get_text_range()
    if len(text) != count:  # then places in the text would not be places of characters
        get = pdfium_c.FPDFText_GetUnicode
        text = "".join(chr(min(get(textpage.raw, index), 0xFFFF)) for index in range(count))
    return text


def _without_mirroring(emitted: str, *, right_to_left: bool) -> list[str]:
    """Undo the mirroring PDFium did in one line: decide its direction as CFX_BidiString does, then mirror back."""
    if not _MIRRORED_BY_PDFIUM.search(emitted):
        return list(emitted)
    kinds = [KIND[char] for char in emitted]
    rtl_runs = ltr_runs = before = 0
    for kind in kinds:
        if kind in (MARK, DIGIT):
            kind = WEAK
        if kind != before:
            rtl_runs += kind == RTL
            ltr_runs += kind == LTR
            before = kind
    direction = RTL if right_to_left or rtl_runs > ltr_runs else LTR
    out = []
    for char, kind in zip(emitted, kinds, strict=True):
        if kind in (RTL, LTR):
            direction = kind
        elif kind == NEUTRAL and direction == RTL:
            char = PDFIUM_MIRROR.get(char, char)
        out.append(char)
    return out


def _continue_line(line: GlyphLine, piece: GlyphLine) -> bool:
    """Add a piece that stands beside the line on its baseline (superscripts and tabs break printed lines)."""
    if line.aside != piece.aside:
        return False
    smaller = min(line.height, piece.height) or 1.0
    low = max(line.bottom, min(glyph.bottom for glyph in piece.glyphs))
    high = min(line.top, max(glyph.top for glyph in piece.glyphs))
    if high - low <= MERGE_OVERLAP * smaller:
        return False
    after, before = piece.left - line.right, line.left - piece.right
    if not (-0.3 * smaller <= after < MERGE_GAP * smaller or -0.3 * smaller <= before < MERGE_GAP * smaller):
        return False
    line.glyphs.extend(piece.glyphs)
    if piece.size > line.size:
        line.size, line.baseline = piece.size, piece.baseline
    if piece.height >= line.height:
        line.bottom, line.top = min(line.bottom, piece.bottom), max(line.top, piece.top)
    line.left, line.right = min(line.left, piece.left), max(line.right, piece.right)
    return True


def _turned(glyph: Glyph, turn: int) -> Glyph:
    box = Box(glyph.left, glyph.bottom, glyph.right, glyph.top).turned(turn)
    return glyph._replace(left=box.left, right=box.right, bottom=box.bottom, top=box.top)
