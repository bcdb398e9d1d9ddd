"""What stands between quotation marks: of any language, in any direction, and of the pairs that a text itself uses.

A mark opens where words begin behind it and none ends before it, and closes the other way round. So the same sign may
open in one text and close in another: `“…”`, `”…“`, `„…”`.
"""

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

from law.languages.scripts import PREFIX_LETTERS
from law.patterns import regex

MAX_LENGTH = 6_000  # characters of one quotation
MIN_PAIRS, MIN_SHARE = 2, 0.8  # of a text's pairs with one opening mark, for a closing mark to be its own
MAX_MARKS = 400  # behind an opening mark, among which its closing one is looked for
_CLOSED_BY = {
    "“": {"”", "“"},
    "”": {"”", "“"},
    "„": {"“", "”"},
    "‟": {"”"},
    '"': {'"'},
    "״": {"״"},
    "''": {"''"},
    "׳׳": {"׳׳"},
    "``": {"''"},
    ",,": {"''", "“", "”"},
    "«": {"»"},
    "»": {"«"},
    "<<": {">>"},
    "‹": {"›"},
    "›": {"‹"},
    "‚": {"‘", "’"},
    "‘": {"’"},
    "'": {"'"},
}
_SINGLE = frozenset("‹›‚‘’'")
_OPENS_ALONE, _CLOSES_ALONE = frozenset("“„«‹"), frozenset("”»›")  # with a space on either side: `« … »`
_MARK = regex(r"``|''|׳׳|<<|>>|,,(?=\w)|[“”„‟\"״«»‹›‚‘’']")
_PARAGRAPH = regex(r"\n[ \t]*\n")
# Letters that are joined to the word behind the mark: `ש"המפקח רשאי`
_PREFIXED = regex(rf"(?:^|[\s(\[–—-])[{PREFIX_LETTERS}]{{1,2}}$")
_WORD = regex(r"[^\W\d_]{2}")  # else it is an abbreviation: `ב"כ`
_NOTE_SIGN = regex(r"[⁰¹²³⁴-⁹]+|\d{1,3}(?!\w)|[*†‡]")
_GOES_ON = regex(r"\s[^\W\d_]")
_BRACKETS = frozenset("([{")


class Quotation(NamedTuple):
    """Characters `start` to `end` of a text, without the marks around them.

    `outer_start` and `outer_end` have the marks too. Not `certain` is what is a quotation only if the law reads so:
    a paragraph without marks behind a colon, or an indented one.
    """

    start: int
    end: int
    outer_start: int
    outer_end: int
    certain: bool = True


class _Mark(NamedTuple):
    start: int
    end: int
    sign: str
    opens: bool
    closes: bool


def between_marks(text: str) -> Iterator[Quotation]:
    """The outermost stretches between marks, in order. None goes on over an empty line."""
    marks = [_mark(text, found) for found in _MARK.finditer(text)]
    breaks = [found.start() for found in _PARAGRAPH.finditer(text)]
    closed_by = _own_pairs(marks, breaks)
    behind = 0
    for place, mark in enumerate(marks):
        if not mark.opens or mark.start < behind:
            continue
        closing = _closing(text, marks, place, _limit(mark, breaks), closed_by[mark.sign])
        if closing and any(map(str.isalpha, text[mark.end : closing.start])):
            yield Quotation(mark.end, closing.start, mark.start, closing.end)
            behind = closing.end


def _mark(text: str, found: re.Match[str]) -> _Mark:
    start, end, sign = *found.span(), found[0]
    before, after = text[start - 1 : start], text[end : end + 1]
    if _is_open(before) and _is_open(after):
        return _Mark(start, end, sign, sign in _OPENS_ALONE, sign in _CLOSES_ALONE)
    is_joined = _PREFIXED.search(text[max(start - 3, 0) : start]) and _WORD.match(text, end)
    opens = not _is_open(after) and (not before.isalnum() or is_joined is not None)
    closes = not _is_open(before) and before not in _BRACKETS
    closes = closes and (not after.isalnum() or _NOTE_SIGN.match(text, end) is not None)
    if sign == "'":
        opens = opens and before != "'"
    return _Mark(start, end, sign, opens and sign in _CLOSED_BY, closes)


def _is_open(char: str) -> bool:
    """Whether there is nothing, or a space."""
    return not char or char.isspace()


def _limit(mark: _Mark, breaks: Sequence[int]) -> int:
    """Before which character the closing mark must stand."""
    following = bisect_right(breaks, mark.start)
    return min(breaks[following] if following < len(breaks) else mark.end + MAX_LENGTH + 1, mark.end + MAX_LENGTH + 1)


def _own_pairs(marks: Sequence[_Mark], breaks: Sequence[int]) -> Mapping[str, set[str]]:
    """By opening mark those that close it: the usual ones, and the one that this text pairs it with."""
    pairs: dict[str, Counter[str]] = defaultdict(Counter)
    following: _Mark | None = None
    for mark in reversed(marks):
        if mark.sign in _SINGLE:
            continue
        if mark.closes and not mark.opens:
            following = mark
        elif mark.opens and not mark.closes and following:
            if following.start < _limit(mark, breaks):
                pairs[mark.sign][following.sign] += 1
            following = None
    own: dict[str, set[str]] = defaultdict(set, {sign: set(usual) for sign, usual in _CLOSED_BY.items()})
    for sign, counts in pairs.items():
        closing, times = counts.most_common(1)[0]
        if times >= MIN_PAIRS and times >= MIN_SHARE * counts.total():
            own[sign].add(closing)
    return own


def _closing(text: str, marks: Sequence[_Mark], place: int, limit: int, closed_by: set[str]) -> _Mark | None:
    """The mark that closes this one. Those between that open the same way are closed first."""
    opening, depth = marks[place], 0
    possessive: _Mark | None = None
    for mark in marks[place + 1 : place + 1 + MAX_MARKS]:
        if mark.start >= limit:
            break
        if mark.sign in closed_by and mark.closes:
            if depth:
                depth -= 1
            elif mark.sign in "’'" and text[mark.start - 1] == "s" and _GOES_ON.match(text, mark.end):
                possessive = possessive or mark  # `the tenants’ deposits`
            else:
                return mark
        elif mark.sign == opening.sign and mark.opens:
            if possessive:
                break
            depth += 1
    return possessive
