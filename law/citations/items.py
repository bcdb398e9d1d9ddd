"""Reading sections as citations list them: `5(א)(2)`, `3 to 5 and 9`."""

import re
from collections.abc import Sequence
from dataclasses import replace

from law.citations.cited_items import CitedItem
from law.languages import LANGUAGES
from law.languages.scripts import CASELESS, either
from law.patterns import regex
from law.words.numerals import LATIN_ORDINAL, division_number

_WORDS = [language.citations for language in LANGUAGES]
MOST_ITEMS = 20  # of one list in a query, and clauses of one section; who names more wants the whole act
_A_YEAR = regex(r"(?:19|20)\d\d")
_SET_OFF = regex(r"[\"״ ]|[־-](?!\d)")


def any_of(attribute: str) -> str:
    """A pattern for what any of the languages says there."""
    return either(getattr(words, attribute) for words in _WORDS)


# Numbers that could be read as ranges or end too early, of codes in the United States: 16-5-1, 12.1-16-01, 18.2-32,
# 2C:11-3, 632-A:4; of the Netherlands: 1:2. A day such as 12-5-2020 is none.
_CODED = (
    r"(?!\d{1,2}-\d{1,2}-(?:19|20)\d\d(?!\d))"
    r"(?:\d{1,4}[A-Z]{0,2}(?:\.\d{1,3})?(?:-\d{1,5}[A-Z]{0,2}){2,3}(?:\.\d{1,4})?(?!-?\d)"
    r"|\d{1,3}\.\d{1,4}[A-Z]?\([a-z]{1,2}\)(?:\(\d{1,2}\))?-\d{1,3}[A-Z]{0,2}(?![\w-])"  # 1.401(a)-1
    r"|(?:\d{3}\.|(?<=[Rr]ule ))\d{1,2}[a-z]{1,2}\d{0,2}-\d{1,3}(?![\w-])"  # 240.10b-5
    r"|\d{1,3}\.\d{1,2}-\d{1,4}(?![.-]?\d)"
    r"|(?-i:[LRD])\. ?\d{1,4}(?:-\d{1,3}){1,2}(?![\w-])"  # of French codes: L. 121-1
    r"|\d{1,4}[A-Z]?(?:-[A-Z])?:\d{1,4}[a-z]?(?:-\d{1,4})?(?:\.\d{1,3})?(?![:-]?\d))"
)
# 5, 5א, 15ג, 63א1, 12A, 18.8.2, A1.2.3, 4 bis, 4-A; counted repetitions, so that no input makes the search slow.
NUMBER = (
    rf"(?:{_CODED}|(?:[A-Z](?=\d{{1,3}}\.\d))?\d{{1,5}}(?:[A-Z]{{1,2}}(?=\.\d))?(?:\.\d{{1,4}}){{0,6}}"
    rf"(?:{LATIN_ORDINAL}|-[A-Z]{{1,2}}(?![\w-])|{any_of('number_letters')}?\d{{0,2}}{any_of('later_letters')}?[׳']?))"
)
# 2016/679 is no section, 5% and 1,000 are none; the ו of `4ו־6` is an and
NUMBER_ENDS = rf"(?!(?!{any_of('conjunction')})[\w%/]|,\d{{3}}(?!\d))"
# A year in brackets is that of an edition: `9 U.S.C. § 12 (2018)`.
CLAUSES = r"(?: ?\( ?(?!(?:1[89]|20)\d\d ?\))[\w׳'\"״]{1,5}(?:\.\d{1,2})? ?\)){1,6}"
_OF_NUMBER = rf"(?:{any_of('number_word')} ?)?"
# `section two`, right behind the word: in `section 5 and two others` it counts others.
_SPELLED = rf"(?i:{either(word for words in _WORDS for word in words.spelled_numbers)})(?![\w-])"
_LETTERED = rf"(?-i:{any_of('letters_number')})(?:{LATIN_ORDINAL})?(?![\w’'-])"
# `Article (2)`, whose number laws print in brackets
_BRACKETED = rf"\((?P<bracketed>\d{{1,4}}[A-Z]?)\)(?P<inserted>(?i:{LATIN_ORDINAL}))?"
CITED = (
    rf"(?:(?<!\w)(?-i:{any_of('bracketed_unit')}) (?=\(\d{{1,4}}[A-Z]?\))"
    rf"|(?:{any_of('unit')}|§§?|¶¶?) ?{_OF_NUMBER}(?={NUMBER}{NUMBER_ENDS}|{_SPELLED})"
    rf"|(?<!\w)(?-i:{any_of('lettered_unit')}) ?(?={_LETTERED}))"
)

