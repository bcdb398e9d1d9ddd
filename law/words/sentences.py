"""Where the sentences of a text end: at stops that belong to no abbreviation, initial, quotation or bracket."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence

from law.languages import LANGUAGES
from law.patterns import regex

_SHORT = frozenset(word for language in LANGUAGES for word in language.abbreviations.split())
_SHORT_BEFORE_NUMBER = frozenset(word for language in LANGUAGES for word in language.abbreviations_of_number.split())
_NUMBER_BEHIND = regex(r"\.\s{0,3}[A-Z]{0,3}[-/ (]?\d")
_SHORT_INSIDE = frozenset(word for language in LANGUAGES for word in language.abbreviations_inside.split())
_WORD_BEHIND = regex(r"\.[^\S\n]{1,3}(?!\w{1,4}[.)])(\w)")  # not the number of a clause, as `b.`
_LAST_WORD = regex(r"([^\W\d_]+)$")
_MAX_WORD_LENGTH = 20  # characters before a stop that are looked at
_BRACKETED = regex(r"\[[^\[\]]{1,300}\]|\([^()\n]{1,300}\)")


def stops(text: str, pattern: re.Pattern[str], *, within: Sequence[tuple[int, int]] = ()) -> Iterator[re.Match[str]]:
    """The matches of a pattern that end a sentence, in order.

    `pattern` finds stops and line ends. None ends a sentence inside one of the ranges `within`, which are in order and
    do not overlap, but behind it. A point behind an abbreviation or an initial ends none either.
    """
    starts = [start for start, _ in within]
    for found in pattern.finditer(text):
        at = bisect_right(starts, found.start()) - 1
        inside = at >= 0 and found.start() < within[at][1] - 1
        if not inside and not is_shortened(text, found.start()):
            yield found


def is_shortened(text: str, at: int) -> bool:
    """Whether the point at this place shortens a word: `s. 5`, `No. 3`, `A. Smith`, `five per cent. and more`."""
    if text[at] != ".":
        return False
    word = _LAST_WORD.search(text, max(0, at - _MAX_WORD_LENGTH), at)
    if word is None:
        return False
    name = word[0].casefold()
    if name in _SHORT_INSIDE:
        behind = _WORD_BEHIND.match(text, at)
        return behind is not None and behind[1].islower()
    return len(name) == 1 or name in _SHORT or (name in _SHORT_BEFORE_NUMBER and bool(_NUMBER_BEHIND.match(text, at)))


def bracketed(text: str) -> list[tuple[int, int]]:
    """The ranges of what stands in brackets, which is part of the sentence around it: `[Repealed, 2024, c. 15]`.

    A stop that is the last sign in brackets ends what they hold: `(82 Stat. 1244.)`.
    """
    found = (match.span() for match in _BRACKETED.finditer(text))
    return [(start, end - (text[end - 2] in ".!?")) for start, end in found]
