"""What a language says of itself. A pattern that it leaves out matches nothing."""

import datetime as dt
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol

from law.languages.amending import AmendingWords
from law.languages.citations import ActWords, CitationWords, UnreadWords
from law.languages.documents import ClauseWords, DocumentWords
from law.languages.questions import QuestionWords, SurveyWords
from law.languages.words import DivisionWords, Series

_ROOT_LENGTH = 4  # letters


@dataclass(frozen=True, kw_only=True)
class StatuteWords:
    """Patterns that respect case, unless said otherwise. An empty one is left out."""

    # A section's number at the start of a line
    section_words: str = ""  # `Section` in front of the number
    roman_words: str = ""  # those of them whose number may be Roman
    other_words: str = ""  # what other numbers in front of a line count, and never sections: `Table 2`; ignoring case
    section_initials: str = ""  # letters that a line with such a number may begin with
    number_letters: str = ""  # behind the digits
    coded: tuple[str, ...] = ()  # numbers of codes, which would be read only in part otherwise
    above_number: str = ""  # divisions printed inside the number: `Part 2.Chapter 1.6`
    number_note: str = ""  # in brackets behind a number: `Article 5 (Revised)`
    number_suffix: str = ""  # words glued to a number: `1.2.Guidance`
    marginal_headings: bool = False  # whether laws print headings in the margin, which ends up in front of the number
    mentions: str = ""  # words that make a number behind them a reference
    title_start: str = ""  # the first letter of a section's title, where it is no capital
    numbered_clauses_are_paragraphs: bool = False  # (1) right below a section, where (a) is a subsection
    clause_letters: str = ""  # in brackets, besides a to z and digits
    formulas: str = ""  # at the beginning of a sentence, ignoring case: short titles, and words by which laws are made
    # Parts, chapters and schedules
    divisions: str = ""
    above_articles: str = ""  # of `section_words` and the like, those that are over articles where these are below them
    division_number: str = ""
    annexes: str = ""
    annex_gap: str = r"\s+"  # before the annex's number
    division_title: str = r"\S"  # how a title begins that follows the number without a sign
    before_annex: str = ""  # what may stand before the word, with the group `ordinal`: `The First Schedule`
    division_initials: str = ""
    unnumbered_annexes: tuple[str, ...] = ()  # annexes that may stand without a number
    weak_annexes: tuple[str, ...] = ()  # the same, where the numbers behind begin anew or there are none
    division_mention: str = ""  # how a line goes on that only mentions a division
    contents: str = ""  # titles of a table of contents, ignoring case
    # A line that defines a term, in quotation marks
    defines: str = ""  # behind the term
    defines_bare: str = ""  # behind a term without quotation marks, at the beginning of a line
    defines_here: str = ""  # before the terms of a provision that defines them for itself alone; ignoring case
    sentence_start: str = ""  # words that sentences begin with
    row_heads: str = ""  # what stands over the numbers of a table's rows, at the beginning of its first line
    verbs: str = ""  # words of which a sentence has one, and a heading that ends in a full stop none
    # Lines that go on, with their borders
    unfinished: str = ""  # at the end of a line that is no heading
    joins: str = ""  # at the end of an item, before the next; ignoring case
    hanging: str = ""  # at the end of a line whose next line begins with a number that belongs to it; ignoring case
    footnote: str = ""  # how a note on an amendment begins, which publishers print below the section
    repealed: str = ""  # what stands behind the number of a section that is not there any more; ignoring case
    leads_in: str = ""  # before a colon, where text that is inserted into another law may follow; ignoring case
    inserts: str = ""  # before a quotation that is inserted into another law; ignoring case
    # `^` and `$` are the ends of a line
    margin_note: str = ""  # a line in the margin below a heading: which act brought the section, which is cited in it
    amendment_note: str = ""  # by which acts a provision was amended, as publishers print it beside the text


@dataclass(frozen=True, kw_only=True)
class DayMarkWords:
    """Marks in brackets that say on which days a text reads so: `(החל מיום 1.7.2021):`, `[Effective July 1, 2021]`.

    Patterns that ignore case. `#` stands for a date, and white space is one space. An empty one is left out.
    """

    hints: str = ""  # how a mark begins
    temporary: str = ""  # before the days of a temporary provision, beside which the one that it changes stays in force
    applies: str = ""  # the same of a text that only new matters come under
    begins: str = ""  # with its date
    ends_with: str = ""  # with the last day
    ends_before: str = ""  # with the first day on which it is not in force any more
    ended: str = ""  # the same, of what is repealed
    lasts: str = ""  # a number of years before `begins`
    years: Mapping[str, int] = field(default_factory=dict)  # what matches `lasts`
    tail: str = ""  # what may follow


