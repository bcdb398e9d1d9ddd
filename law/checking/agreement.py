"""Whether the numbers of a statement are those of the law that it cites, and what else only one of them has."""

import re
from collections.abc import Sequence
from enum import StrEnum
from functools import lru_cache

from law.checking.quantities import (
    Quantity,
    days_and_things,
    is_negation,
    is_number,
    modal_meaning,
    named_unit,
    quantities,
)
from law.languages import LANGUAGES
from law.languages.dates import find_dates
from law.languages.scripts import either
from law.patterns import regex
from law.words.analysis import Term, terms
from law.words.stop_words import is_content_word

MIN_SHARED_WORDS, MIN_SHARED = 2, 0.25  # of a statement that says of nobody what must or may be
MIN_SHARED_OF_THINGS = 0.5  # where it counts what is no unit: `200 children`
NEARLY = 0.8  # of a statement with several numbers of one measure, or in one clause of a law that has several
MIN_OF_CLAUSE = 3  # words of such a statement
_TELLS = regex(either(language.quoting.tells for language in LANGUAGES), re.IGNORECASE)
_RULES = regex(either(language.quoting.rules for language in LANGUAGES), re.IGNORECASE)
MIN_APART = 1.2  # times that one length of time is another: a month is not told from 30 days
_NEAR = 30  # characters beside a number in which words say that it is the least or the most
_FLOORS, _CEILINGS = (
    either(getattr(language.quoting, name) for language in LANGUAGES) for name in ("at_least", "at_most")
)
_BOUND = regex(rf"(?:{_FLOORS}|{_CEILINGS})", re.IGNORECASE)
_BOUND_BEFORE = regex(rf"(?:(?P<least>{_FLOORS})|(?P<most>{_CEILINGS}))[\s־-]*(?:a |the |[$£€₪])?\Z", re.IGNORECASE)
_BOUND_BEHIND = regex(rf",? (?:(?P<least>{_FLOORS})|(?P<most>{_CEILINGS}))(?=\s*(?:[.,;:)]|\Z))", re.IGNORECASE)
_WORKING = "working day"
_TIMES = {"minute": 1 / 1440, "day": 1, _WORKING: 1.4, "month": 30.4}  # in days, about
_CLAUSE = regex(r"(?:[^.;:\n]|[.:](?!\s))+")


class Agreement(StrEnum):
    """How the quantities of a statement are to those of the law."""

    NONE = "none"  # it has none
    SAME = "same"
    OTHER = "other"
    UNSURE = "unsure"  # which of them is meant cannot be told


def compared(statement: str, law: str) -> tuple[Agreement, list[tuple[Quantity, Quantity]]]:
    """How the quantities of a statement are to those of the law, and those that differ without doubt.

    They do where the statement has one of its measure, the law has one alone of that measure, and both plainly speak of
    the same. Where both have as many and nearly the same words, one alone may differ: `from 5 to 9 days`. Or one
    clause of the law has its words and another number.
    """
    return _Comparison(statement, law).result()


class _Comparison:
    """A statement and the law that it cites, with the quantities of both."""

    def __init__(self, statement: str, law: str) -> None:
        self._statement, self._law = statement, law
        said, self._there = ([*quantities(text), *days_and_things(text)] for text in (statement, law))
        measures = {one.measure for one in self._there}
        self._said = [one for one in said if not one.is_of_things or one.measure in measures]

    def result(self) -> tuple[Agreement, list[tuple[Quantity, Quantity]]]:
        """As `compared`."""
        statement, law = self._statement, self._law
        pairs, agreement = [], Agreement.SAME if self._said else Agreement.NONE
        for one in self._said:
            alike = [other for other in self._there if other.measure == one.measure]
            values = {other.value for other in alike}
            if one.value in values:
                pairs += [(one, other) for other in self._of_other_bound(one)]
                continue
            is_alone = self._count(one) == 1 and len(values) == 1
            other = alike[0] if is_alone else _counterpart(one, self._said, alike)
            is_same_unit = other is not None and one.unit == other.unit and not one.is_of_things
            alone = MIN_SHARED_OF_THINGS if one.is_of_things else MIN_SHARED
            is_told = not one.is_of_things or _denies(statement) is _denies(law)
            least = alone if is_alone else NEARLY
            if other and is_told and _is_of_same(statement, law, is_same_unit=is_same_unit, least=least):
                pairs.append((one, other))
            elif of_clause := self._of_clause(one):
                pairs += [(one, other) for other in of_clause]
            elif other_time := self._of_other_time(one):
                pairs.append((one, other_time))
            else:
                agreement = Agreement.UNSURE
        return (Agreement.OTHER, pairs) if pairs else (agreement, [])

    def _count(self, one: Quantity) -> int:
        return sum(other.measure == one.measure for other in self._said)

    def _of_clause(self, one: Quantity) -> list[Quantity]:
        """The numbers of its unit in the one clause that has nearly all words of a statement."""
        if one.is_of_things or self._count(one) > 1:
            return []
        start, end = _clause_of(self._statement, self._law)
        inside = [other for other in self._there if other.measure == one.measure and start <= other.start < end]
        return inside if all(other.unit == one.unit for other in inside) else []

    def _of_other_bound(self, one: Quantity) -> list[Quantity]:
        """The same number in its clause, the least there and the most in the statement, or the other way round."""
        bound = _bound(self._statement, one)
        inside = self._of_clause(one) if bound else []
        if len(inside) != 1 or not (other := _bound(self._law, inside[0])) or other == bound:
            return []
        start, end = _clause_of(self._statement, self._law)
        own, clause = (_BOUND.sub(" ", text) for text in (self._statement, self._law[start:end]))
        return inside if _denies(own) is _denies(clause) else []

    def _of_other_time(self, one: Quantity) -> Quantity | None:
        """The one length of time in its clause, in a unit that cannot be the same: `weeks`, where it has months."""
        start, end = _clause_of(self._statement, self._law) if one.measure in _TIMES else (0, 0)
        inside = [other for other in self._there if other.measure in _TIMES and start <= other.start < end]
        if len(inside) != 1 or sum(other.measure in _TIMES for other in self._said) > 1:
            return None
        least, most = sorted(each.value * _TIMES[each.measure] for each in (one, inside[0]))
        return inside[0] if _WORKING in (one.measure, inside[0].measure) or most > least * MIN_APART else None


