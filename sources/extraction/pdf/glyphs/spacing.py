"""How wide the gaps between glyphs are that mean something, as shares of the line's height."""

from __future__ import annotations

from typing import Final

CELL_GAP: Final = 1.6
SPACE_WHERE_ENGINE_HAS_ONE: Final = 0.02
SPACE_WHERE_ENGINE_HAS_NONE: Final = 0.24
SPACE_BESIDE_DASH: Final = 0.2
SPACE_BY_BRACKETS: Final = (0.09, 0.12, 0.15)  # with none, one or two brackets at the gap: their boxes are tight
SPACE_WHERE_ENGINE_HAS_ONE_AT_BRACKET: Final = 0.11
LETTER_SPACED: Final = 0.15  # a line whose median gap is wider is letter-spaced
LETTER_SPACED_WORDS: Final = 1.7  # of that median gap: its words are farther apart
SHORTEST_LETTER_SPACED: Final = 7  # glyphs
# A small digit above the baseline: its own height is between the first and the last of these, and below the second.
RAISED_SIZES: Final = (0.5, 0.8, 2.0)
RAISED_ABOVE: Final = 0.12
SUPERSCRIPTS: Final = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")
