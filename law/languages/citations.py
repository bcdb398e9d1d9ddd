"""What a language says of how acts are named, how their parts are cited, and of names that none of its forms reads."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, kw_only=True)
class ActWords:
    """How running text names acts. Patterns respect case, an empty one is left out. White space is one space.

    Most are matched where an act is named, and hold its name as the group `title`, or the word for its type as the
    group `genre`.
    """

    hints: tuple[str, ...] = ()  # beginning with a letter: one is in each name
    lead: str = ""  # between the beginning of the word and the hint, where the name begins there
    before: str = ""  # else searched up to the hint: the beginning of the name
    inserted_by: str = ""  # between a citation and what follows: `(inserted by section 6 of the Ports Act 2010)`
    link: str = ""  # between a citation and the name: `of the`
    proposed: str = ""  # searched up to the beginning of a name: the act of which is only proposed
    prefix: str = ""  # before a name that a document has given: `the`
    dated: str = ""  # a title with its year, and without it as the group `name`
    short: str = ""  # a title without its year, as far as its words alone can tell
    sure: str = ""  # the same where no section is cited, and words that only begin like a title are likelier
    explained: str = ""  # a title up to the end of the definition that it stands in
    numbered: str = ""  # an act by its number, wherever it stands: `Law No. 4 of 2013`, `2011, c. 15`
    own: str = ""  # `this Act`
    anaphor: str = ""  # `that Act`: the one named last
    thereof: str = ""  # matched behind a citation: of the act named last
    led: str = ""  # a title that begins with the word for its type: `the Code of Civil Procedure`
    number_behind: str = ""  # between a title and the act's number: `Ports Act (Act 284)`
    bare: str = ""  # `the Act`: which one the document has to say
    abridged: str = ""  # `the Act of 2010`: its type, and the year as the group `year`
    # Matched right behind a citation
    abbreviated: str = ""  # ` of the TFEU`, as the group `alias`
    foreign_unit: str = ""  # matched at a citation: behind it an act may be named in another language
    foreign: str = ""  # that name, as the group `alias`: ` du Code civil`, ` BGB`
    lands: Mapping[str, str] = field(default_factory=dict)  # countries by their names: `s 12 Malta Cap 386`
    bodies: tuple[str, ...] = ()  # what rows of series have for a country that are of many: `eu`
    types: Mapping[str, str] = field(default_factory=dict)  # how titles write a word for a type, where it differs
    # What a document calls an act, as the group `alias` without its article; the group `here`: only in this section
    defined_after: str = ""  # matched behind the title
    defines: str = ""  # all that stands before a name in its bracket, in a language without capitals: `להלן`
    joined: str = ""  # matched behind a name: another one follows: ` and the `
    called: str = ""  # matched behind the title: a name in quotation marks follows: `, which is referred to as `
    defined_before: str = ""  # searched up to the title
    # Which act a citation without one is of
    same_before: str = ""  # searched up to a citation: it is of what was cited last: `ibid., `
    same_behind: str = ""  # matched behind a citation: the same
    of_work: str = ""  # searched up to a citation: it is of a book or the like: `op. cit., `
    before_sections: str = ""  # between a name and a citation of its sections
    name_before: str = ""  # searched up to a citation: an abbreviated name, as the group `title`: `Cal. Civ. Code § 5`
    short_unit: str = ""  # matched at such a citation
    foreign_units: tuple[tuple[str, str], ...] = ()  # titles, and the words for sections that such acts have none of
    # Regulations name the act that they are made under by its type alone
    secondary: str = ""  # matched: the title of such an instrument, with the name of the act as the group `subject`
    parents: Mapping[str, str] = field(default_factory=dict)  # by type: the title of the act, with the place `{}`
    # Sections that amend another act
    amends: str = ""  # searched: words that change another act
    leads_new_law: str = ""  # searched: a line below which new law stands without quotation marks, with its line feed
    amends_line: str = ""  # searched: a line below new law that amends again
    amendment_lead: str = ""  # before its name at the beginning of a line: `In the`
    opens_amendment: str = ""  # matched behind the act's name at the beginning of a line
    # Judgments and circulars
    identifier_before: str = ""  # searched up to a number of several parts, as the group `identifier`
    to_case: str = ""  # between a citation and the number of the circular it is of: ` of `
    to_paragraph: str = ""  # between a judgment and a paragraph of it: `, at `. With the group `near` not of a section
    pinpoint: str = ""  # such a paragraph by its number alone, as the group `number`: ` at [25]`
    of_this: str = ""  # behind a paragraph of the judgment itself: `paragraph 12 above`
    # Queries, in which nothing tells where a name ends
    asked: str = ""  # beside a section's number, with the groups `name` and, inside it, `type`
    editorial_words: frozenset[str] = frozenset()  # in which editions of one act differ: `new version`
    amending_words: frozenset[str] = frozenset()  # in brackets of a title: an act that amends the one without them


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
    paged: tuple[str, ...] = ()  # patterns of where acts are printed, between a volume and a page: `Stat`
    dated: tuple[str, ...] = ()  # between the number of an instrument and its date: `of`, `dated`
    series: tuple[str, ...] = ()  # before a number, they say of which series it is: `circular`, not `appeal`
    enacted: tuple[str, ...] = ()  # what a number says enough of: `law`, not `order`
    issued: tuple[str, ...] = ()  # what bodies number without a year: `circular`, not `notice`, which anybody gives
    abroad: tuple[str, ...] = ()  # patterns of words of other languages that name an act right before `§` or `art.`
    printed_in: tuple[str, ...] = ()  # patterns of what acts are printed in: `, Acts of the 70th Legislature`
    in_it: tuple[str, ...] = ()  # behind a citation: of what is named right before it
    notes: tuple[str, ...] = ()  # how a note on the history of a provision begins: `History`, `Source`
