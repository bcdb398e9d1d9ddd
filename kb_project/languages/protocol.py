"""What a language says of itself; whatever it leaves out has a default that matches nothing."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Mapping
from typing import NamedTuple, Protocol

from kb_project.languages.citations import CitationWords
from kb_project.languages.dates import DateWords
from kb_project.languages.documents import DocumentWords
from kb_project.languages.statutes import StatuteWords


class CalendarDay(NamedTuple):
    """A day printed in the language's own calendar; `date` is None where it has no such day, or no year is printed."""

    date: dt.date | None
    start: int
    end: int


class Language(Protocol):
    """One language. Implementations derive from it and give what differs from the defaults.

    `letters`, `marks`, `quotes` and `numbering` are written as between the brackets of a pattern. Patterns without
    named groups are strings, which the modules that need them join with those of the other languages.
    """

    code: str  # ISO 639-1
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
    question_words: str = ""  # they ask, and tell nothing of what about
    small_title_words: frozenset[str] = frozenset()  # left out of the initials of a title
    no_evidence: str  # the sentence that says that the documents do not answer a question
    citations: CitationWords = CitationWords()
    statutes: StatuteWords = StatuteWords()
    dates: DateWords = DateWords()
    documents: DocumentWords = DocumentWords()

    def stem(self, token: str) -> str:
        """The stem of a word in small letters without marks, in which every quotation mark is an apostrophe."""
        return token.replace("'", "")

    def other_spellings(self, stem: str) -> list[str]:
        """The stems of what may be the same words in another spelling."""
        return []

    def are_spellings(self, one: str, other: str) -> bool:
        """Whether two stems may be spellings of one word, for comparing names."""
        return False

    def are_forms(self, one: str, other: str) -> bool:
        """Whether one word is a form of the other, such as its plural."""
        return False

    def form_keys(self, word: str) -> set[str]:
        """What the word may come from: two words of which one is a form of the other have one of these in common."""
        return {word}

    def letters_order(self, letters: str) -> tuple[int, int]:
        """The place of the letters behind a section's digits, and of those inserted after that: `יב`, `בא`."""
        place = 0
        for letter in letters:
            place = place * len(self.alphabet) + self.alphabet.find(letter) + 1
        return place, 0

    def calendar_days(self, text: str) -> Iterable[CalendarDay]:
        """The days of its own calendar that stand in a text, in order."""
        return ()
