"""The glyphs of a page's lines put side by side, all lines in one go: order by place, spaces from gaps.

The same is done glyph by glyph in `lines`, for lines that are not a stretch of the page's glyphs (cells of tables,
halves of columns) and for those with marks or letters that become others.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from sources.extraction.pdf.glyphs.model import GlyphLine, LineCharacters
from sources.extraction.pdf.glyphs.page_glyphs import PageGlyphs
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
from sources.extraction.pdf.text.characters import DIGIT, NEUTRAL
from sources.extraction.pdf.text.page_text import BRACKET, DASH, MIRRORED, ODD, Flags

_TAB, _SPACE = 9, 32
_FAR = 2.0**17  # points: no page is so wide
_superscripts = np.arange(0x80, dtype=np.uint32)
_superscripts[list(SUPERSCRIPTS)] = list(SUPERSCRIPTS.values())

_BY_BRACKETS = np.array(SPACE_BY_BRACKETS)
_WHERE_ENGINE_HAS_ONE = np.array([SPACE_WHERE_ENGINE_HAS_ONE] + 2 * [SPACE_WHERE_ENGINE_HAS_ONE_AT_BRACKET])

Floats = NDArray[np.float64]
Places = NDArray[np.int64]


def set_line_characters(page: PageGlyphs, lines: Sequence[GlyphLine]) -> None:
    """Set `characters` and `widest_gap` of the lines: stretches of the page's glyphs that follow one another in it."""
    if not lines:
        return
    starts, ends = np.array([(line.start, line.end) for line in lines]).T
    lengths = ends - starts
    line_of = np.arange(len(lines)).repeat(lengths)
    in_lines = _LineOrder(page, line_of)
    order = in_lines.of(page.left + page.right)
    left, top, right, bottom = page.edges[:, order]
    flags, kinds, codes, places = page.flags[order], page.kinds[order], page.codes[order], page.places[order]
    middles = starts + lengths // 2
    own = top - bottom
    heights = own[in_lines.of(own)[middles]]  # the middle ones, of two the larger
    heights[heights == 0] = 1.0
    height = heights[line_of]
    baselines = bottom[in_lines.of(bottom)[middles]]
    codes, kinds = _raised(codes, kinds, own, bottom, height, baselines[line_of])
    edge = _right_ends(right, line_of, starts, lengths)
    gap = np.zeros(len(left))
    gap[1:] = left[1:] - edge[:-1]
    gap[starts] = 0.0
    tab, space = gap > CELL_GAP * height, gap > SPACE_WHERE_ENGINE_HAS_ONE * height
    tab[starts] = space[starts] = False
    at = np.flatnonzero(space & ~tab)  # no other may be a space
    spaced = _letter_spacing(left, right, starts, lengths, heights)[line_of[at]]
    threshold = np.where(spaced > 0, spaced, height[at] * _space_thresholds(flags, places, at, page.spaces))
    space = tab.copy()
    space[at] = gap[at] > threshold
    target = np.arange(len(codes)) + np.cumsum(space)  # with the spaces put in
    text = np.full(target[-1] + 1, _SPACE, dtype="<u4")
    text[target[tab] - 1] = _TAB
    text[target] = codes
    shown = text.tobytes().decode("utf-32-le", "surrogatepass")
    spaced_kinds = np.full(len(text), NEUTRAL, dtype=np.uint8)
    spaced_kinds[target] = kinds
    all_kinds = spaced_kinds.tobytes()
    new_starts, new_ends = target[starts], target[starts + lengths - 1] + 1
    brackets = _brackets(page, flags, places, line_of, target - new_starts[line_of])
    gaps = _gaps(edge, left, line_of, np.flatnonzero(tab))
    widest = np.maximum.reduceat(gap, starts).tolist()
    odd = np.add.reduceat((flags & ODD) != 0, starts).tolist()
    for number, (line, start, end) in enumerate(zip(lines, new_starts.tolist(), new_ends.tolist(), strict=True)):
        line.widest_gap = widest[number]
        if not (odd[number] or line.mirrored):
            line.characters = LineCharacters(
                shown[start:end], all_kinds[start:end], brackets.get(number, []), gaps.get(number, [])
            )


class _LineOrder:
    """Sorts glyphs by line and then by a value. The sort is stable."""

    def __init__(self, page: PageGlyphs, line_of: Places) -> None:
        self._line_of = line_of
        # As a rule one sort does for both.
        self._apart = line_of * (4 * _FAR) if np.abs(page.edges).max() < _FAR else None

    def of(self, values: Floats) -> Places:
        """The order by values that are places on the page, or sums or differences of two."""
        if self._apart is None:
            return np.lexsort((values, self._line_of))
        return np.argsort(values + self._apart, kind="stable")


