"""Reading references out of a query: `סעיף 5(א)(2) לחוק …`, `Rule 18.8.2`, `sections 3 to 5 and 9`, `Part 4 of …`."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from law.citations.cited_items import CitedItem, ParsedCitation
from law.citations.collections import SeriesIndex
from law.citations.divisions import CitedDivision
from law.citations.folding import fold_query
from law.citations.grammar import SHORT_NAME, read, starts
from law.citations.items import CLAUSES, read_items
from law.citations.numbers import any_of, number_at
from law.languages import LANGUAGES
from law.languages.scripts import either
from law.patterns import regex

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

    `linked` says that a word or letter ties it to what follows: `Part 4 of …`, `פרק ב לחוק …`. `start` and `end` are
    its places in the folded query.
    """

    items: tuple[CitedItem, ...]
    divisions: tuple[CitedDivision, ...] = ()
    linked: bool = False
    before: str
    after: str
    start: int = 0
    end: int = 0


def find_references(query: str) -> list[CitationReference]:
    """The first references of a query, in order. Without a unit only a number with dots that is the whole query."""
    text = fold_query(query).text
    if _BARE_NUMBER.match(text):
        items, end = read_items(text, 0)
        if end == len(text):
            return [CitationReference(items=items, before="", after="", end=end)]
    found: list[CitationReference] = []
    for citation in _citations(text):
        if not citation.items and not any(division.number for division in citation.divisions):
            continue
        link = _LINK.match(text, citation.end)
        found.append(
            CitationReference(
                items=citation.items,
                divisions=citation.divisions,
                before=text[: citation.start],
                after=text[link.end() if link else citation.end :],
                linked=_LINKED.match(text, citation.end) is not None,
                start=citation.start,
                end=citation.end,
            )
        )
        if len(found) == MAX_REFERENCES:
            break
    return found


def number_at_end(query: str) -> CitationReference | None:
    """A number with dots that a query ends in, without a unit: a section's where a title stands before it."""
    text = fold_query(query).text
    number = _NUMBER_AT_END.search(text)
    if number is None:
        return None
    items, _ = read_items(text, number.start())
    place, end = number.span()
    return CitationReference(items=items, before=text[:place], after="", start=place, end=end) if items else None


def _paragraph(text: str, place: int) -> ParsedCitation | None:
    """A paragraph of a judgment in square brackets: `[2022] EWHC 2231 (SCCO) at [25]`."""
    found = _PARAGRAPH.match(text, place)
    return ParsedCitation(start=place, end=found.end(), items=(CitedItem(found["number"]),)) if found else None


def _citations(text: str) -> Iterator[ParsedCitation]:
    place = 0
    prefix = _LIST_PREFIX.match(text)
    number = number_at(text, prefix.end()) if prefix else None
    if number and _OF_ACT.match(text, number.end()):
        items, place = read_items(text, number.start())
        yield ParsedCitation(start=0, end=place, items=items)
    others = (match.start() for pattern in (SHORT_NAME, _PARAGRAPH) for match in pattern.finditer(text))
    series = SeriesIndex(text)
    for start in sorted({*starts(text), *others, *series.unsigned}):
        if any(opens < start < closes for opens, closes in series.reports.items()):
            continue  # `85 Fed. Reg. 1234` has no regulation 1234
        if start < place:
            continue
        citation = read(text, start) or _paragraph(text, start) or series.sections_at(start)
        if citation:
            yield citation
            place = citation.end
