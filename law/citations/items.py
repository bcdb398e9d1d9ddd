"""Reading sections as citations list them: `5(א)(2)`, `3 to 5 and 9`."""

import re
from collections.abc import Sequence
from dataclasses import replace

from law.citations.cited_items import CitedItem
from law.citations.numbers import (
    BRACKETED_NUMBER,
    LETTERED_NUMBER,
    NUMBER_ENDS,
    SPELLED_NUMBERS,
    UNIT,
    NumberReader,
    any_of,
    each,
    first_number,
    number_at,
)
from law.languages.scripts import CASELESS
from law.patterns import Choice, regex
from law.words.numerals import division_number

MAX_ITEMS = 20  # of one list in a query, and clauses of one section; who names more wants the whole act
_A_YEAR = regex(r"(?:19|20)\d\d")
_SET_OFF = regex(r"[\"״ ]|[־-](?!\d)|\.?[º°]")


# A year in brackets is that of an edition: `9 U.S.C. § 12 (2018)`.
CLAUSES = r"(?: ?\( ?(?!(?:1[89]|20)\d\d ?\))[\w׳'\"״]{1,5}(?:\.\d{1,2})? ?\)){1,6}"
_COUNTED_LETTERS = regex(rf"[{CASELESS}\"״]{{2,}}")  # סעיף ט"ו, which acts print as 15
_CLAUSES = regex(CLAUSES)
_CLAUSE = regex(r"\( ?([^\s()]+) ?\)")
# `§ 28-4604` is one number, and so are `2-1002` and `112-1`. `sections 5-100` is a range, and so is each of
# `sections 5-100, 120-200`, but no one of `sections 28-3803, 28-3814`.
_ONE_SIGN = regex(r"(?<!§)§ ?$")
_SEVERAL = regex(rf"(?:{any_of('several')}|§§) ?$", re.IGNORECASE)
_HYPHENATED = regex(rf"[-–](\d{{1,5}}(?:\.\d{{1,3}})?){NUMBER_ENDS}(?![-–]\d)(?P<clause> ?\()?")
_NEXT_HYPHENATED = regex(rf"[ ,;]{{1,2}}(?:{any_of('and_words')})?(\d{{1,5}})[-–]\d", re.IGNORECASE)
_AND = regex(rf" ?(?:[,;] ?{any_of('and_words')}?|{any_of('and_words')}) ?", re.IGNORECASE)
_GLUED_AND = regex(rf" {any_of('glued_and')}")
# `, subsection (2)`, ` paragraph 2`: a clause of the section before it.
BARE_CLAUSE = r" \d{1,2}(?![\d.\w%]| ?\()"
_CLAUSE_IN_PROSE = Choice(
    (
        *(rf",? ?{unit} ?(?P<clauses>{CLAUSES}|{BARE_CLAUSE})" for unit in each("clause_units")),
        rf",? ?(?-i:{any_of('inner_units')}) ?(?P<clauses>{CLAUSES}|(?:\d{{1,3}}|(?-i:[a-z]))(?![\w%]))",
    ),
    re.IGNORECASE,
)
# ` § 2`, ` §§ 1 and 3 (c)`: paragraphs of an article.
_PARAGRAPH = r"\d{1,2}(?: ?\(\w{1,3}\)){0,2}(?![\w%.])"
_SIGNED = regex(rf" §{{1,2}} ?(?P<paragraphs>{_PARAGRAPH}(?:(?:,? {any_of('and_words')}|, |[-–]){_PARAGRAPH})*)")
_SIGNED_PARAGRAPH = regex(r"(?P<number>\d{1,2})(?P<clauses>(?: ?\(\w{1,3}\))*)")
_COUNTED = regex(any_of("counted"), re.IGNORECASE)
_NO_WORD = rf"(?!(?!{any_of('conjunction')})\w)"
_ENDS = Choice((rf",? (?:{end}){_NO_WORD}" for end in each("section_ends")), re.IGNORECASE)
CLAUSE_UNIT = regex(any_of("clause_units"), re.IGNORECASE)
_INNER_UNIT = regex(rf"{CLAUSE_UNIT.pattern} ?$", re.IGNORECASE)
_MAX_UNIT_LENGTH = 20  # characters
_TO = regex(rf" ?(?:[-–—־‐‑−]|{any_of('to_words')}) ?", re.IGNORECASE)


