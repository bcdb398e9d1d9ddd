"""Reading references out of a query: `סעיף 5(א)(2) לחוק …`, `Rule 18.8.2`, `sections 3 to 5 and 9`, `Part 4 of …`."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from kb_project.languages import LANGUAGES
from kb_project.languages.scripts import LETTERS, either, language_of
from search.citations.divisions import DIVISION, UNNUMBERED, Division, division_of, may_name_a_division
from search.text.analysis import MARKS

_WORDS = [language.citations for language in LANGUAGES]
MOST_OF_RANGE = 10
_WHOLE = re.compile(r"\d+")
_LAST_NUMBER = re.compile(r"(?P<stem>.*?\.)(?P<last>\d+)")
_LAST_LETTER = re.compile(rf"(?P<stem>.*\d)(?P<last>[{LETTERS}])")
_INSERTED = re.compile(r"(?P<base>\d+)\D")
MOST_REFERENCES = 8
MOST_ITEMS = 20  # of one list, and clauses of one section; who names more wants the whole act
_DIGIT = re.compile(r"\d")
_BARE_NUMBER = re.compile(r"\d+(?:\.\d+)+(?=[\s(]|$)")
_CLAUSES = re.compile(r"(?:\s?\(\s?[\w׳'\"״]{1,5}\s?\)){1,6}")
_CLAUSE = re.compile(r"\(\s?([^\s()]+)\s?\)")
_WITHIN_LENGTH = 60
_MARKS = re.compile(f"[{MARKS}]")
_SPACING = [(re.compile(printed), usual) for words in _WORDS for printed, usual in words.spacing]
_MORE_CLAUSES = either(
    rf"{unit}\s?{_CLAUSES.pattern}(?:\s?{and_word}{_CLAUSES.pattern}){{0,3}}\s"
    for unit, and_word in (words.more_clauses for words in _WORDS)
    if unit
)


def _any(attribute: str) -> str:
    return either(getattr(words, attribute) for words in _WORDS)


# 5, 5א, 15ג, 63א1, 12A, 18.8.2, A1.2.3; counted repetitions, so that no input makes the search slow.
NUMBER = (
    r"(?:[A-Z](?=\d{1,3}\.\d))?\d{1,5}(?:\.\d{1,4}){0,6}"
    rf"{_any('number_letters')}?\d{{0,2}}{_any('later_letters')}?[׳']?"
)
NUMBER_ENDS = rf"(?!(?!{_any('conjunction')})[\w%/])"  # 2016/679 is no section, and 5% none; the ו of `4ו־6` is an and


@dataclass(frozen=True)
class Item:
    """One section of a reference, or all from it to `last`; `clauses` are the ways to what is meant inside it."""

    number: str
    last: str = ""
    clauses: tuple[tuple[str, ...], ...] = ()

    @property
    def sections(self) -> list[str]:
        """The numbers it stands for, in order and at most MOST_OF_RANGE; where a range makes no sense, its ends."""
        return _between(self.number, self.last) if self.last else [self.number]

    @property
    def written_as_one(self) -> str:
        """`1-102` may be a range, or the number of a single section."""
        return f"{self.number}-{self.last}" if self.last else ""

    def takes_in(self, section: str) -> str:
        """The number after which a section that was inserted later belongs to the range (`3א` of 3 to 5); or ''."""
        inserted = _INSERTED.match(section)
        if inserted and "." not in section and _WHOLE.fullmatch(self.last) and inserted["base"] in self.sections[:-1]:
            return inserted["base"]
        return ""


def _between(first: str, last: str) -> list[str]:
    if _WHOLE.fullmatch(first) and _WHOLE.fullmatch(last):
        return _counted("", int(first), int(last)) or [first, last]
    for pattern in (_LAST_NUMBER, _LAST_LETTER):
        one, other = pattern.fullmatch(first), pattern.fullmatch(last)
        if not one or not other or one["stem"] != other["stem"]:
            continue
        if one["last"].isdigit():
            return _counted(one["stem"], int(one["last"]), int(other["last"])) or [first, last]
        letters = language_of(one["last"]).alphabet
        start, end = letters.find(one["last"].upper()), letters.find(other["last"].upper())
        if 0 <= start < end:
            return [one["stem"] + letter for letter in letters[start : end + 1]][:MOST_OF_RANGE]
    return [first, last]


def _counted(stem: str, first: int, last: int) -> list[str]:
    return [f"{stem}{number}" for number in range(first, min(last, first + MOST_OF_RANGE - 1) + 1)]


_OF_NUMBER = rf"(?:{_any('number_word')}\s?)?"
_CITED = rf"(?:{_any('unit')}|§§?|¶¶?)\s?{_OF_NUMBER}(?={NUMBER}{NUMBER_ENDS})"
_START = re.compile(
    rf"(?=[{LETTERS}§¶])(?:(?P<unit>(?i:{_CITED}))"
    r"|(?<![\w.])(?P<name>[A-Z][A-Za-z]{0,8}[A-Z])\s(?=\d{1,3}\.\d)"  # COBS 3.4.1
    rf"|(?P<division>(?i:{DIVISION.pattern})))"
)
_UNIT = re.compile(_CITED, re.IGNORECASE)
_NUMBER = re.compile(rf"{NUMBER}{NUMBER_ENDS}")
_AND = re.compile(rf"\s?(?:[,;]\s?{_any('and_words')}?|{_any('and_words')})\s?", re.IGNORECASE)
_GLUED_AND = re.compile(rf" {_any('glued_and')}")
_TO = re.compile(rf"\s?(?:[-–—־‐‑−]|{_any('to_words')})\s?", re.IGNORECASE)
_JOINT = re.compile(rf"\s?[,:]?\s?(?:{_any('of_words')}\s)?(?:{_any('articles')}\s)?", re.IGNORECASE)
# `סעיף קטן (ב) של` and `point (f) of`, in front of the section.
_WITHIN = re.compile(
    rf"{_any('clause_units')}\s?(?P<clauses>(?:\([\w׳'\"״]{{1,5}}\)){{1,4}})\s?(?:{_any('of_words')}\s)?$",
    re.IGNORECASE,
)
# What may stand between the number and the name.
_LINK = re.compile(
    rf"[\s,:\-–—]*(?:{_any('section_ends')}\s)?{_MORE_CLAUSES}?(?:{_any('link_words')}\s)?{_any('link_articles')}?",
    re.IGNORECASE,
)
_LINKED = re.compile(rf"[\s,]*{_any('linked')}", re.IGNORECASE)
# `ו־48 לתקנות …` at the very beginning, without a unit.
_BEGINNING = re.compile(
    rf"{_any('list_prefix')}?(?={NUMBER}{NUMBER_ENDS}(?:{_CLAUSES.pattern})?\s{_any('act_words')}\s)"
)


@dataclass(frozen=True, kw_only=True)
class Reference:
    """Sections, or parts and schedules alone, and the text before and after, one of which may name the act.

    `name` is an abbreviation right before the number (`COBS 3.4.1`). `linked` says that a word or letter ties it to
    what follows: `Part 4 of …`, `פרק ב לחוק …`.
    """

    items: tuple[Item, ...]
    divisions: tuple[Division, ...] = ()
    name: str = ""
    linked: bool = False
    before: str
    after: str


def find_references(query: str) -> list[Reference]:
    """The first references of a query, in order; without a unit only a number with dots that is the whole query."""
    if not _may_cite(query):
        return []
    text = " ".join(_MARKS.sub("", query).split())
    for printed, usual in _SPACING:
        text = printed.sub(usual, text)
    if _BARE_NUMBER.match(text):
        items, end = _read_items(text, 0)
        if end == len(text):
            return [Reference(items=items, before="", after="")]
    found: list[Reference] = []
    place = 0
    if beginning := _BEGINNING.match(text):
        reference, place = _read(text, beginning)
        found += [reference] if reference else []
    while len(found) < MOST_REFERENCES and (start := _START.search(text, place)):
        reference, end = _read(text, start)
        if reference is not None:
            found.append(reference)
        place = max(end, start.end())
    return found


def _may_cite(query: str) -> bool:
    """Most queries do not; this is told without the patterns."""
    return bool(_DIGIT.search(query)) or may_name_a_division(query)


def _read(text: str, start: re.Match[str]) -> tuple[Reference | None, int]:
    divisions: list[Division] = []
    place = start.end()
    groups = start.groupdict()
    if groups.get("division"):
        divisions, place = _read_divisions(text, start.start())
        joint = _JOINT.match(text, place)
        unit = _UNIT.match(text, joint.end() if joint else place)
        items, place = _read_items(text, unit.end()) if unit else ((), place)
    else:
        items, place = _read_items(text, place)
    if items:
        more, place = _read_divisions(text, place, any_of_kind=True)
        divisions += more
        inner = _WITHIN.search(text[max(0, start.start() - _WITHIN_LENGTH) : start.start()])
        if inner and not items[0].clauses:
            items = (replace(items[0], clauses=(tuple(_CLAUSE.findall(inner["clauses"])),)), *items[1:])
    if not items and not divisions:
        return None, place
    link = _LINK.match(text, place)
    return (
        Reference(
            items=items,
            divisions=tuple(divisions),
            name=groups.get("name") or "",
            before=text[: start.start()],
            after=text[link.end() if link else place :],
            linked=_LINKED.match(text, place) is not None,
        ),
        place,
    )


def _read_items(text: str, place: int) -> tuple[tuple[Item, ...], int]:
    """The sections of a list, from its first number on, and where the list ends."""
    number = _NUMBER.match(text, place)
    if not number:
        return (), place
    items = [Item(number[0])]
    place = number.end()
    while len(items) < MOST_ITEMS and len(items[-1].clauses) < MOST_ITEMS:
        last = items[-1]
        if clauses := _CLAUSES.match(text, place):
            path = tuple(_CLAUSE.findall(clauses[0]))
            items[-1] = replace(last, clauses=(*last.clauses, _beside(last.clauses, path)))
            place = clauses.end()
            continue
        to = _TO.match(text, place)
        if to and (number := _number_at(text, to.end())) and not last.last:
            items[-1] = replace(last, last=number[0])
            place = number.end()
            continue
        after = to or _AND.match(text, place)
        if after and last.clauses and (clauses := _CLAUSES.match(text, after.end())):
            place = clauses.start()
            continue
        number = _next_number(text, place)
        if number is None:
            break
        items.append(Item(number[0]))
        place = number.end()
    return tuple(items), place


def _next_number(text: str, place: int) -> re.Match[str] | None:
    """The next section of a list: `, 7`, `ו־9`, `and section 9`, `וסעיף 9`."""
    again = _UNIT.match(text, place + 1) if _GLUED_AND.match(text, place) else None
    if again:
        return _NUMBER.match(text, again.end())
    between = _AND.match(text, place)
    return _number_at(text, between.end()) if between else None


def _number_at(text: str, place: int) -> re.Match[str] | None:
    unit = _UNIT.match(text, place)
    return _NUMBER.match(text, unit.end() if unit else place)


def _beside(paths: Sequence[tuple[str, ...]], path: tuple[str, ...]) -> tuple[str, ...]:
    """A clause that is listed after another: `(1)(a) and (c)` means `(1)(c)`, `(1) and (2)` two clauses."""
    before = paths[-1] if paths else ()
    for depth in range(len(before) - 1, -1, -1):
        if before[depth][:1].isdigit() == path[0][:1].isdigit():
            return (*before[:depth], *path)
    return path


def _read_divisions(text: str, place: int, *, any_of_kind: bool = False) -> tuple[list[Division], int]:
    """Parts, chapters and schedules that follow one another, and where they end."""
    found: list[Division] = []
    while joint := _JOINT.match(text, place):
        division = DIVISION.match(text, joint.end()) or (any_of_kind and UNNUMBERED.match(text, joint.end()))
        if not division:
            break
        found.append(division_of(division))
        place = division.end()
    return found, place
