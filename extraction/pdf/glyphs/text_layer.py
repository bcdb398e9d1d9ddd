"""PDFium's text layer of a page as glyph lines: its own reordering and mirroring undone."""

import ctypes
import math
import re
from collections import Counter
from collections.abc import Callable, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np
import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from extraction.document import characters_of
from extraction.pdf.glyphs.lines import put_together
from extraction.pdf.glyphs.marks_apart import with_marks_in_place
from extraction.pdf.glyphs.model import BoundingBox, TextLine
from extraction.pdf.glyphs.page_glyphs import Extent, GlyphLine, PageGlyphs, Places
from extraction.pdf.glyphs.pdfium_calls import CharacterBoxes, handle, object_marks
from extraction.pdf.glyphs.pieces import (
    SAMPLES,
    Covering,
    box_of,
    has_ink,
    of_one_direction,
    pale,
    parts_covered,
    without_copies,
)
from extraction.pdf.text.page_text import KIND_BITS, MIRRORED_BY_PDFIUM, Codes, PageText
from extraction.text.characters import LTR, PDFIUM_MIRROR, RTL

MERGE_OVERLAP = 0.6  # two pieces of one baseline share this much of the smaller height
MERGE_GAP = 1.2  # and stand this near, in heights
SMALLER = 0.92  # of the height of a letter at the other end of the line
OBLIQUE = 0.15  # a scan lies less askew
_LINE = re.compile("[^\r\n\ufffe]+\ufffe?")  # after a word broken at the line end PDFium puts no line break
_PRINTED = re.compile(r"\S(?:.*\S)?", re.DOTALL)
_MAX_NAME_LENGTH = 128  # bytes. Longer font names are left empty.
_LAYER = "OC"  # the mark of optional content
_boxes = CharacterBoxes()
_mirrored = np.arange(1 + max(map(ord, PDFIUM_MIRROR)), dtype=np.uint32)
_mirrored[list(map(ord, PDFIUM_MIRROR))] = list(map(ord, PDFIUM_MIRROR.values()))


class Pose(NamedTuple):
    """Of a piece of text: quarter turns, whether its matrix is mirrored, type size, baseline in its frame.

    `oblique`: it runs between two quarter turns, as watermarks do.
    """

    turn: int
    mirrored: bool
    size: float
    baseline: float
    oblique: bool