def _right_ends(right: Floats, line_of: Places, starts: Places, lengths: Places) -> Floats:
    """For each glyph how far the line has come with it: a glyph may end before the one to its left does."""
    edge = right.copy()
    behind = np.flatnonzero((right[1:] < right[:-1]) & (line_of[1:] == line_of[:-1])) + 1
    for line in dict.fromkeys(line_of[behind].tolist()):
        own = slice(starts[line], starts[line] + lengths[line])
        np.maximum.accumulate(right[own], out=edge[own])
    return edge


def _raised(
    codes: NDArray[np.uint32], kinds: NDArray[np.uint8], own: Floats, bottom: Floats, height: Floats, baseline: Floats
) -> tuple[NDArray[np.uint32], NDArray[np.uint8]]:
    """Codes and kinds with raised small digits as superscripts."""
    smallest, small, largest = RAISED_SIZES
    raised = (kinds == DIGIT) & (own < small * height)
    if not np.count_nonzero(raised):
        return codes, kinds
    raised &= (smallest * height < own) & (own < largest * height) & (bottom > baseline + RAISED_ABOVE * height)
    if np.count_nonzero(raised):
        codes, kinds = codes.copy(), kinds.copy()
        ascii_digits = raised & (codes < len(_superscripts))
        codes[ascii_digits] = _superscripts[codes[ascii_digits]]
        kinds[raised] = NEUTRAL
    return codes, kinds


def _letter_spacing(left: Floats, right: Floats, starts: Places, lengths: Places, heights: Floats) -> Floats:
    """For each line the gap above which there is a space if it is a letter-spaced heading. 0 for ordinary lines."""
    found = np.zeros(len(starts))
    gaps = left[1:] - right[:-1]
    wide = np.zeros(len(left), dtype=np.int64)
    wide[1:] = gaps > LETTER_SPACED * np.repeat(heights, lengths)[1:]
    wide[starts] = 0
    pairs = lengths - 1
    candidates = (lengths >= SHORTEST_LETTER_SPACED) & (np.add.reduceat(wide, starts) >= pairs - pairs // 2)
    for line in np.flatnonzero(candidates).tolist():
        own = np.sort(gaps[starts[line] : starts[line] + pairs[line]])
        found[line] = LETTER_SPACED_WORDS * own[pairs[line] // 2]
    return found


def _space_thresholds(flags: Flags, places: Places, at: Places, spaces: NDArray[np.bool_]) -> Floats:
    """For each glyph there how wide the gap before it has to be to be a space, as a share of the line's height."""
    flag, flag_before, place, place_before = flags[at], flags[at - 1], places[at], places[at - 1]
    brackets = ((flag & BRACKET) != 0).astype(np.intp) + ((flag_before & BRACKET) != 0)
    apart = np.abs(place - place_before)
    engine_has_one = (apart == 2) & spaces[(place + place_before) // 2]
    threshold = _BY_BRACKETS[brackets]
    threshold[((flag | flag_before) & DASH) != 0] = SPACE_BESIDE_DASH
    threshold[engine_has_one] = _WHERE_ENGINE_HAS_ONE[brackets[engine_has_one]]
    threshold[apart == 1] = SPACE_WHERE_ENGINE_HAS_NONE
    return threshold


def _brackets(
    page: PageGlyphs, flags: Flags, places: Places, line_of: Places, within: Places
) -> dict[int, list[tuple[int, object]]]:
    """By line the places of its brackets, with their fonts. `within`: the place of each glyph in its line."""
    found: dict[int, list[tuple[int, object]]] = {}
    at = np.flatnonzero(flags & MIRRORED)
    for line, place, index in zip(line_of[at].tolist(), within[at].tolist(), places[at].tolist(), strict=True):
        found.setdefault(line, []).append((place, page.fonts.get(index)))
    return found


def _gaps(edge: Floats, left: Floats, line_of: Places, tabs: Places) -> dict[int, list[tuple[float, float]]]:
    """By line its gaps that are tabs."""
    found: dict[int, list[tuple[float, float]]] = {}
    for line, low, high in zip(line_of[tabs].tolist(), edge[tabs - 1].tolist(), left[tabs].tolist(), strict=True):
        found.setdefault(line, []).append((low, high))
    return found
