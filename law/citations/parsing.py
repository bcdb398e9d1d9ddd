"""A query, parsed once, and reading references out of it: `סעיף 5(א)(2) לחוק …`, `sections 3 to 5 and 9`."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

from law.citations.cited_items import CitedDivision, CitedItem, ParsedCitation
from law.citations.collections import SeriesIndex
from law.citations.folding import fold_query
from law.citations.grammar import SHORT_NAME, read, starts
from law.citations.items import CLAUSES, read_items
from law.citations.numbers import any_of, number_at
from law.languages import LANGUAGES
from law.languages.scripts import either
from law.patterns import regex
from law.questions.answer_kinds import definition_term, is_question
from law.questions.phrases import Operators, Phrase, find_operators, find_phrases, quoted_places
from law.questions.spellings import other_writings
from law.structure.definitions import MAX_BEHIND, DefinitionRequest
from law.words.analysis import Term, terms
from law.words.spellings import SpelledWords
from law.words.stop_words import content_terms
from law.words.synonyms import Meaning

_WORDS = [language.citations for language in LANGUAGES]
MAX_REFERENCES = 8
MAX_SOUGHT = 12  # words; what is asked at greater length is no term, and no text is read for it
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


@dataclass(frozen=True)
class ParsedQuery:
    """What a text says as a query. Each part is read when it is first asked for, and handed down with the text."""

    text: str

    @cached_property
    def operators(self) -> Operators:
        """What looks like an operator. It is none, and no word either."""
        return find_operators(self.text)

    @cached_property
    def folded(self) -> str:
        """The text as citations are read in it."""
        return fold_query(self.text).text

    @property
    def words(self) -> str:
        """The text, with blanks in place of what looks like an operator."""
        return self.operators.words

    @cached_property
    def terms(self) -> Sequence[Term]:
        """All words, in order."""
        return terms(self.words)

    @cached_property
    def spelled(self) -> SpelledWords:
        """The same, and how others spell them."""
        return SpelledWords(self.terms)

    @cached_property
    def joined_or_parted(self) -> Sequence[Meaning]:
        """Those outside phrases as others join or part them."""
        return other_writings(self.words, self.terms, apart=self.quoted_places)

    @cached_property
    def references(self) -> Sequence[CitationReference]:
        """What it cites, in order."""
        return find_references(self.text)

    @cached_property
    def discriminative(self) -> SpelledWords:
        """The words that show why a passage is found: not those of a section that it cites, unless it has no others."""
        told = [*terms(self.references[0].before), *terms(self.references[-1].after)] if self.references else []
        return SpelledWords(told) if told else self.spelled

    @cached_property
    def number_at_end(self) -> CitationReference | None:
        """Where it cites nothing, the number with dots that it ends in."""
        return None if self.references else number_at_end(self.text)

    @cached_property
    def phrases(self) -> Sequence[Phrase]:
        """What stands in quotation marks, each once."""
        return find_phrases(self.text)

    @cached_property
    def quoted_places(self) -> frozenset[int]:
        """The places of the terms that stand in phrases."""
        return quoted_places(self.words)

    @cached_property
    def is_question(self) -> bool:
        """Whether it asks in whole sentences."""
        return is_question(self.text)

    def definition_terms(self, meanings: Sequence[Meaning]) -> DefinitionRequest:
        """What it wants explained, in its own words, and in those that an abbreviation is short for.

        `meanings` are those of its words. Nothing where no term that is defined may begin what is asked.
        """
        asked = terms(definition_term(self.text))
        if not asked or len(content_terms(asked[MAX_SOUGHT:])) > MAX_BEHIND:
            return ()
        places = [place for place in range(len(self.terms)) if self.terms[place : place + len(asked)] == asked]
        longs = (one for one in meanings if one.start in places)
        return (asked, *([*one.terms, *self.terms[one.end :]] for one in longs))
