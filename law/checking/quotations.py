"""The quotations of a text: between quotation marks of any language, as an indented block, or behind a colon."""

import re
from bisect import bisect_right
from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple

from law.languages import LANGUAGES
from law.languages.scripts import PREFIX_LETTERS, either
from law.patterns import regex
from law.references.names import is_kind

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
_BLOCK = regex(r"(?:^(?:[ \t]*>|[ ]{4,}|\t)[^\n]*\S[^\n]*(?:\n|\Z))+", re.MULTILINE)
_LEADS_IN = regex(
    rf"(?P<lead>{either(language.quoting.leads_in for language in LANGUAGES)})[ \t]*\n\s*"
    r"(?P<quoted>[^\n]+(?:\n[^\n]+)*)",
    re.IGNORECASE,
)
_MARKS = frozenset("“”„«‹‚\"״‘'")
_NAMING = regex(rf"(?:{either(language.quoting.naming for language in LANGUAGES)}|[\s,:;–—-])+", re.IGNORECASE)
_MAX_NAME = 6  # words
_IN_BRACKETS = 120  # characters
_EDGE = " \t\n>,.;:…—–-"


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


def find_quotations(text: str, *, no_blocks: Collection[int] = ()) -> list[Quotation]:
    """The outermost quotations of a text, in order and apart from one another. None goes on over an empty line.

    What a bracket only gives a name (`(the “Act”)`) is none.
    `no_blocks` are where paragraphs begin that are no quotations, though they are indented or follow a colon.
    """
    blocks = [one for one in _blocks(text) if one.outer_start not in no_blocks]
    found = [*blocks]
    for one in between_marks(text):
        if not any(block.outer_start <= one.outer_start and one.outer_end <= block.outer_end for block in blocks):
            found.append(_trimmed(text, one))
    found.sort(key=lambda one: (one.outer_start, -one.outer_end))
    kept: list[Quotation] = []
    for one in found:
        if not kept or one.outer_start >= kept[-1].outer_end:
            kept.append(one)
    return [one for one in kept if not _is_named(text, one)]


def _is_named(text: str, one: Quotation) -> bool:
    """Whether it is what a bracket calls something: `(hereinafter: “the Company” or “Acme”)`, `(“NCCA”)`."""
    name = text[one.start : one.end]
    start = text.rfind("(", max(one.outer_start - _IN_BRACKETS, 0), one.outer_start)
    end = text.find(")", one.outer_end, one.outer_end + _IN_BRACKETS)
    if start < 0 or end < 0 or len(name.split()) > _MAX_NAME:
        return False
    beside = text[start + 1 : end]
    if any(sign in beside for sign in ("(", ")", "\n\n")):
        return False
    for other in between_marks(beside):
        beside = beside[: other.outer_start] + " " * (other.outer_end - other.outer_start) + beside[other.outer_end :]
    if beside.strip():
        return _NAMING.fullmatch(beside) is not None
    words = name.removeprefix("the ").split()
    return all(word[:1].isupper() or word[:1].isdigit() for word in words) or is_kind(words[0])


def _blocks(text: str) -> Iterator[Quotation]:
    for pattern in (_BLOCK, _LEADS_IN):
        for found in pattern.finditer(text):
            start, end = found.span("quoted") if "quoted" in found.groupdict() else found.span()
            if end - start > MAX_LENGTH or not any(char.isalpha() for char in text[start:end]):
                continue
            block = _trimmed(text, Quotation(start, end, start, end, certain=False))
            if marked := _whole_in_marks(text, block):
                yield marked
            elif text[block.start] not in _MARKS:  # else its marks say where it ends
                yield block


def _whole_in_marks(text: str, block: Quotation) -> Quotation | None:
    """An indented paragraph that stands in marks, which leave no doubt."""
    one = next(between_marks(text[block.start : block.end]), None)
    if one is None or one.outer_start or text[block.start + one.outer_end : block.end].strip(_EDGE):
        return None
    words = Quotation(one.start + block.start, one.end + block.start, block.outer_start, block.outer_end)
    return _trimmed(text, words)


def _trimmed(text: str, one: Quotation) -> Quotation:
    begun = text[one.start : one.end].lstrip(_EDGE)
    start = one.end - len(begun)
    return one._replace(start=start, end=start + len(begun.rstrip(" \t\n")))


def without_quotations(text: str, quotations: list[Quotation], *, longer_than: int) -> str:
    """The text with spaces in place of quotations of more than so many words: what they cite, the law cites."""
    parts, at = [], 0
    for one in quotations:
        if len(text[one.start : one.end].split()) > longer_than:
            parts += [text[at : one.start], " " * (one.end - one.start)]
            at = one.end
    return "".join([*parts, text[at:]])
