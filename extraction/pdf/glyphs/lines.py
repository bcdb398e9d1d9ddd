"""From the glyphs of lines to their text: order by place, spaces from gaps, then reading order.

The lines of a page are put together in one go.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, cast

import numpy as np
from numpy.typing import NDArray

from extraction.pdf.glyphs.model import TextLine
from extraction.pdf.glyphs.page_glyphs import Floats, GlyphLine, LineCharacters, PageGlyphs, Places
from extraction.pdf.text.brackets import BracketVote
from extraction.pdf.text.page_text import BRACKET, DASH, MIRRORED, PRESENTATION_FORM
from extraction.text.bidi import logical, reads_left_to_right, turn_mirrored_runs
from extraction.text.characters import DIGIT, LTR, MARK, NEUTRAL, RTL, plain_letter
from extraction.text.raised import ABOVE, RAISED_DIGITS, RAISED_LETTERS

# How wide the gaps between glyphs are that mean something, as shares of the line's height.
CELL_GAP: Final = 1.6
SPACE_WHERE_ENGINE_HAS_ONE: Final = 0.02
SPACE_WHERE_ENGINE_HAS_NONE: Final = 0.24
SPACE_BESIDE_DASH: Final = 0.2
SPACE_BY_BRACKETS: Final = np.array((0.09, 0.12, 0.15))  # with none, one or two at the gap: their boxes are tight
SPACE_WHERE_ENGINE_HAS_ONE_BY_BRACKETS: Final = np.array((SPACE_WHERE_ENGINE_HAS_ONE, 0.11, 0.11))
LETTER_SPACED: Final = 0.15  # a line whose median gap is wider is letter-spaced
LETTER_SPACED_WORDS: Final = 1.7  # of that median gap: its words are farther apart
MIN_LETTER_SPACED_LENGTH: Final = 7  # glyphs
# A small sign above the baseline, in heights of its line: the least and the most that it is high, and how far above it
# is. One that is nearly as high as the others, as web browsers print it, is further above.
MIN_RAISED: Final = 0.5
TOUCHES: Final = 0.25  # heights between a raised letter and its number
RAISED: Final = ((0.8, 0.12), (0.95, 0.3))

_TAB, _SPACE = 9, 32
_FAR = 2.0**17  # points: no page is so wide
_superscripts = np.arange(0x80, dtype=np.uint32)
_superscripts[0x30:0x3A] = list(map(ord, RAISED_DIGITS))
_superscripts[list(RAISED_LETTERS)] = list(RAISED_LETTERS.values())


def line_text(line: GlyphLine, vote: BracketVote, *, hebrew_page: bool) -> tuple[str, bool]:
    """The text in reading order, and whether that is from left to right. All brackets of the page have voted."""
    chars, kinds, brackets, _ = line.characters
    shapes = vote.shapes(chars, kinds, brackets) if brackets else chars
    if RTL not in kinds and (not hebrew_page or reads_left_to_right(chars, kinds)):
        return "".join(shapes), True
    return logical(shapes, kinds), False


def text_line(line: GlyphLine, vote: BracketVote, *, hebrew_page: bool) -> TextLine:
    """The finished line."""
    text, left_to_right = line_text(line, vote, hebrew_page=hebrew_page)
    gaps = line.characters.gaps
    return TextLine(
        text=text,
        left=line.left,
        right=line.right,
        top=line.top,
        baseline=line.baseline,
        size=line.size,
        gaps=tuple(gaps if left_to_right else reversed(gaps)),
        aside=line.aside,
    )


def put_together(lines: Sequence[GlyphLine], *, cells: bool = True) -> None:
    """Set `characters` and `widest_gap` of lines of one page.

    Spaces of the emitted text are believed between glyphs that were emitted as neighbours. Without `cells` a wide gap
    is a space: the lines stand inside table cells.
    """
    if not lines:
        return
    page = lines[0].page
    if np.count_nonzero(page.kinds == MARK):  # points and accents alone hang on nothing
        lines = [line for line in lines if np.count_nonzero(page.kinds[line.members] != MARK)]
    members = np.concatenate([line.members for line in lines])
    line_of = np.arange(len(lines)).repeat([len(line.members) for line in lines])
    is_mark = page.kinds[members] == MARK
    row = _GlyphRow(page, members[~is_mark], line_of[~is_mark])
    space, tab = row.spaces_and_tabs()
    if not cells:
        tab[:] = False
    target = np.arange(len(row.codes)) + np.cumsum(space)  # with the spaces put in
    within = target - target[row.starts][row.line_of]
    text = np.full(target[-1] + 1, _SPACE, dtype="<u4")
    text[target[tab] - 1] = _TAB
    text[target] = row.codes
    kinds = np.full(len(text), NEUTRAL, dtype=np.uint8)
    kinds[target] = row.kinds
    shown, all_kinds = text.tobytes().decode("utf-32-le", "surrogatepass"), kinds.tobytes()
    spans = list(zip(target[row.starts].tolist(), (target[row.ends - 1] + 1).tolist(), strict=True))
    chars: list[Sequence[str]] = [shown[start:end] for start, end in spans]
    for place in np.flatnonzero(row.flags & np.uint16(PRESENTATION_FORM)).tolist():
        row.written[place] = plain_letter(chr(row.codes[place]))
    for place, written in row.written.items():
        letters = chars[row.line_of[place]] = list(chars[row.line_of[place]])
        letters[within[place]] = written
    _hang_on(chars, members[is_mark], line_of[is_mark], row, within)
    brackets, gaps = row.brackets(within), row.gaps(tab)
    for number, (line, (start, end), widest) in enumerate(zip(lines, spans, row.widest_gaps(), strict=True)):
        line.widest_gap = widest
        line.characters = LineCharacters(
            chars[number], all_kinds[start:end], brackets.get(number, []), gaps.get(number, [])
        )
        if line.mirrored:
            turned, turned_kinds = turn_mirrored_runs(line.characters.chars, line.characters.kinds)
            line.characters = line.characters._replace(chars=turned, kinds=turned_kinds)


def _hang_on(chars: list[Sequence[str]], marks: Places, line_of: Places, row: _GlyphRow, within: Places) -> None:
    """Hang each point or accent on the letter of its line whose centre is nearest."""
    centres = (row.page.left + row.page.right)[marks]
    for number in np.argsort(centres, kind="stable").tolist():
        line = line_of[number]
        letters = chars[line] = list(chars[line])
        letters[within[row.nearest(line, centres[number])]] += chr(row.page.codes[marks[number]])


class _GlyphRow:
    """The glyphs of lines side by side, line after line, those of each from left to right."""

    def __init__(self, page: PageGlyphs, members: Places, line_of: Places) -> None:
        """`members` are the glyphs' numbers in the page, `line_of` says for each, ascending, in which line it is."""
        self.page, self.line_of = page, line_of
        self.lengths = np.bincount(line_of)
        self.ends = np.cumsum(self.lengths)
        self.starts = self.ends - self.lengths
        # As a rule one sort does for both.
        self._apart = line_of * (4 * _FAR) if np.abs(page.edges).max() < _FAR else None
        self.members = members = members[self._order((page.left + page.right)[members])]
        self.left, top, self.right, bottom = page.edges[:, members]
        self.flags, self.places = page.flags[members], page.places[members]
        middles = self.starts + self.lengths // 2
        own = top - bottom
        self.heights = own[self._order(own)[middles]]  # the middle one of each line, of two the larger
        self.heights[self.heights == 0] = 1.0
        baselines = bottom[self._order(bottom)[middles]]
        self.height = self.heights[line_of]  # of the line, for each glyph
        self.codes, self.kinds = page.codes[members], page.kinds[members]
        self.written: dict[int, str] = {}  # of glyphs that are not one character, what they are
        self._mark_raised(own, (bottom - baselines[line_of]) / self.height)
        self._edge = self._right_ends()
        self._gap = np.zeros(len(members))
        self._gap[1:] = self.left[1:] - self._edge[:-1]
        self._gap[self.starts] = 0.0

    def _mark_raised(self, own: Floats, above: Floats) -> None:
        """Make superscripts of raised small digits, and of lone letters beside a number.

        They are marks of footnotes and powers, not part of the number before them. In Hebrew they follow the number
        that they touch, on whichever of its sides.
        """
        share = own / self.height
        raised = np.logical_or.reduce([(share < largest) & (above > least) for largest, least in RAISED])
        raised = (raised & (share > MIN_RAISED)) | self.page.raised[self.members]
        if not np.count_nonzero(raised):
            return
        digits = raised & (self.kinds == DIGIT) & (self.codes < len(_superscripts))
        before = np.zeros(len(raised), dtype=np.bool_)
        before[:-1] = (self.kinds[1:] == DIGIT) & ~raised[1:] & (self.line_of[1:] == self.line_of[:-1])
        self._mark_letters(raised)
        self.codes[digits] = _superscripts[self.codes[digits]]
        for end in np.flatnonzero(digits & before).tolist():
            self._keep_together(digits, end)

    def _mark_letters(self, raised: NDArray[np.bool_]) -> None:
        """Make superscripts of the raised letters that stand alone beside a number."""
        near = np.abs(self.left[1:] - self.right[:-1]) < TOUCHES * self.height[1:]
        near &= self.line_of[1:] == self.line_of[:-1]
        is_number = (self.kinds == DIGIT) & ~raised
        number_before, number_after = np.zeros((2, len(raised)), dtype=np.bool_)
        number_before[1:], number_after[:-1] = near & is_number[:-1], near & is_number[1:]
        latin, hebrew = raised & (self.kinds == LTR), raised & (self.kinds == RTL)
        letters = (latin & (number_before | number_after)) | (hebrew & number_after)
        letters[1:] &= ~(latin[:-1] | hebrew[:-1])
        letters[:-1] &= ~(latin[1:] | hebrew[1:])
        for place in np.flatnonzero(letters).tolist():
            code = int(self.codes[place])
            self.codes[place] = small = int(_superscripts[code]) if code < len(_superscripts) else code
            if small == code:
                self.written[place] = ABOVE + chr(code)
        self.kinds[letters & latin & number_after] = NEUTRAL

    def _keep_together(self, digits: NDArray[np.bool_], end: int) -> None:
        """Keep the raised digits up to `end` in their order, wherever in the line they are read."""
        start = end
        while start and digits[start - 1] and self.line_of[start - 1] == self.line_of[end]:
            start -= 1
        self.kinds[start : end + 1] = NEUTRAL
        self.written |= dict.fromkeys(range(start, end), "")
        self.written[end] = "".join(map(chr, self.codes[start : end + 1].tolist()))

    def _order(self, values: Floats) -> Places:
        """The stable order by line and then by values that are places on the page, or sums or differences of two."""
        if self._apart is None:
            return np.lexsort((values, self.line_of))
        return np.argsort(values + self._apart, kind="stable")

    def _right_ends(self) -> Floats:
        """For each glyph how far the line has come with it: a glyph may end before the one to its left does."""
        right, line_of = self.right, self.line_of
        edge = right.copy()
        behind = np.flatnonzero((right[1:] < right[:-1]) & (line_of[1:] == line_of[:-1])) + 1
        for line in dict.fromkeys(line_of[behind].tolist()):
            own = slice(self.starts[line], self.ends[line])
            np.maximum.accumulate(right[own], out=edge[own])
        return edge

    def spaces_and_tabs(self) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
        """For each glyph whether there is a space or a tab before it, and whether that is a tab."""
        gap, height = self._gap, self.height
        tab, space = gap > CELL_GAP * height, gap > SPACE_WHERE_ENGINE_HAS_ONE * height
        tab[self.starts] = space[self.starts] = False
        at = np.flatnonzero(space & ~tab)  # no other may be a space
        spaced = self._letter_spacing()[self.line_of[at]]
        threshold = np.where(spaced > 0, spaced, height[at] * self._space_thresholds(at))
        space = tab.copy()
        space[at] = gap[at] > threshold
        return space, tab

    def _letter_spacing(self) -> Floats:
        """For each line the gap above which there is a space if it is a letter-spaced heading. 0 for ordinary lines."""
        found = np.zeros(len(self.starts))
        gaps = self.left[1:] - self.right[:-1]
        wide = np.zeros(len(self.left), dtype=np.int64)
        wide[1:] = gaps > LETTER_SPACED * self.height[1:]
        wide[self.starts] = 0
        pairs = self.lengths - 1
        is_long = self.lengths >= MIN_LETTER_SPACED_LENGTH
        for line in np.flatnonzero(is_long & (np.add.reduceat(wide, self.starts) >= pairs - pairs // 2)).tolist():
            own = np.sort(gaps[self.starts[line] : self.starts[line] + pairs[line]])
            found[line] = LETTER_SPACED_WORDS * own[pairs[line] // 2]
        return found

    def _space_thresholds(self, at: Places) -> Floats:
        """For each glyph there how wide the gap before it is if it is a space, as a share of the line's height."""
        flag, flag_before, place, place_before = (
            self.flags[at],
            self.flags[at - 1],
            self.places[at],
            self.places[at - 1],
        )
        brackets = ((flag & BRACKET) != 0).astype(np.intp) + ((flag_before & BRACKET) != 0)
        apart = np.abs(place - place_before)
        engine_has_one = (apart == 2) & self.page.spaces[(place + place_before) // 2]
        threshold = SPACE_BY_BRACKETS[brackets]
        threshold[((flag | flag_before) & DASH) != 0] = SPACE_BESIDE_DASH
        threshold[engine_has_one] = SPACE_WHERE_ENGINE_HAS_ONE_BY_BRACKETS[brackets[engine_has_one]]
        threshold[apart == 1] = SPACE_WHERE_ENGINE_HAS_NONE
        return cast(Floats, threshold)

    def brackets(self, within: Places) -> dict[int, list[tuple[int, object]]]:
        """By line the places of its brackets, with their fonts. `within`: the place of each glyph in its line."""
        found: dict[int, list[tuple[int, object]]] = {}
        at = np.flatnonzero(self.flags & np.uint16(MIRRORED))
        columns = self.line_of[at].tolist(), within[at].tolist(), self.members[at].tolist()
        for line, place, member in zip(*columns, strict=True):
            found.setdefault(line, []).append((place, self.page.fonts.get(member)))
        return found

    def gaps(self, tab: NDArray[np.bool_]) -> dict[int, list[tuple[float, float]]]:
        """By line its gaps that are tabs."""
        found: dict[int, list[tuple[float, float]]] = {}
        at = np.flatnonzero(tab)
        columns = self.line_of[at].tolist(), self._edge[at - 1].tolist(), self.left[at].tolist()
        for line, low, high in zip(*columns, strict=True):
            found.setdefault(line, []).append((low, high))
        return found

    def widest_gaps(self) -> list[float]:
        """That of each line."""
        return cast(list[float], np.maximum.reduceat(self._gap, self.starts).tolist())

    def nearest(self, line: int, centre: float) -> int:
        """Which glyph of the line, as a number in the row, has its centre nearest to that (twice its x)."""
        start, end = int(self.starts[line]), int(self.ends[line])
        centres = (self.left + self.right)[start:end]
        at = start + int(np.searchsorted(centres, centre))
        return min(range(max(start, at - 1), min(end, at + 1)), key=lambda n: abs(centres[n - start] - centre))
