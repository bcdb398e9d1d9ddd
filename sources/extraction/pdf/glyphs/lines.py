"""From the glyphs of one line to its text: order by place, spaces from gaps, then reading order."""

from __future__ import annotations

import statistics
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from sources.extraction.pdf.glyphs.model import Glyph, GlyphLine, LineCharacters, TextLine
from sources.extraction.pdf.glyphs.spacing import (
    CELL_GAP,
    LETTER_SPACED,
    LETTER_SPACED_WORDS,
    RAISED_ABOVE,
    RAISED_SIZES,
    SHORTEST_LETTER_SPACED,
    SPACE_BESIDE_DASH,
    SPACE_BY_BRACKETS,
    SPACE_WHERE_ENGINE_HAS_NONE,
    SPACE_WHERE_ENGINE_HAS_ONE,
    SPACE_WHERE_ENGINE_HAS_ONE_AT_BRACKET,
    SUPERSCRIPTS,
)
from sources.extraction.pdf.text.bidi import logical, reads_left_to_right, turn_mirrored_runs
from sources.extraction.pdf.text.brackets import Bracket, BracketVote
from sources.extraction.pdf.text.characters import BRACKETS, DASHES, DIGIT, MARK, MIRROR, NEUTRAL, RTL, SPACES


@dataclass(slots=True)
class VisualLine:
    """One line left to right, spaces in place, brackets still as the font codes them.

    `is_latin`: reads from left to right although the page is Hebrew.
    """

    chars: Sequence[str]
    kinds: Sequence[int]
    brackets: list[Bracket]
    gaps: list[tuple[float, float]]  # those that became tabs, left to right
    is_latin: bool
    source: GlyphLine

    def text(self, vote: BracketVote) -> str:
        chars = vote.shapes(self.chars, self.kinds, self.brackets) if self.brackets else self.chars
        return "".join(chars) if self.is_latin else logical(chars, self.kinds)

    def finished(self, vote: BracketVote) -> TextLine:
        line = self.source
        return TextLine(
            text=self.text(vote),
            left=line.left,
            right=line.right,
            top=line.top,
            baseline=line.baseline,
            size=line.size,
            gaps=tuple(self.gaps if self.is_latin else reversed(self.gaps)),
            aside=line.aside,
        )


def visual_line(
    line: GlyphLine, *, emitted: str, hebrew_page: bool, vote: BracketVote, cells: bool = True
) -> VisualLine:
    """Rebuild a line and let its brackets vote.

    `emitted` is the engine's text, whose spaces are believed between glyphs it emitted as neighbours.
    Without `cells` a wide gap is a space: the line stands inside a table cell.
    """
    chars, kinds, brackets, gaps = line.characters or _line_characters(line.glyphs, emitted)
    if line.mirrored:
        chars, kinds = list(chars), list(kinds)
        turn_mirrored_runs(chars, kinds)
    if not cells:
        chars = [" " if char == "\t" else char for char in chars]
        gaps = []
    is_latin = RTL not in kinds and (not hebrew_page or reads_left_to_right(chars, kinds))
    if brackets:
        vote.count_pairs(chars, brackets)
    return VisualLine(chars=chars, kinds=kinds, brackets=brackets, gaps=gaps, is_latin=is_latin, source=line)


def _line_characters(glyphs: list[Glyph], emitted: str) -> LineCharacters:
    ordered = sorted(glyphs, key=_centre)
    height, baseline = _height_and_baseline(ordered)
    letter_gap = _letter_spacing(ordered, height)
    smallest_space = SPACE_WHERE_ENGINE_HAS_ONE * height
    chars: list[str] = []
    kinds: list[int] = []
    brackets: list[Bracket] = []
    gaps: list[tuple[float, float]] = []
    marks: list[Glyph] = []
    bases: list[tuple[float, int]] = []  # centre and place of each base character, for the marks
    edge = 0.0  # right end of what is placed so far
    before_index = 0
    for glyph in ordered:
        left, right, bottom, top, char, kind, index, font = glyph
        if kind == MARK:
            marks.append(glyph)
            continue
        if kind == DIGIT and _is_raised(bottom, top, height, baseline):
            char, kind = char.translate(SUPERSCRIPTS), NEUTRAL
        if chars:
            gap = left - edge
            if gap > CELL_GAP * height:
                chars.append("\t")
                gaps.append((edge, left))
                kinds.append(NEUTRAL)
            elif gap > (letter_gap or smallest_space) and (
                letter_gap or gap > height * _space_threshold(chars[-1], char, before_index, index, emitted)
            ):
                chars.append(" ")
                kinds.append(NEUTRAL)
            if right > edge:
                edge = right
        else:
            edge = right
        if char in MIRROR:
            brackets.append((len(chars), font))
        bases.append((left + right, len(chars)))
        chars.append(char)
        kinds.append(kind)
        before_index = index
    if marks and bases:
        _attach(marks, bases, chars)
    return LineCharacters(chars, kinds, brackets, gaps)


def _centre(glyph: Glyph) -> float:
    return glyph[0] + glyph[1]


def _height_and_baseline(glyphs: list[Glyph]) -> tuple[float, float]:
    middle = len(glyphs) // 2
    height = sorted([glyph[3] - glyph[2] for glyph in glyphs])[middle] or 1.0
    return height, sorted([glyph[2] for glyph in glyphs])[middle]


def _letter_spacing(ordered: list[Glyph], height: float) -> float:
    """Gap above which there is a space in a letter-spaced heading. 0 in ordinary lines."""
    if len(ordered) < SHORTEST_LETTER_SPACED:
        return 0.0
    gap = statistics.median_high([after[0] - before[1] for before, after in pairwise(ordered)])
    return LETTER_SPACED_WORDS * gap if gap > LETTER_SPACED * height else 0.0


def _is_raised(bottom: float, top: float, height: float, baseline: float) -> bool:
    """A small digit above the baseline is a footnote mark or an exponent, not part of the number before it."""
    own = top - bottom
    smallest, small, largest = RAISED_SIZES
    if not smallest * height < own < largest * height:
        return False
    return own < small * height and bottom > baseline + RAISED_ABOVE * height


def _space_threshold(before: str, after: str, before_index: int, after_index: int, emitted: str) -> float:
    at_brackets = (before in BRACKETS) + (after in BRACKETS)
    apart = abs(after_index - before_index)
    if apart == 1:
        return SPACE_WHERE_ENGINE_HAS_NONE
    if apart == 2 and emitted[(before_index + after_index) // 2] in SPACES:
        return SPACE_WHERE_ENGINE_HAS_ONE_AT_BRACKET if at_brackets else SPACE_WHERE_ENGINE_HAS_ONE
    if before in DASHES or after in DASHES:
        return SPACE_BESIDE_DASH
    return SPACE_BY_BRACKETS[at_brackets]


def _attach(marks: list[Glyph], bases: list[tuple[float, int]], chars: list[str]) -> None:
    """Hang each point or accent on the letter whose centre is nearest."""
    centres = [centre for centre, _ in bases]
    for mark in marks:
        centre = mark.left + mark.right
        at = bisect_left(centres, centre)
        nearest = min(range(max(0, at - 1), min(len(bases), at + 1)), key=lambda n: abs(centres[n] - centre))
        chars[bases[nearest][1]] += mark.char
