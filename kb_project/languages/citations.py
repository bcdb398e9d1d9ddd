"""What a language's citations, titles and identifiers are made of."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, kw_only=True)
class CitationWords:
    """Patterns, ignoring case; an empty one is left out."""

    # Sections
    unit: str = ""  # what stands before a section's number, with its prefixes and borders: `לסעיף`, `section`
    number_word: str = ""  # between the two: `number`
    number_letters: str = ""  # behind the digits: `5א`
    later_letters: str = ""  # behind further digits: `5א1ב`
    conjunction: str = ""  # what looks like the letter of a number but joins it to the next: `ו־9`
    glued_and: str = ""  # a letter before a unit: `וסעיף`
    and_words: str = ""
    to_words: str = ""  # of a range
    of_words: str = ""  # between a clause, a section and a part
    articles: str = ""
    clause_units: str = ""  # before a clause that is cited ahead of its section: `point (f) of`
    spacing: tuple[tuple[str, str], ...] = ()  # patterns, respecting case, and what each is replaced by, first of all
    # Between the number and the name of the act
    section_ends: str = ""  # `רישא`, `et seq.`
    more_clauses: tuple[str, str] = ("", "")  # before further clauses, and between these
    link_words: str = ""
    link_articles: str = ""
    linked: str = ""  # a word or prefix that ties the citation to the name
    list_prefix: str = ""  # glued to a number at the beginning of a query without a unit
    act_words: str = ""  # after such a number
    # Parts, chapters and schedules: `kind` is the word, `id` the number
    division: str = ""  # with the groups `kind` and `id`
    unnumbered_annex: str = ""  # behind a section, with the group `kind`
    annex_label: str = ""  # at the beginning of a heading, with the group `kind`
    division_hints: tuple[str, ...] = ()  # one of these is in every text with a division
    division_kinds: Mapping[str, str] = field(default_factory=dict)  # short and plural forms
    annexes: frozenset[str] = frozenset()  # kinds in which sections count anew
    ordinals: Mapping[str, int] = field(default_factory=dict)  # number words
    # Titles and identifiers
    calendar_year: str = ""  # a year of its own calendar, as titles end in it
    identifier_forms: tuple[tuple[str, str], ...] = ()  # patterns and what each is replaced by
    number_nouns: frozenset[str] = frozenset()  # left out where they stand before an identifier
