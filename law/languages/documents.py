"""What a language's legal documents are called, how they announce themselves, when they begin and end, and which others
they end, for the rules classifier.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field

from law.patterns import regex

BEGINS, GOES_ON, BEGINS_OWN, BEGINS_PUBLICATION = "\ue000", "\ue001", "\ue002", "\ue003"
SIGNS = {
    "date": f"{BEGINS}{GOES_ON}*",
    "day": f"(?P<day>{BEGINS}{GOES_ON}*)",
    "own": f"(?:{BEGINS_OWN}{GOES_ON}*)",
    "publication": f"(?:{BEGINS_PUBLICATION}{GOES_ON}*)",
}
"""Patterns are matched with a sentence in which each printed day, what the document calls itself, and its publication
are replaced by as many of these characters."""

_NOTHING = regex("(?!)")
LAW, REGULATION, CIRCULAR, CASELAW, TOOL = "law", "regulation", "circular", "caselaw", "tool"
Patterns = tuple[tuple[re.Pattern[str], str], ...]  # each with the kind of document that it tells, or as it is said


@dataclass(frozen=True, kw_only=True)
class ClauseWords:
    """Patterns are matched at the beginning of a sentence without its number, unless said otherwise.

    A period is a `number` and a `unit`, or a `single` word such as `a year`. `half` adds half a unit.
    """

    hint: re.Pattern[str] = _NOTHING  # searched: no paragraph without it has any of these
    own: re.Pattern[str] = _NOTHING  # what the document calls itself: `this Act`
    publication: re.Pattern[str] = _NOTHING  # its publication: `the date of its publication`, with OWN
    # The document as a whole comes into force: on a `day`, a period after its publication, on the day of `publication`,
    # on the `ordinal` day after it, or on the first of the month after it (`month_after`)
    commencement: re.Pattern[str] = _NOTHING
    pronoun: re.Pattern[str] = _NOTHING  # the same of `they`, in the sentence after one that names the document
    own_subject: re.Pattern[str] = _NOTHING  # a sentence that is about the document
    # Searched in a sentence that is about the document. It goes on up to and including a `last` day, up to the `first`
    # on which it is not in force any more, or for a period from its beginning, or, with `published`, its publication.
    expiry: re.Pattern[str] = _NOTHING
    uncertain: re.Pattern[str] = _NOTHING  # searched in what follows in the sentence: the day depends on something
    # Another document is ended: `named` is what it is called, `replaces` that this one takes its place
    ends: tuple[re.Pattern[str], ...] = ()
    list_heading: re.Pattern[str] = _NOTHING  # matched as a whole: such documents are listed in the next sentences
    listed: re.Pattern[str] = _NOTHING  # matched as a whole: one of these, as `named`
    part: re.Pattern[str] = _NOTHING  # searched in `named`: only a part of it
    # Periods
    ordinals: Mapping[str, int] = field(default_factory=dict)
    units: Mapping[str, str] = field(default_factory=dict)  # `day`, `week`, `month` or `year`
    singles: Mapping[str, tuple[int, str]] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True)
class DocumentWords:
    """Patterns are searched for in a line, or matched at its beginning, as each says. Strings are joined to others.

    Rows ignore case.
    """

    # The kind of a document
    genres: Patterns = ()  # its name; the first that fits decides
    genre_leads: bool = True  # whether the name begins a title; else it is the head noun: `Banking Rules`
    genre_phrases: Patterns = ()  # names of several words, one of which alone would say something else
    head_ends: re.Pattern[str] = _NOTHING  # behind the head of a title
    self_references: Patterns = ()  # `this Act`
    # Titles
    can_end_with_year: re.Pattern[str] = _NOTHING  # matched: titles that run up to their year
    title_end: re.Pattern[str] = _NOTHING  # searched: that year and what belongs to it
    unfinished_title: str = ""  # at the end of a line on which a title goes on; ignoring case
    title_goes_on: re.Pattern[str] = _NOTHING  # matched: a line that says what the genre above it is about
    title_links: re.Pattern[str] = _NOTHING  # between the genre and the subject: `on`
    citation_clause: re.Pattern[str] = _NOTHING  # searched, with the group `title`
    subject_line: re.Pattern[str] = _NOTHING  # matched, with the group `subject`
    authority: re.Pattern[str] = _NOTHING  # a line that only names who issued the document
    named_title: re.Pattern[str] = _NOTHING  # a line that names an instrument, which is believed before others
    other_title: re.Pattern[str] = _NOTHING  # searched: an instrument or a volume that bears no name of a genre
    number_alone: re.Pattern[str] = _NOTHING  # a line with nothing but the number of an instrument
    long_title: re.Pattern[str] = _NOTHING  # matched: says what an instrument is for, which has a short title too
    of_instrument: re.Pattern[str] = _NOTHING  # matched: a line that only the head of an instrument has
    first_part: re.Pattern[str] = _NOTHING  # matched: the first part of a document, with which its text has begun
    # Judgments
    court: re.Pattern[str] = _NOTHING  # matched
    judgment: re.Pattern[str] = _NOTHING  # searched: words of a caption
    parties: re.Pattern[str] = _NOTHING  # a whole line, with the groups `one`, `versus` and `other`
    versus_line: re.Pattern[str] = _NOTHING  # a whole line between two parties
    before: re.Pattern[str] = _NOTHING  # searched: behind it stand those who decided, or in the lines that follow
    judge: re.Pattern[str] = _NOTHING  # a whole line that names one by the office
    of_bench: re.Pattern[str] = _NOTHING  # matched: so such a name begins behind `before`
    author: re.Pattern[str] = _NOTHING  # a whole line that says whose opinion follows
    versus: str = ""  # as it is written in full between two names
    case_number: re.Pattern[str] = _NOTHING  # searched, with `number`, or `whole` where the court belongs to it
    role: re.Pattern[str] = _NOTHING  # a whole line that is no party but `Appellant`
    beside_party: tuple[re.Pattern[str], ...] = ()  # what is taken off a party, one after the other
    # Numbers
    numbers: tuple[re.Pattern[str], ...] = ()  # searched, with the group `number`
    own_numbers: Patterns = ()  # a whole line of the head, and the form in which its number is cited
    citing_words: frozenset[str] = frozenset()  # before a number of another document
    # Days
    gazette: re.Pattern[str] = _NOTHING  # matched
    published_verb: re.Pattern[str] = _NOTHING  # these five are searched up to the date
    published_label: re.Pattern[str] = _NOTHING
    made_verb: re.Pattern[str] = _NOTHING
    head_label: re.Pattern[str] = _NOTHING
    own_names: Mapping[str, re.Pattern[str]] = field(default_factory=dict)  # by kind: the subject of the verb
    other_instrument: re.Pattern[str] = _NOTHING  # searched: a sentence that speaks of another document
    name: re.Pattern[str] = _NOTHING  # all that stands before the day, in the head
    date_word: re.Pattern[str] = _NOTHING  # searched before a date whose year has two digits
    other_day: re.Pattern[str] = _NOTHING  # searched: a line whose date is the day of something else
    # Lines and sentences
    headings: frozenset[str] = frozenset()  # that every document has, in small letters
    judgment_headings: frozenset[str] = frozenset()  # over the text of a decision, and maybe its title
    furniture: re.Pattern[str] = _NOTHING  # matched: a line of the sheet, not of the document
    collection: re.Pattern[str] = _NOTHING  # a whole line that names a collection of laws by volumes
    volume: re.Pattern[str] = _NOTHING  # a whole line that begins one, with the groups `number`, `heading`
    code: re.Pattern[str] = _NOTHING  # matched, with the groups `name` and `number`: a volume of a code
    code_part: re.Pattern[str] = _NOTHING  # matched, with the group `number`: a part of one
    part_word: str = ""  # before a part's number at the beginning of a line
    page_word: str = ""
    page_count: str = ""  # between a page's number and how many there are; both ignoring case
    abbreviations: tuple[str, ...] = ()  # patterns of one width: after these a full stop ends no sentence of a date
    shortened: str = ""  # before a full stop that ends no sentence of a summary
    purpose: re.Pattern[str] = _NOTHING  # searched at the beginning of a sentence
    purpose_heading: re.Pattern[str] = _NOTHING  # matched
    definitions_heading: re.Pattern[str] = _NOTHING  # matched
    boilerplate: re.Pattern[str] = _NOTHING  # matched: says nothing of what a document is about