def read_items(text: str, place: int, *, most: int = MAX_ITEMS) -> tuple[tuple[CitedItem, ...], int]:
    """The sections of a list, from its first number on, and where the list ends."""
    number = first_number(text, place)
    if not number:
        return (), place
    numbers = _numbers_like(number)
    before = text[max(0, place - _MAX_UNIT_LENGTH) : place]
    inner = _INNER_UNIT.search(before) is not None
    signs = before.rstrip()[-1:] == "§"
    hyphenated = _HYPHENATED.match(text, number.end())
    is_one = hyphenated is not None and _is_one(text, before, number[0], hyphenated)
    plain, place = _with_hyphen(text, number, is_one=is_one)
    items = [CitedItem(plain, start=number.start(), end=place)]
    while len(items) < most and len(items[-1].last_paths) < MAX_ITEMS:
        last = items[-1]
        if clauses := _CLAUSES.match(text, place):
            path = clause_path(clauses[0])
            place = clauses.end()
            items[-1] = last.with_path(_beside(last.last_paths, path), start=clauses.start(), end=place)
            continue
        if (prose := _CLAUSE_IN_PROSE.match(text, place)) and last.last == "":
            items[-1], place = _in_prose(last, prose), prose.end()
            continue
        if not last.last_paths and not signs and (signed := _SIGNED.match(text, place)):
            items[-1], place = _with_paragraphs(last, text, signed), signed.end()
            continue
        if ends := _ENDS.match(text, place):
            place = ends.end()
        to = _TO.match(text, place)
        clauses = _CLAUSES.match(text, to.end()) if to and last.clauses and not last.last else None
        if to and clauses and _is_beside(last.clauses[-1], path := clause_path(clauses[0])):
            place = clauses.end()
            parted = (to.start() + len(to[0].rstrip()), to.end())
            items[-1:] = _up_to_clause(last, _beside(last.clauses, path), parted=parted, end=place)
            continue
        number = _number_at(text, to.end(), numbers) if to and not last.last else None
        if to and number and not _counts(text, number, first=last.number):
            plain, place = _with_hyphen(text, number, is_one="-" in last.number)  # `112-1 to 112-9`
            parted = (to.start() + len(to[0].rstrip()), to.end())
            items[-1] = replace(last, last=plain, parted=parted, spans=(), end=place)
            continue
        after = to or _AND.match(text, place)
        if after and last.last_paths and (clauses := _CLAUSES.match(text, after.end())):
            if last.last:  # `4(1) to (3) and (7)`
                path = _beside(last.last_clauses, clause_path(clauses[0]))
                start, end = clauses.span()
                items.append(CitedItem(last.last, clauses=(path,), spans=((start, end),), start=start, end=end))
            place = clauses.end() if last.last else clauses.start()
            continue
        number = _next_number(text, place, numbers, last=last.number, inner=inner)
        if number is None:
            break
        plain, place = _with_hyphen(text, number, is_one="-" in items[0].number)  # `28-3803, 28-3814`
        items.append(CitedItem(plain, start=number.start(), end=place))
    return tuple(items), place


def _numbers_like(number: re.Match[str]) -> NumberReader:
    """How the further numbers of a list are printed that begins with this one."""
    if number.re.pattern == BRACKETED_NUMBER.pattern:
        return BRACKETED_NUMBER.match
    return LETTERED_NUMBER.match if LETTERED_NUMBER.match(number.string, number.start()) else number_at


def _in_prose(item: CitedItem, prose: re.Match[str]) -> CitedItem:
    """The section with a clause behind it in words, inside the clause that was read last."""
    above = item.clauses[-1] if item.clauses else ()
    start = item.spans[-1][0] if item.spans else prose.start()
    bare = replace(item, clauses=item.clauses[:-1], spans=item.spans[:-1])
    return bare.with_path((*above, *clause_path(prose["clauses"])), start=start, end=prose.end())


def _with_paragraphs(item: CitedItem, text: str, signed: re.Match[str]) -> CitedItem:
    """The article with the paragraphs behind a sign."""
    for one in _SIGNED_PARAGRAPH.finditer(text, signed.start("paragraphs"), signed.end()):
        path = (one["number"], *_CLAUSE.findall(one["clauses"]))
        item = item.with_path(path, start=one.start(), end=one.end())
    return item


