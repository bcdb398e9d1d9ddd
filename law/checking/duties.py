"""What one must, may or must not do, and by which day: a statement held against the clause of the law that says so."""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from law.checking.quantities import is_negation, is_number, modal_meaning
from law.languages import LANGUAGES
from law.languages.dates import find_dates
from law.patterns import regex
from law.words.analysis import Term, terms
from law.words.stop_words import is_content_word

MIN_WORDS = 5  # of a statement, besides those that are compared
MIN_SHARED = 0.8  # of them, that one clause alone must have
MIN_OF_CLAUSE = 0.3  # of the clause's own words, that the statement must have
AHEAD = 0.15  # by which it has more of them than any other
MIN_OF_SAME = 0.8  # where both have several modal verbs or negations, which are compared in turn
MIN_OF_DENIED = 0.6  # of the clause's words, where a statement has a negation more and all its words are there
_NEAR = 2  # words between a negation and its modal verb
_NOT = "not"
_CLAUSE = regex(r"[^.;:\n]+")
_DUTIES = frozenset(language.quoting.modals[0] for language in LANGUAGES if language.quoting.modals)
_RIGHTS = frozenset(language.quoting.modals[1] for language in LANGUAGES if language.quoting.modals)
_WAIVED = frozenset(word for language in LANGUAGES for word in language.quoting.waived.split())


class Duty(StrEnum):
    MUST = "must"
    MAY = "may"
    MUST_NOT = "must not"
    NEED_NOT = "need not"


@dataclass(frozen=True)
class _Read:
    """A sentence or clause: its discriminative words, and the one duty that it has, None where that is not plain.

    `marks` are the meanings of its modal verbs and `not` for its negations, in turn.
    """

    discriminative: frozenset[str]
    duty: Duty | None
    marks: tuple[str, ...] = ()

    def denies(self, clause: "_Read") -> bool:
        """Whether it says the clause's words with one negation more: `shall not report` of `shall report`."""
        shared = len(self.discriminative & clause.discriminative)
        if shared < len(self.discriminative) or shared < MIN_OF_DENIED * len(clause.discriminative):
            return False
        places = [place for place, mark in enumerate(self.marks) if mark == _NOT]
        return any(self.marks[:place] + self.marks[place + 1 :] == clause.marks for place in places)

    def has_other_duty(self, clause: "_Read") -> bool:
        """Whether the clause plainly has another duty, or the same words with one modal verb of another meaning."""
        if self.duty and clause.duty:
            if Duty.NEED_NOT in (self.duty, clause.duty):  # what one need not do one may do, and may be forbidden to
                return Duty.MUST in (self.duty, clause.duty)
            return self.duty is not clause.duty
        pairs = [(one, other) for one, other in zip(self.marks, clause.marks, strict=False) if one != other]
        return (
            len(self.marks) == len(clause.marks)
            and len(pairs) == 1
            and any(one in _DUTIES and other in _RIGHTS for one, other in (pairs[0], pairs[0][::-1]))
            and len(self.discriminative & clause.discriminative) >= MIN_OF_SAME * len(clause.discriminative)
        )

    def has_all_and_other_duty(self, part: "_Read") -> bool:
        """Whether a part of a clause has all its words, and obliges to what it allows, or the other way round."""
        return self.discriminative <= part.discriminative and {self.duty, part.duty} == {Duty.MUST, Duty.MAY}


def contradicted_duty(statement: str, law: str) -> str:
    """The clause of the law that has the words of a statement with another duty or day, '' where no doubt-free one is.

    A statement or clause with several modal verbs, or with a negation of something else, is compared only where both
    have the same ones but for one.
    """
    said = _read(statement)
    if len(said.discriminative) < MIN_WORDS:
        return ""
    best, clause = _nearest(said.discriminative, [found[0].strip() for found in _CLAUSE.finditer(law)])
    if not best:
        return ""
    days = [[found.date for found in find_dates(text)] for text in (statement, best)]
    other_day = len(days[0]) == len(days[1]) == 1 and days[0] != days[1]
    if other_day or said.has_other_duty(clause) or said.denies(clause):
        return best
    return next((part for part in _parts(best) if said.has_all_and_other_duty(_read(part))), "")


def _parts(clause: str) -> list[str]:
    """What stands between commas. A clause whose other parts have modal verbs is not taken apart."""
    modals = sum(mark not in (_NOT, "") for mark in _read(clause).marks)
    return [part.strip() for part in clause.split(",")] if modals == 1 else []


def _nearest(discriminative: frozenset[str], clauses: Sequence[str]) -> tuple[str, _Read]:
    """The clause that has most of the words, if it has enough of them and no other has nearly as many."""
    nothing = _Read(frozenset(), None)
    rated = sorted(
        (
            (len(discriminative & read.discriminative) / len(discriminative), text, read)
            for text, read in zip(clauses, map(_read, clauses), strict=True)
        ),
        key=lambda row: -row[0],
    )
    if not rated or rated[0][0] < MIN_SHARED or (len(rated) > 1 and rated[0][0] - rated[1][0] < AHEAD):
        return "", nothing
    _share, text, read = rated[0]
    is_whole = len(discriminative & read.discriminative) >= MIN_OF_CLAUSE * len(read.discriminative)
    return (text, read) if is_whole else ("", nothing)


def _read(text: str) -> _Read:
    for day in find_dates(text):  # `3 May` allows nothing
        text = text[: day.start] + " " * (day.end - day.start) + text[day.end :]
    words = terms(text)
    discriminative = frozenset(
        term.stem
        for term in words
        if is_content_word(term.word)
        and not (is_number(term.word) or is_negation(term.word) or modal_meaning(term.word))
    )
    marks = tuple(_NOT if is_negation(term.word) else modal_meaning(term.word) for term in words)
    return _Read(discriminative, _duty(words), tuple(filter(None, marks)))


def _duty(words: Sequence[Term]) -> Duty | None:
    modals = [place for place, term in enumerate(words) if modal_meaning(term.word)]
    negations = [place for place, term in enumerate(words) if is_negation(term.word)]
    if len(modals) != 1 or len(negations) > 1:
        return None
    meaning = modal_meaning(words[modals[0]].word)
    if negations:
        is_near = abs(negations[0] - modals[0]) <= _NEAR
        return (Duty.NEED_NOT if words[modals[0]].word in _WAIVED else Duty.MUST_NOT) if is_near else None
    return Duty.MUST if meaning in _DUTIES else Duty.MAY if meaning in _RIGHTS else None
