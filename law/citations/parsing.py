"""Reading references out of a query: `סעיף 5(א)(2) לחוק …`, `Rule 18.8.2`, `sections 3 to 5 and 9`, `Part 4 of …`."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from law.citations.cited_items import CitedItem, ParsedCitation
from law.citations.divisions import CitedDivision
from law.citations.folding import fold_query
from law.citations.grammar import SHORT_NAME, read, starts
from law.citations.items import CLAUSES, read_items
from law.citations.numbers import any_of, number_at
from law.citations.unread import unread_before, unread_behind
from law.languages import LANGUAGES
from law.languages.scripts import either
from law.patterns import regex
from law.words.series import find_series

_WORDS = [language.citations for language in LANGUAGES]
MAX_REFERENCES = 8
_BARE_NUMBER = regex(r"\d+(?:\.\d+)+(?=[ (]|$)")
_NUMBER_AT_END = regex(rf"(?<=\w[ ,]|\) |, )\d{{1,3}}(?:\.\d{{1,3}}){{1,3}}(?:{CLAUSES})?$")
_PARAGRAPH = regex(r"(?<=[\w),] )(?:at )?\[(?P<number>\d{1,3}(?:\.\d{1,2})?)\]")
_MORE_CLAUSES = either(
    rf"{unit} ?{CLAUSES}(?: ?{and_word}{CLAUSES}){{0,3}} "
    for unit, and_word in (words.more_clauses for words in _WORDS)
    if unit
)
# What may stand between the number and the name.
_LINK = regex(
    rf"[ ,:\-–—]*(?:{any_of('section_ends')} )?{_MORE_CLAUSES}?(?:{any_of('link_words')} )?{any_of('link_articles')}?",
    re.IGNORECASE,
)
_LINKED = regex(rf"[ ,]*{any_of('linked')}", re.IGNORECASE)
# `ו־48 לתקנות …` at the very beginning, without a unit.
_LIST_PREFIX = regex(rf"{any_of('list_prefix')}?")
_OF_ACT = regex(rf"(?:{CLAUSES})? {any_of('act_words')} ")


@dataclass(frozen=True, kw_only=True)
class CitationReference:
    """Sections, or parts and schedules alone, and the text before and after, one of which may name the act.

    `name` is an abbreviation right before the number (`COBS 3.4.1`). `linked` says that a word or letter ties it to
    what follows: `Part 4 of …`, `פרק ב לחוק …`. `unread` are words beside the number that look like an act's name or
    number: it is of no other, whether that act is known or not.
    """

    items: tuple[CitedItem, ...]
    divisions: tuple[CitedDivision, ...] = ()
    name: str = ""
    linked: bool = False
    unread: str = ""
    before: str
    after: str


def find_references(query: str) -> list[CitationReference]:
    """The first references of a query, in order. Without a unit only a number with dots that is the whole query."""
    text = fold_query(query).text
    if _BARE_NUMBER.match(text):
        items, end = read_items(text, 0)
        if end == len(text):
            return [CitationReference(items=items, before="", after="")]
    found: list[CitationReference] = []
    for citation in _citations(text):
        if not citation.items and not any(division.number for division in citation.divisions):
            continue
        link = _LINK.match(text, citation.end)
        found.append(
            CitationReference(
                items=citation.items,
                divisions=citation.divisions,
                name=citation.name,
                before=text[: citation.start],
                after=text[link.end() if link else citation.end :],
                linked=_LINKED.match(text, citation.end) is not None,
                unread="" if citation.name else _unread(text, citation),
            )
        )
        if len(found) == MAX_REFERENCES:
            break
    return found


def _unread(text: str, citation: ParsedCitation) -> str:
    behind = unread_behind(text, citation.end, of_section=True, is_listed=True)
    return behind.words if behind else unread_before(text, citation.start)


def number_at_end(query: str) -> CitationReference | None:
    """A number with dots that a query ends in, without a unit: a section's where a title stands before it."""
    text = fold_query(query).text
    number = _NUMBER_AT_END.search(text)
    if number is None:
        return None
    items, _ = read_items(text, number.start())
    return CitationReference(items=items, before=text[: number.start()], after="") if items else None


def _paragraph(text: str, place: int) -> ParsedCitation | None:
    """A paragraph of a judgment in square brackets: `[2022] EWHC 2231 (SCCO) at [25]`."""
    found = _PARAGRAPH.match(text, place)
    return ParsedCitation(start=place, end=found.end(), items=(CitedItem(found["number"]),)) if found else None


def _coded(text: str, start: int, number: int) -> ParsedCitation | None:
    """The number of a section right behind the name of its code: `C.R.S. 18-3-102`."""
    items, end = read_items(text, number)
    return ParsedCitation(start=start, end=end, items=items, name=text[start:number].strip(" ,")) if items else None


def _citations(text: str) -> Iterator[ParsedCitation]:
    place = 0
    prefix = _LIST_PREFIX.match(text)
    number = number_at(text, prefix.end()) if prefix else None
    if number and _OF_ACT.match(text, number.end()):
        items, place = read_items(text, number.start())
        yield ParsedCitation(start=0, end=place, items=items)
    others = (match.start() for pattern in (SHORT_NAME, _PARAGRAPH) for match in pattern.finditer(text))
    named = find_series(text)
    reports = [(one.start, one.end) for one in named if one.series.judgment]
    unsigned = {one.start: bare for one in named if (bare := one.unsigned(text)) >= 0}
    for start in sorted({*starts(text), *others, *unsigned}):
        if any(opens < start < closes for opens, closes in reports):
            continue  # `85 Fed. Reg. 1234` has no regulation 1234
        if start < place:
            continue
        coded = _coded(text, start, unsigned[start]) if start in unsigned else None
        citation = read(text, start) or _paragraph(text, start) or coded
        if citation:
            yield citation
            place = citation.end