def _counterpart(one: Quantity, said: Sequence[Quantity], alike: Sequence[Quantity]) -> Quantity | None:
    """That of the law in the place of one of a statement, where all others of their measure are the same in turn."""
    own = [other for other in said if other.measure == one.measure]
    if len(own) != len(alike) or len(own) < 2:
        return None
    differing = [(mine, there) for mine, there in zip(own, alike, strict=True) if mine.value != there.value]
    return differing[0][1] if len(differing) == 1 else None


@lru_cache(maxsize=8)
def _clause_of(statement: str, law: str) -> tuple[int, int]:
    """The one clause that has most words of a statement, if these are nearly all, else an empty range."""
    own = _telling(_BOUND.sub(" ", statement))
    rated = sorted(
        ((len(own & _telling(clause[0])), clause.span()) for clause in _CLAUSE.finditer(law)), key=lambda row: -row[0]
    )
    is_told = len(own) < MIN_OF_CLAUSE or _TELLS.search(statement) is not None
    if is_told or not rated or (len(rated) > 1 and rated[1][0] >= rated[0][0]):
        return 0, 0
    shared, span = rated[0]
    return span if shared >= NEARLY * len(own) else (0, 0)


def _bound(text: str, one: Quantity) -> str:
    """`least` or `most` for what stands beside a number, '' for neither."""
    before, behind = text[max(one.start - _NEAR, 0) : one.start], text[one.end : one.end + _NEAR]
    found = _BOUND_BEFORE.search(before) or _BOUND_BEHIND.match(behind)
    return str(found.lastgroup) if found else ""


def _is_of_same(statement: str, law: str, *, is_same_unit: bool, least: float) -> bool:
    """Whether a statement is of the law, and not of what happened, and shares enough words with it."""
    if _TELLS.search(statement):
        return False
    own, there = _telling(statement), _telling(law)
    shared = len(own & there)
    is_rule = _RULES.search(statement) or any(modal_meaning(term.word) for term in terms(statement))
    if is_same_unit and is_rule and least < NEARLY:
        return shared > 0
    return shared >= MIN_SHARED_WORDS and shared >= least * len(own)


def _telling(text: str) -> set[str]:
    words = (term for term in terms(text) if is_content_word(term.word))
    return {
        term.stem for term in words if not (is_number(term.word) or modal_meaning(term.word) or named_unit(term.word))
    }


def is_doubtful(statement: str, law: str) -> bool:
    """Whether one reading is not enough to say that the law says so, or that it does not."""
    said, there = terms(statement), terms(law)
    return (
        compared(statement, law)[0] in (Agreement.OTHER, Agreement.UNSURE)
        or _denies(statement) is not _denies(law)
        or not _modals(said) <= _modals(there)
        or not _days(statement) <= _days(law)
    )


@lru_cache(maxsize=8)
def _denies(text: str) -> bool:
    return any(is_negation(term.word) for term in terms(text))


def _modals(words: list[Term]) -> set[str]:
    return {meaning for term in words if (meaning := modal_meaning(term.word))}


def _days(text: str) -> set[object]:
    return {found.date for found in find_dates(text)}