def _is_one(text: str, before: str, number: str, hyphenated: re.Match[str]) -> bool:
    """Whether `28-4604` is a number and no range: that would be of very many sections, or has clauses behind it.

    Behind a word for several sections it is a range, unless the next in the list does not lie behind its end.
    """
    last = hyphenated[1]
    if number.isdigit() and last.isdigit() and int(last) < int(number):
        return True
    if _SEVERAL.search(before):
        following = _NEXT_HYPHENATED.match(text, hyphenated.end(1))
        return following is not None and int(following[1]) <= float(last)
    more = len(last) - len(number)
    is_long = more >= 2 or (more == 1 and hyphenated["clause"] is not None)
    return is_long or (len(last) > 1 and _ONE_SIGN.search(before) is not None)


def _up_to_clause(item: CitedItem, path: tuple[str, ...], *, parted: tuple[int, int], end: int) -> list[CitedItem]:
    """A section of which all clauses are cited from the one that was read last: `4(1), (3) to (5)`."""
    *others, first = item.clauses
    ranged = replace(item, clauses=(first,), last=item.number, last_clauses=(path,), parted=parted, spans=(), end=end)
    if not others:
        return [ranged]
    *spans, (start, _) = item.spans
    return [replace(item, clauses=tuple(others), spans=tuple(spans), end=spans[-1][1]), replace(ranged, start=start)]


def clause_path(clauses: str) -> tuple[str, ...]:
    """What is in each of the brackets: `(א)(2)`, or a bare number."""
    return tuple(_CLAUSE.findall(clauses)) or (clauses.strip(),)


def _with_hyphen(text: str, number: re.Match[str], *, is_one: bool) -> tuple[str, int]:
    """The number in digits, with what a hyphen joins to it if both are one, and where it ends."""
    more = _HYPHENATED.match(text, number.end()) if is_one else None
    return (f"{_plain(number)}-{more[1]}", more.end(1)) if more else (_plain(number), number.end())


def _plain(number: re.Match[str]) -> str:
    """The number in digits, without brackets and what sets its letters off from them."""
    if bracketed := number.groupdict().get("bracketed"):
        return f"{bracketed}{(number['inserted'] or '').strip().lower()}"
    if number[0].casefold() in SPELLED_NUMBERS or _COUNTED_LETTERS.fullmatch(number[0]):
        return division_number(number[0])
    return number[0] if number[0].isalnum() else _SET_OFF.sub("", number[0])


def _next_number(text: str, place: int, numbers: NumberReader, *, last: str, inner: bool) -> re.Match[str] | None:
    """The next section of a list: `, 7`, `ו־9`, `and section 9`, `וסעיף 9`.

    `and paragraph 9` goes on with such a list only as the list is one of paragraphs itself, which `inner` says.
    """
    again = UNIT.match(text, place + 1) if _GLUED_AND.match(text, place) else None
    if again:
        return numbers(text, again.end())
    between = _AND.match(text, place)
    if between and not inner and CLAUSE_UNIT.match(text, between.end()):
        return None
    number = _number_at(text, between.end(), numbers) if between else None
    joined = between is not None and between[0].strip() not in (",", ";")  # `§ 9101, 1947, No. 153` goes on with a year
    return None if number and _counts(text, number, first=last if joined else "") else number


def _counts(text: str, number: re.Match[str], *, first: str = "") -> bool:
    """Whether a number is a year, or counts what is no section. `first` stands before it: `1983 and 1985`."""
    is_year = _A_YEAR.fullmatch(number[0]) and len(first) < len(number[0])
    return bool(is_year or _COUNTED.match(text, number.end()))


def _number_at(text: str, place: int, numbers: NumberReader) -> re.Match[str] | None:
    unit = UNIT.match(text, place)
    return numbers(text, unit.end() if unit else place)


def _is_beside(one: tuple[str, ...], other: tuple[str, ...]) -> bool:
    """Whether the second may stand beside one of the first: of `(1)(a)` and `(c)`, not of `(a)` and `(1)`."""
    return other[0][:1].isdigit() in {clause[:1].isdigit() for clause in one}


def _beside(paths: Sequence[tuple[str, ...]], path: tuple[str, ...]) -> tuple[str, ...]:
    """A clause that is listed after another: `(1)(a) and (c)` means `(1)(c)`, `(1) and (2)` two clauses."""
    before = paths[-1] if paths else ()
    for depth in range(len(before) - 1, -1, -1):
        if before[depth][:1].isdigit() == path[0][:1].isdigit():
            return (*before[:depth], *path)
    return path