class TextLayer:
    """The text layer of one open page. Use only while its textpage is open."""

    def __init__(self, textpage: pdfium.PdfTextPage) -> None:
        self._raw = textpage.raw
        self.emitted = PageText(_emitted_text(textpage))
        pieces = [found.span() for found in _LINE.finditer(self.emitted.text)]
        self._pieces = without_copies(self._raw, of_one_direction(self._raw, pieces))
        self.turn = self._page_turn()

    @cached_property
    def shown(self) -> PageText:
        """The text as emitted, letters that are windows-1255 under Latin-1 names as what they are."""
        return self.emitted.undisguised()

    def _page_turn(self) -> int:
        """Quarter turns of most text: pages of landscape tables are often stored lying on their side."""
        step = max(1, len(self._pieces) // SAMPLES)
        turns = Counter(self._pose(start).turn for start, _ in self._pieces[::step])
        return turns.most_common(1)[0][0] if turns else 0

    def _pose(self, place: int, *, frame: int | None = None) -> Pose:
        """The pose of a character, its baseline in the frame of so many quarter turns, or else in its own."""
        matrix, x, y = pdfium_c.FS_MATRIX(1.0, 0.0, 0.0, 1.0), ctypes.c_double(), ctypes.c_double()
        pdfium_c.FPDFText_GetMatrix(self._raw, place, matrix)
        pdfium_c.FPDFText_GetCharOrigin(self._raw, place, x, y)
        turn, mirrored = _turn(matrix.a, matrix.b, matrix.c, matrix.d)
        size = pdfium_c.FPDFText_GetFontSize(self._raw, place) * math.hypot(matrix.c, matrix.d)
        baseline = BoundingBox(x.value, y.value, x.value, y.value).turned(turn if frame is None else frame).bottom
        along, across = sorted((abs(matrix.a), abs(matrix.b)), reverse=True)
        return Pose(turn, mirrored, size, baseline, across > OBLIQUE * along)

    def _is_aside(self, pose: Pose) -> bool:
        """Does it run in another direction than the page?"""
        return pose.oblique or pose.turn != self.turn

    def _font(self, place: int) -> bytes:
        name = ctypes.create_string_buffer(_MAX_NAME_LENGTH)
        pdfium_c.FPDFText_GetFontInfo(self._raw, place, name, _MAX_NAME_LENGTH, None)
        return name.value

    def is_invisible(self) -> bool:
        """Is the text drawn without ink, as programs do that lay OCR under a scan?"""
        return bool(self._pieces) and not has_ink(self._raw, self._pieces[0][0])

    def leave_out_pale(self, look: Callable[[], Callable[[BoundingBox], bool]]) -> int:
        """Leave out what is written in the colour of the paper. Returns how many characters that is.

        `look` gives what tells whether white is seen at a place. It is called only where something is white.
        """
        found = pale(self._raw, self._pieces)
        if not found:
            return 0
        is_seen = look()
        unseen = {piece for piece in found if not is_seen(box_of(self._raw, piece).turned(self.turn))}
        self._pieces = [piece for piece in self._pieces if piece not in unseen]
        return characters_of(*(self.emitted.text[start:end] for start, end in unseen))

    def leave_out_covered(self, covers: Covering, is_even: Callable[[BoundingBox], bool]) -> int:
        """Leave out what something is drawn over. Returns how many characters that is.

        `is_even` tells whether the page shows nothing but one colour at a place.
        """
        parts = list(parts_covered(self._raw, self._pieces, covers))
        unseen = {part for part, covered in parts if covered and is_even(box_of(self._raw, part).turned(self.turn))}
        self._pieces = [part for part, _ in parts if part not in unseen]
        return characters_of(*(self.emitted.text[start:end] for start, end in unseen))

    def has_layers(self) -> bool:
        """Is any of the text in a layer that can be switched off?"""
        shown = (pdfium_c.FPDFText_GetTextObject(self._raw, start) for start, _ in self._pieces)
        marks = {mark for one in shown if one for mark in object_marks(handle(one))}
        return any(_mark_name(mark) == _LAYER for mark in marks)

    def lines_as_emitted(self) -> list[TextLine]:
        """PDFium's own lines, right for a page without Hebrew, with the box of first and last character."""
        printed = (_PRINTED.search(self.emitted.text, *piece) for piece in self._pieces)
        spans = [found.span() for found in printed if found]
        ends = [place for start, end in spans for place in (start, end - 1)]
        boxes = [
            BoundingBox(left, bottom, right, top).turned(self.turn)
            for left, top, right, bottom in _boxes.at(self._raw, ends).tolist()
        ]
        lines = []
        for (start, end), first, last in zip(spans, boxes[::2], boxes[1::2], strict=True):
            smaller, larger = sorted((first.height, last.height))
            pose = self._pose(start, frame=self.turn)
            lines.append(
                TextLine(
                    text=self.emitted.text[start:end],
                    left=min(first.left, last.left),
                    right=max(first.right, last.right),
                    top=max(first.top, last.top),
                    baseline=pose.baseline,
                    size=pose.size or first.height,
                    aside=self._is_aside(pose),
                    mixed=smaller < SMALLER * larger and not self.emitted.text[end - 1].isdigit(),
                )
            )
        return lines

    def glyph_lines(self, *, right_to_left: bool, stored_only: bool = False) -> list[GlyphLine]:
        """Lines of glyphs, put together, with the pieces of one baseline in one line.

        `right_to_left`: the file sets PDFium's base direction (viewer preference R2L). `stored_only`: spaces that
        PDFium made of gaps are not believed.
        """
        text = self.shown
        pieces = [(start, end) for start, end in self._pieces if not text.text[start:end].isspace()]
        codes = codes_as_stored(self.emitted, pieces, right_to_left=right_to_left)
        if text is not self.emitted:
            codes = np.where(text.codes == self.emitted.codes, codes, text.codes)
        page = PageGlyphs(
            codes, text.flags, pieces, boxes_at=lambda places: _boxes.at(self._raw, places), font_at=self._font
        )
        poses = [self._pose(place) for place in page.typical_places()]
        if stored_only:
            # `FPDFText_IsGenerated` denies it of those in runs that PDFium has turned.
            made = [not pdfium_c.FPDFText_GetTextObject(self._raw, place) for place in range(len(text))]
            page.leave_out(np.array(made))
        for number, pose in enumerate(poses):
            if pose.turn:
                page.turn(number, pose.turn)
        lines: list[GlyphLine] = []
        for (start, end), pose, extent in zip(page.bounds, poses, page.extents(), strict=True):
            aside = self._is_aside(pose)
            members = np.arange(start, end)
            if lines and _continue_line(lines[-1], members, pose, extent, aside=aside):
                continue
            lines.append(
                GlyphLine(
                    page=page,
                    members=members,
                    left=extent.left,
                    right=extent.right,
                    bottom=extent.bottom,
                    top=extent.top,
                    size=pose.size or max(0.0, extent.top - extent.bottom),
                    baseline=pose.baseline,
                    mirrored=pose.mirrored,
                    aside=aside,
                )
            )
        lines = with_marks_in_place(lines)
        put_together(lines)
        return lines


def _mark_name(mark: int) -> str:
    name, length = ctypes.create_string_buffer(_MAX_NAME_LENGTH), ctypes.c_ulong()
    pdfium_c.FPDFPageObjMark_GetName(
        ctypes.cast(mark, pdfium_c.FPDF_PAGEOBJECTMARK),
        ctypes.cast(name, ctypes.POINTER(pdfium_c.FPDF_WCHAR)),
        _MAX_NAME_LENGTH,
        length,
    )
    return name.raw[: max(0, length.value - 2)].decode("utf-16-le", "replace")


def _turn(a: float, b: float, c: float, d: float) -> tuple[int, bool]:
    """Quarter turns of a character with this matrix, and whether it is mirrored."""
    if abs(b) > abs(a):
        return (1 if b > 0 else 3), False
    if a < 0:
        return (0, True) if d > 0 else (2, False)
    return 0, False


def _emitted_text(textpage: pdfium.PdfTextPage) -> str:
    count = textpage.count_chars()
    text = textpage.get_text_range()
    if len(text) != count:  # then places in the text would not be places of characters
        get = pdfium_c.FPDFText_GetUnicode
        text = "".join(chr(min(get(textpage.raw, index), 0xFFFF)) for index in range(count))
    return text


def _continue_line(line: GlyphLine, members: Places, pose: Pose, piece: Extent, *, aside: bool) -> bool:
    """Add a piece that stands beside the line on its baseline (superscripts and tabs break printed lines)."""
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
    line.members = np.concatenate([line.members, members])
    size = pose.size or max(0.0, height)
    if size > line.size:
        line.size, line.baseline = size, pose.baseline
    if height >= line.height:
        line.bottom, line.top = min(line.bottom, piece.bottom), max(line.top, piece.top)
    line.left, line.right = min(line.left, piece.left), max(line.right, piece.right)
    return True


def codes_as_stored(text: PageText, pieces: Sequence[tuple[int, int]], *, right_to_left: bool) -> Codes:
    """The codes of the text with the mirroring undone in each piece, whose direction is decided as CFX_BidiString does.

    A sign runs as the last letter before it in its piece, one before the first letter as most runs of the piece.
    `pieces` hold all signs and letters. `right_to_left`: the file sets PDFium's base direction.
    """
    signs = np.flatnonzero(text.flags & np.uint16(MIRRORED_BY_PDFIUM))
    if not len(signs):
        return text.codes
    kinds = text.flags & np.uint16(KIND_BITS)
    rtl, ltr = kinds == RTL, kinds == LTR
    starts = np.array([start for start, _ in pieces])
    piece_of = np.searchsorted(starts, signs, side="right") - 1
    letters = np.flatnonzero(rtl | ltr)
    number = np.searchsorted(letters, signs) - 1  # of the last letter before each sign
    before = letters[number] if len(letters) else signs
    has_letter = (number >= 0) & (before >= starts[piece_of])
    turned = rtl[before]
    if np.count_nonzero(has_letter) < len(signs):
        most = np.add.reduceat(_run_starts(rtl) - _run_starts(ltr), starts) > 0
        turned = np.where(has_letter, turned, most[piece_of] | right_to_left)
    flipped = signs[turned]
    codes = text.codes.copy()
    codes[flipped] = _mirrored[codes[flipped]]
    return codes


def _run_starts(there: np.ndarray) -> np.ndarray:
    """1 where a run begins, else 0."""
    starts = there.astype(np.int64)
    starts[1:] &= ~there[:-1]
    return starts