UNIT = regex(CITED, re.IGNORECASE)
_COUNTED_LETTERS = regex(rf"[{CASELESS}\"״]{{2,}}")  # סעיף ט"ו, which acts print as 15
_NUMBER = regex(rf"{NUMBER}{NUMBER_ENDS}")
_SPELLED_NUMBER = regex(_SPELLED)
_LETTERED_NUMBER = regex(_LETTERED)
_BRACKETED_NUMBER = regex(_BRACKETED)
_FIRST_NUMBER = regex(rf"{NUMBER}{NUMBER_ENDS}|{_SPELLED}|{_LETTERED}")
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
_CLAUSE_IN_PROSE = regex(
    rf",? ?(?:(?:{any_of('clause_units')}) ?(?P<clauses>{CLAUSES}|{BARE_CLAUSE})"
    rf"|(?-i:{any_of('inner_units')}) ?(?P<inner>{CLAUSES}|(?:\d{{1,3}}|(?-i:[a-z]))(?![\w%])))",
    re.IGNORECASE,
)
# ` § 2`, ` §§ 1 and 3 (c)`: paragraphs of an article, as the courts in Strasbourg cite them.
_PARAGRAPH = r"\d{1,2}(?: ?\(\w{1,3}\)){0,2}(?![\w%.])"
_SIGNED = regex(rf" §{{1,2}} ?(?P<paragraphs>{_PARAGRAPH}(?:(?:, | and |[-–]){_PARAGRAPH})*)")
_SIGNED_PARAGRAPH = regex(r"(?P<number>\d{1,2})(?P<clauses>(?: ?\(\w{1,3}\))*)")
_COUNTED = regex(any_of("counted"), re.IGNORECASE)
_ENDS = regex(rf",? {any_of('section_ends')}(?!(?!{any_of('conjunction')})\w)", re.IGNORECASE)
CLAUSE_UNIT = regex(any_of("clause_units"), re.IGNORECASE)
_INNER_UNIT = regex(rf"{CLAUSE_UNIT.pattern} ?$", re.IGNORECASE)
_LONGEST_UNIT = 20  # characters
_TO = regex(rf" ?(?:[-–—־‐‑−]|{any_of('to_words')}) ?", re.IGNORECASE)


