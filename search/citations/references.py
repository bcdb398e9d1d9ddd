"""Reading references out of a query: `סעיף 5(א)(2) לחוק …`, `Rule 18.8.2`, `sections 3 to 5 and 9`, `Part 4 of …`."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from search.citations.divisions import DIVISION, UNNUMBERED, Division, division_of, may_name_a_division
from search.citations.section_numbers import NUMBER, NUMBER_ENDS, Item
from search.text.analysis import MARKS

MOST_REFERENCES = 8
MOST_ITEMS = 20  # of one list, and clauses of one section; who names more wants the whole act

_HEBREW_UNIT = (
    r"(?<![א-ת])[ושהכבלמ]{0,4}?(?:סעיפים|סעיפי|סעיף|סע['׳.]|ס[\"״]ס|ס(?=\s\d)|תקנת[\s־-]משנה|תקנה|תקנות(?=\s\d)|תק['׳]|(?<!מ)ס['׳]"
    r"|פרט|פרטים(?=\s\d)|כלל|כללים(?=\s\d)|פריט|פריטים(?=\s\d)|פי?סקה(?=\s\d)|פי?סקאות(?=\s\d))"
)
_ENGLISH_UNIT = (
    r"(?<![\w'’])(?:sections?|secs?\.?|ss?\.?|rules?|rr?\.|articles?|arts?\.?|regulations?|regs?\.?|paragraphs?|paras?\.?"
    r"|clauses?|cl\.)"
)
_OF_NUMBER = r"(?:(?:מספר|מס['׳.]?|number|no\.)\s?)?"
_CITED = rf"(?:{_HEBREW_UNIT}|{_ENGLISH_UNIT}|§§?|¶¶?)\s?{_OF_NUMBER}(?={NUMBER}{NUMBER_ENDS})"
_START = re.compile(
    rf"(?=[A-Za-zא-ת§¶])(?:(?P<unit>(?i:{_CITED}))"
    r"|(?<![\w.])(?P<name>[A-Z][A-Za-z]{0,8}[A-Z])\s(?=\d{1,3}\.\d)"  # COBS 3.4.1
    rf"|(?P<division>(?i:{DIVISION.pattern})))"
)
_DIGIT = re.compile(r"\d")
_UNIT = re.compile(_CITED, re.IGNORECASE)
_NUMBER = re.compile(rf"{NUMBER}{NUMBER_ENDS}")
_BARE_NUMBER = re.compile(r"\d+(?:\.\d+)+(?=[\s(]|$)")
_CLAUSES = re.compile(r"(?:\s?\(\s?[\w׳'\"״]{1,5}\s?\)){1,6}")
_CLAUSE = re.compile(r"\(\s?([^\s()]+)\s?\)")
_AND = re.compile(
    r"\s?(?:[,;]\s?(?:ו[־–-]?|או\s|and\s|or\s|&)?|ו(?:גם|כן)\s|ו[־–-]?|או\s|and\s|or\s|&)\s?", re.IGNORECASE
)
_TO = re.compile(r"\s?(?:[-–—־‐‑−]|ו?עד\s|(?:up )?to\s|through\s)\s?", re.IGNORECASE)
_JOINT = re.compile(r"\s?[,:]?\s?(?:(?:of|to|in|under|של)\s)?(?:the\s)?", re.IGNORECASE)
# `סעיף קטן (ב) של` and `point (f) of`, in front of the section.
_WITHIN = re.compile(
    r"(?:סעיפים\sקטנים|סעיף\sקטן|פי?סקאות|פי?סקה|פי?סקת[\s־-]משנה|sub-?sections?|sub-?paragraphs?|paragraphs?|paras?\.?"
    r"|points?|clauses?|items?)\s?(?P<clauses>(?:\([\w׳'\"״]{1,5}\)){1,4})\s?(?:(?:של|of|in|to|under)\s)?$",
    re.IGNORECASE,
)
_WITHIN_LENGTH = 60
_MARKS = re.compile(f"[{MARKS}]")
# The letters of a number set off from its digits: `13-א`, `13"א`, `34כ"ד`; `סעיף 13 א לחוק`.
_SET_OFF = re.compile(r"(?<=\d)(?:[\"״]|[־-](?!ו))(?=[א-ת]{1,2}\d?(?![א-ת\"״]))|(?<=\d[א-ת])[\"״](?=[א-ת](?![א-ת]))")
_SPACED = re.compile(r"(?P<unit>(?:סעיף|תקנה|ס['׳]) ?\d{1,4}) (?=[א-הז-ט](?: [לבש]|\(|$))")
# What may stand between the number and the name; a prefix letter of a Hebrew name is part of its first word, unless
# it is set off (`ל־חוק`).
_LINK = re.compile(
    r"[\s,:\-–—]*(?:(?:רי?ש[אה]|סי?פ[אה]|ואילך|והלאה|ff?\.?|et\sseq\.?)\s)?"
    rf"(?:וב?(?:פי?סקאות|פי?סקה|סעיפים קטנים|סעיף קטן)\s?{_CLAUSES.pattern}(?:\s?ו[־–-]?{_CLAUSES.pattern}){{0,3}}\s)?"
    r"(?:(?:של|לפי|על[ \-־]פי|מתוך|of|to|in|under|from)\s)?(?:the\s|[לבמש]{1,2}[־-])?",
    re.IGNORECASE,
)
_LINKED = re.compile(r"[\s,]*(?:של\s|[לבמש]{1,2}[־-]?[א-ת]|(?:of|to|in|under|from)\s)", re.IGNORECASE)
# `ו־48 לתקנות …` at the very beginning, without a unit.
_BEGINNING = re.compile(
    rf"(?:[ובל]{{1,2}}[־–-])?(?={NUMBER}{NUMBER_ENDS}(?:{_CLAUSES.pattern})?\s(?:ל|של )(?:חוק|פקודת|תקנות|צו|כללי)\s)"
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
    text = _SPACED.sub(r"\g<unit>", _SET_OFF.sub("", " ".join(_MARKS.sub("", query).split())))
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
    again = _UNIT.match(text, place + 1) if text[place : place + 2] == " ו" else None
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
