"""What a language says of how sections, parts and schedules are cited, and of names that none of its forms reads."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, kw_only=True)
class CitationWords:
    """Patterns, ignoring case. An empty one is left out. In what they are matched with, white space is one space."""

    hints: tuple[str, ...] = ()  # respecting case, beginning with a letter: one is in the first word of each citation
    hints_in_any_case: tuple[str, ...] = ()  # in small letters: the same also in capitals, or with one
    behind_ordinal: str = ""  # respecting case: behind `first`, which then is a hint too
    # Sections
    unit: tuple[
        str, ...
    ] = ()  # what stands before a section's number, with its prefixes and borders: `לסעיף`, `section`
    number_word: str = ""  # between the two: `number`
    number_letters: str = ""  # behind the digits: `5א`
    later_letters: str = ""  # behind further digits: `5א1ב`
    conjunction: str = ""  # what looks like the letter of a number but joins it to the next: `ו־9`
    several: str = ""  # searched up to the first number: words for several sections: `sections`
    glued_and: str = ""  # a letter before a unit: `וסעיף`
    and_words: str = ""
    to_words: str = ""  # of a range
    of_words: str = ""  # between a clause, a section and a part
    glued_of: str = ""  # the same as a letter of the word behind it: `לסעיף קטן (א)`
    articles: str = ""
    clause_units: str = ""  # before a clause that is cited ahead of its section, or without one: `point (f) of`
    again: str = ""  # behind a section that was cited before: `section 5 aforesaid`
    anaphor: str = ""  # `that section`: the one named last
    subsections: str = ""  # those of them that are right below a section
    term_of: str = ""  # between such a clause and its section: the term that the clause helps to define
    # Between the number and the name of the act
    counted: str = ""  # behind a number of a list that is no section: `section 5, 30 days`
    section_ends: str = ""  # behind a number, beside what is cited of it: `רישא`, `et seq.`, `inclusive`
    more_clauses: tuple[str, str] = ("", "")  # before further clauses, and between these
    link_words: str = ""
    link_articles: str = ""
    linked: str = ""  # a word or prefix that ties the citation to the name
    list_prefix: str = ""  # glued to a number at the beginning of a query without a unit
    act_words: str = ""  # after such a number
    # Parts, chapters and schedules: `kind` is the word, `id` the number
    # Each with the groups `kind` and `id`, and `word` for what has to be a number in words
    division: tuple[str, ...] = ()
    division_number: str = ""  # that of a further one in a list, with the group `word` too
    divisions_listed: str = ""  # words for several of them, behind which such a list stands: `Parts`
    unnumbered_annex: str = ""  # behind a section, with the group `kind`
    annex_alone: str = ""  # without a section before it, with the group `kind`
    annex_label: str = ""  # at the beginning of a heading, with the group `kind`
    lettered_unit: str = ""  # respecting case: a unit whose number may be in letters: `Article XX`, `סעיף ט"ו`
    coded: tuple[Mapping[str, Any], ...] = ()  # ways in which codes print numbers, with examples: `18.2-32`
    letters_number: str = ""  # respecting case: such a number
    bracketed_unit: str = ""  # respecting case: a unit whose number may be in brackets: `Article (2)`
    inner_units: str = ""  # respecting case: words for clauses only right behind a section: `§ 5 Abs. 2`
    # How the language cites a provision itself
    names: Mapping[str, str] = field(default_factory=dict)  # what a provision is called, by its kind or its source's
    counted_in: tuple[tuple[str, str], ...] = ()  # what sections are called where a title has it, the first that has
    cited_in: str = ""  # with the places `{place}` and `{title}`
    # Titles and identifiers
    calendar_year: str = ""  # a year of its own calendar, as titles end in it
    written_out: tuple[tuple[str, str], ...] = ()  # words for acts that are cut short, as patterns, and whole: `פק'`
    identifier_forms: tuple[tuple[str, str], ...] = ()  # patterns and what each is replaced by
    # Units of which the one is a part of the other, wherever it stands: `section 2, Article 5`
    parent: str = ""
    child: str = ""
    printed_number: str = ""  # between an act's name and its year: ` 71 of`
    year_lead: str = ""  # a word between the two
    number_nouns: tuple[str, ...] = ()  # left out where they stand before an identifier
    bill: str = ""  # searched in a title: of an act that is only proposed


@dataclass(frozen=True, kw_only=True)
class UnreadWords:
    """Lists of words, in small letters. A space ends what is a word of its own, and not a prefix of the next.

    Behind a joining word stands what a provision is of. So whatever looks like the name or number of an instrument
    there, and is not read, is another document.
    """

    surely_of: tuple[str, ...] = ()  # behind them any name or number is an instrument's: `of`
    joining: tuple[str, ...] = ()  # behind them one that has a word for instruments, or a number: `to`
    loosely: tuple[str, ...] = ()  # behind them one that has such a word with a capital, or a number: `in`
    articles: tuple[str, ...] = ()  # between the two
    own: tuple[str, ...] = ()  # in place of an article: then it is this document
    inside: tuple[str, ...] = ()  # words of a name between its capitals
    plain: tuple[str, ...] = ()  # words before one for instruments that then is none: `the definition agreement`
    instruments: tuple[str, ...] = ()  # what has sections: `ordinance`, `lease`
    plans: tuple[str, ...] = ()  # what has some too, but only what is said to be of it is: `section 4 of the plan`
    places: tuple[str, ...] = ()  # words with a capital that go before a number and are parts of any document: `Table`
    numbered: tuple[str, ...] = ()  # before a number, they make it that of an instrument: `no`, `c`
    unnumbered: tuple[str, ...] = ()  # behind them a number is a day's, an amount or a time, no instrument's: `within`
    counted: tuple[str, ...] = ()  # short words with a point before the number of an instrument: `n`, `tit`
    of_whom: tuple[str, ...] = ()  # between the number of an instrument and who made it, without capitals: `של`
    dated: tuple[str, ...] = ()  # between the number of an instrument and its date: `of`, `dated`
    series: tuple[str, ...] = ()  # before a number, they say of which series it is: `circular`, not `appeal`
    abroad: tuple[str, ...] = ()  # patterns of words of other languages that name an act right before `§` or `art.`
    printed_in: tuple[str, ...] = ()  # patterns of what acts are printed in: `, Acts of the 70th Legislature`
    in_it: tuple[str, ...] = ()  # behind a citation: of what is named right before it
    notes: tuple[str, ...] = ()  # how a note on the history of a provision begins: `History`, `Source`