def read_items(text: str, place: int, *, most: int = MOST_ITEMS) -> tuple[tuple[CitedItem, ...], int]:
    """The sections of a list, from its first number on, and where the list ends."""
    numbers = _BRACKETED_NUMBER if _BRACKETED_NUMBER.match(text, place) else _FIRST_NUMBER
    number = numbers.match(text, place)
    if not number:
        return (), place
    inner = _INNER_UNIT.search(text[max(0, place - _LONGEST_UNIT) : place]) is not None
    if numbers is _FIRST_NUMBER:
        numbers = _LETTERED_NUMBER if _LETTERED_NUMBER.match(text, place) else _NUMBER
    before = text[max(0, place - _LONGEST_UNIT) : place]
    signs = before.rstrip()[-1:] == "§"
    items = [_item(number)]
    place = number.end()
    if (hyphenated := _HYPHENATED.match(text, place)) and _is_one(text, before, number[0], hyphenated):
        place = hyphenated.end(1)
        items = [replace(items[0], number=f"{items[0].number}-{hyphenated[1]}", end=place)]
    while len(items) < most and len(items[-1].last_paths) < MOST_ITEMS:
        last = items[-1]
        if clauses := _CLAUSES.match(text, place):
            path = clause_path(clauses[0])
            place = clauses.end()
            items[-1] = last.with_path(_beside(last.last_paths, path), start=clauses.start(), end=place)
            continue
        if (prose := _CLAUSE_IN_PROSE.match(text, place)) and last.last == "":
            path = clause_path(prose["clauses"] or prose["inner"])
            above = last.clauses[-1] if last.clauses else ()
            start = last.spans[-1][0] if last.spans else prose.start()
            place = prose.end()
            bare = replace(last, clauses=last.clauses[:-1], spans=last.spans[:-1])
            items[-1] = bare.with_path((*above, *path), start=start, end=place)
            continue
        if not last.last_paths and not signs and (signed := _SIGNED.match(text, place)):
            place = signed.end()
            for one in _SIGNED_PARAGRAPH.finditer(text, signed.start("paragraphs"), place):
                path = (one["number"], *_CLAUSE.findall(one["clauses"]))
                items[-1] = items[-1].with_path(path, start=one.start(), end=one.end())
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
            place = number.end()
            parted = (to.start() + len(to[0].rstrip()), to.end())
            items[-1] = replace(last, last=_plain(number), parted=parted, spans=(), end=place)
            if "-" in last.number and (hyphenated := _HYPHENATED.match(text, place)):  # `112-1 to 112-9`
                place = hyphenated.end(1)
                items[-1] = replace(items[-1], last=f"{items[-1].last}-{hyphenated[1]}", end=place)
            continue
        after = to or _AND.match(text, place)
        if after and last.last_paths and (clauses := _CLAUSES.match(text, after.end())):
            if last.last:  # `4(1) to (3) and (7)`
                path = _beside(last.last_clauses, clause_path(clauses[0]))
                items.append(_with_clause(last.last, path, clauses.start(), clauses.end()))
            place = clauses.end() if last.last else clauses.start()
            continue
        number = _next_number(text, place, numbers, inner=inner)
        if number is None:
            break
        items.append(_item(number))
        place = number.end()
        if "-" in items[0].number and (hyphenated := _HYPHENATED.match(text, place)):  # `28-3803, 28-3814`
            place = hyphenated.end(1)
            items[-1] = replace(items[-1], number=f"{items[-1].number}-{hyphenated[1]}", end=place)
    return tuple(items), place


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


def _with_clause(number: str, path: tuple[str, ...], start: int, end: int) -> CitedItem:
    return CitedItem(number, clauses=(path,), spans=((start, end),), start=start, end=end)


def _item(number: re.Match[str]) -> CitedItem:
    return CitedItem(_plain(number), start=number.start(), end=number.end())


def _plain(number: re.Match[str]) -> str:
    """The number in digits, without brackets and what sets its letters off from them."""
    if bracketed := number.groupdict().get("bracketed"):
        return f"{bracketed}{(number['inserted'] or '').strip().lower()}"
    if _SPELLED_NUMBER.fullmatch(number[0]) or _COUNTED_LETTERS.fullmatch(number[0]):
        return division_number(number[0])
    return number[0] if number[0].isalnum() else _SET_OFF.sub("", number[0])


def _next_number(text: str, place: int, numbers: re.Pattern[str], *, inner: bool) -> re.Match[str] | None:
    """The next section of a list: `, 7`, `ו־9`, `and section 9`, `וסעיף 9`.

    `and paragraph 9` goes on with such a list only as the list is one of paragraphs itself, which `inner` says.
    """
    again = UNIT.match(text, place + 1) if _GLUED_AND.match(text, place) else None
    if again:
        return numbers.match(text, again.end())
    between = _AND.match(text, place)
    if between and not inner and CLAUSE_UNIT.match(text, between.end()):
        return None
    number = _number_at(text, between.end(), numbers) if between else None
    return None if number and _counts(text, number) else number


def _counts(text: str, number: re.Match[str], *, first: str = "") -> bool:
    """Whether a number is a year, or counts what is no section. `first` is where a range to it begins."""
    is_year = _A_YEAR.fullmatch(number[0]) and len(first) < len(number[0])
    return bool(is_year or _COUNTED.match(text, number.end()))


def _number_at(text: str, place: int, numbers: re.Pattern[str]) -> re.Match[str] | None:
    unit = UNIT.match(text, place)
    return numbers.match(text, unit.end() if unit else place)


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