@dataclass(frozen=True, kw_only=True)
class QuotingWords:
    """What matters in a quotation, and what introduces one. Words in small letters, separated by spaces."""

    negations: str = ""
    negating: str = ""  # endings of words that deny: `isn't`
    forbids: str = ""  # words of sentences that deny something without a negation
    modals: tuple[str, ...] = ()  # words of one meaning each: what must, what may
    waived: str = ""  # those of what must be that a negation only takes away: `not required`, but `shall not`
    units: Mapping[str, str] = field(default_factory=dict)  # forms of what a number counts, by a name of ours
    units_before: Mapping[str, str] = field(default_factory=dict)  # the same, where the number stands behind: `Rs. 500`
    amounts: Mapping[str, tuple[int, str]] = field(default_factory=dict)  # words for a number and its unit: `fortnight`
    qualifiers: Mapping[str, str] = field(default_factory=dict)  # words beside a unit, and what they make of a day
    at_least: str = ""  # a pattern that ignores case: beside a number that is the least, without words for times
    at_most: str = ""
    all_of: str = ""  # the same of a list of which each item must be so
    any_of: str = ""  # of which one is enough
    numerals: Mapping[int, str] = field(default_factory=dict)  # forms of a number, in words
    teens: str = ""  # forms of ten behind a smaller number, to which they add
    joins_numerals: str = ""  # words between the parts of a number
    lists_numerals: str = ""  # words between numbers of which the last has the unit
    one_behind: str = ""  # forms of one that stand behind what they count
    one_before: str = ""  # words before a time without a number, which is one: `בתום שנה`
    one_of: str = ""  # the times that may stand so
    leads_in: str = ""  # a pattern that ignores case: at the end of a line before a quotation without marks
    naming: str = ""  # a pattern that ignores case: what a bracket has besides the name that it gives: `hereinafter`
    that: str = ""  # a pattern that ignores case: what a whole clause follows: `provides that`
    says: str = ""  # the same: all that stands between a provision and what it is said to say: `provides that`
    same: str = ""  # a pattern that ignores case: the citation before, such as `ibid`
    signals: str = ""  # a pattern that ignores case: before a citation that stands behind what it is cited for: `see`
    against: str = ""  # a pattern between the parties of a case: `v`
    case: str = ""  # matched: a word before what a judgment is called, where no capitals tell
    joins_names: str = ""  # the same between words of what a judgment is called
    at: str = ""  # before the paragraph of a judgment
    paragraph: str = ""
    of_case: str = ""  # behind what it is called: `Grant's case`
    of_name: str = ""  # between its paragraph and what it is called
    of_judgment: str = ""  # a pattern that ignores case: behind a paragraph of what was cited last: `of the judgment`
    refers: str = ""  # a pattern that ignores case: words that a citation may have besides: `above`, `hereinafter`
    rules: str = ""  # a pattern that ignores case: what a sentence has that says what the law is, besides modal verbs
    tells: str = ""  # a pattern that ignores case: what a sentence has that tells what happened, not what the law is
    speaks: str = ""  # searched before a quotation, ignoring case: a witness or a letter speaks, not the law
    introduces: str = ""  # searched before a quotation, ignoring case: the law speaks that was cited before
    goes_on: str = ""  # matched behind `the Convention`: that it is the beginning of a longer name
    no_section: str = ""  # a pattern that ignores case: words for parts of contracts and of texts that are no acts
    known_for: str = ""  # matched behind a section that names no act: what such a one is known for: `section 21 notice`
    known_before: str = ""  # searched right before such a section: an article, which makes of both a name
    ended: str = ""  # a pattern that ignores case: right behind a citation, that it was repealed
    ended_before: str = ""  # the same right before it: `the repealed section 20`
    earlier: str = ""  # the same right beside it: that it is of an earlier version

    @property
    def numbers(self) -> Mapping[str, int]:
        """What a numeral in words stands for."""
        return {word: number for number, words in self.numerals.items() for word in words.split()}


@dataclass(frozen=True, kw_only=True)
class DateWords:
    """`months` are twelve patterns of names separated by `|`, or none.

    `patterns` hold the groups `day`, `month` and `year`, ignoring case and white space. `day_first` says that
    `4/5/2020` is the fourth of May.
    """

    months: tuple[str, ...] = ()
    patterns: tuple[str, ...] = ()
    day_first: bool = False


class CalendarDay(NamedTuple):
    """A day printed in the language's own calendar. `date` is None where it has no such day, or no year is printed."""

    date: dt.date | None
    start: int
    end: int


class Language(Protocol):
    """One language. Implementations derive from it and give what differs from the defaults.

    `letters`, `marks`, `quotes` and `numbering` are written as between the brackets of a pattern. Patterns without
    named groups are strings, which the modules that need them join with those of the other languages.
    """

    code: str  # ISO 639-1
    alpha_3: str = "und"  # ISO 639-2
    country: str = "zz"  # ISO 3166, in small letters, where its laws are those of one country
    letters: str  # of its script
    has_capitals: bool = True
    alphabet: str = ""  # in the order in which inserted sections are lettered
    letter_values: Mapping[str, int] = {}  # of letters that are added up to a number
    numbering: str = ""  # letters that stand behind a section's digits
    marks: str = ""  # vowel points and the like, dropped from words
    quotes: str = ""  # signs inside words besides the usual quotation marks
    prefixes: frozenset[str] = frozenset()  # letters that are words of their own before a word: `לחוק`
    folding: Mapping[int, int] = {}  # for `str.translate`: letters that are forms of other letters
    ascii_letters: Mapping[str, str] = {}  # how slugs write its letters; no value may begin with another
    joins_unrelated_words: bool = False  # whether its stem does
    function_words: str = ""  # found everywhere and telling nothing, separated by spaces
    acronym: str = ""  # a word that is one, respecting case
    elisions: str = ""  # letters that stand before an apostrophe and a word that begins with a vowel
    joined_prefixes: str = ""  # written with a hyphen behind them or without, separated by spaces
    question_words: str = ""  # they ask, and tell nothing of what about
    joined_question_words: str = ""  # the same, which may have one of `question_prefixes` before them
    question_prefixes: str = ""
    number_words: str = ""  # numbers in words, separated by spaces
    meta_words: str = ""  # in which one speaks of documents and answers, not of what they say
    abbreviations: str = ""  # in small letters, which end with a point inside a sentence
    abbreviations_inside: str = ""  # the same, which may end a sentence too: only before a small letter they do not
    abbreviations_of_number: str = ""  # the same, which are other words where no number follows: `The answer is no.`
    synonyms: str = ""  # everyday words and those of statutes, as `search/synonyms/base.py` reads them
    small_title_words: str = ""  # left out of the initials of a title
    no_evidence: str  # the sentence that says that the documents do not answer a question
    divisions: DivisionWords = DivisionWords()
    citations: CitationWords = CitationWords()
    title_genres: str = ""  # a pattern of Postgres: words with which most titles begin, and by which nobody seeks
    acts: ActWords = ActWords()
    unread: UnreadWords = UnreadWords()
    amending: AmendingWords = AmendingWords()
    series: tuple[Series, ...] = ()
    statutes: StatuteWords = StatuteWords()
    day_marks: DayMarkWords = DayMarkWords()
    questions: QuestionWords = QuestionWords()
    quoting: QuotingWords = QuotingWords()
    dates: DateWords = DateWords()
    documents: DocumentWords = DocumentWords()
    clauses: ClauseWords = ClauseWords()
    surveys: SurveyWords = SurveyWords()

    def __init_subclass__(cls, *, rows: Mapping[str, Any] = MappingProxyType({})) -> None:
        """`rows` are attributes that `law.languages.folder` has read."""
        super().__init_subclass__()
        for name, row in rows.items():
            setattr(cls, name, row)

    def stem(self, token: str) -> str:
        """The stem of a word in small letters without marks, in which every quotation mark is an apostrophe."""
        return token.replace("'", "")

    def calendar_years(self, word: str) -> tuple[int, ...]:
        """The years of the common calendar that a year of the language's own is part of. () if the word is none."""
        return ()

    def other_spellings(self, stem: str) -> list[str]:
        """The stems of what may be the same words in another spelling."""
        return []

    def full_or_short(self, word: str) -> list[str]:
        """The words that certainly are this one, in full or short spelling."""
        return []

    def are_spellings(self, one: str, other: str) -> bool:
        """Whether two stems may be spellings of one word, for comparing names."""
        return False

    def are_forms(self, one: str, other: str) -> bool:
        """Whether one word is a form of the other, such as its plural."""
        return False

    def is_form_of(self, word: str, base: str) -> bool:
        """Whether the word of a text is the base in some form."""
        return self.are_forms(word, base)

    def is_shown_for(self, word: str, asked: str) -> bool:
        """Whether a word of a text with the stem of one that was asked for, or of a spelling of it, is highlighted."""
        return True

    def form_keys(self, word: str) -> set[str]:
        """What the word may come from: two words of which one is a form of the other have one of these in common."""
        return {word}

    def verb_forms(self, word: str, *, is_verb: bool = False) -> set[str]:
        """Other forms of a verb as questions have it, and the noun of its act, which have no key in common with it.

        None of what may be a noun, unless it is known to be a verb.
        """
        return set()

    def roots(self, word: str) -> set[str]:
        """Beginnings of which words of one root mostly share one. Unrelated words may too, and strong forms do not."""
        return {word[:_ROOT_LENGTH]}

    def spoken_forms(self, word: str) -> set[str]:
        """The active forms of a verb in the infinitive, without final letters, where these share no stem."""
        return set()

    def letters_order(self, letters: str) -> tuple[int, int]:
        """The place of the letters behind a section's digits, and of those inserted after that: `יב`, `בא`."""
        place = 0
        for letter in letters:
            place = place * len(self.alphabet) + self.alphabet.find(letter) + 1
        return place, 0

    def calendar_days(self, text: str) -> Iterable[CalendarDay]:
        """The days of its own calendar that stand in a text, in order."""
        return ()
