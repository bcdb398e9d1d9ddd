"""Numbers with what they count, in a statement and in the law that it cites, and what else only one of them has."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

from law.checking.weight import UNITS, is_negation, is_number, modal_meaning, month_of
from law.languages import LANGUAGES
from law.languages.dates import find_dates
from law.languages.scripts import either
from law.patterns import regex
from law.words.analysis import Term, term_offsets, terms
from law.words.spelled_numbers import numeral_at
from law.words.stop_words import is_content_word

MIN_SHARED_WORDS, MIN_SHARED = 2, 0.25  # of a statement that says of nobody what must or may be
MIN_SHARED_OF_THINGS = 0.5  # where it counts what is no unit: `200 children`
NEARLY = 0.8  # of a statement with several numbers of one measure, or in one clause of a law that has several
MIN_OF_CLAUSE = 3  # words of such a statement
_TELLS = regex(either(language.quoting.tells for language in LANGUAGES), re.IGNORECASE)
_RULES = regex(either(language.quoting.rules for language in LANGUAGES), re.IGNORECASE)
_NEAR = 40  # characters before a number in which a provision is cited, if it is one's
_CITES = regex(either(unit for language in LANGUAGES for unit in language.citations.unit), re.IGNORECASE)
_SIGN_BEHIND = regex(r"\s?[%₪]")
_SIGN_BEFORE = regex(r"[$£€₪]\s?$")
_AMOUNTS = {word: amount for language in LANGUAGES for word, amount in language.quoting.amounts.items()}
_QUALIFIERS = {word: name for language in LANGUAGES for word, name in language.quoting.qualifiers.items()}
_ONE_BEHIND = frozenset(word for language in LANGUAGES for word in language.quoting.one_behind.split())
_ONE_BEFORE = frozenset(word for language in LANGUAGES for word in language.quoting.one_before.split())
_ONE_OF = frozenset(word for language in LANGUAGES for word in language.quoting.one_of.split())
_PREFIXES = frozenset(letter for language in LANGUAGES for letter in language.prefixes)
_LISTS = frozenset(word for language in LANGUAGES for word in language.quoting.lists_numerals.split())
_YEARS = range(1500, 2101)
_LAST_DAY = 31
_DAY = regex(r"(\d{1,2})[^\W\d_]{0,2}")  # `1`, `1st`
_DAY_OF_YEAR = "day of the year"
_THING = "thing: "
_CLAUSE = regex(r"(?:[^.;:\n]|[.:](?!\s))+")
_SIZES = {"week": (7, "day"), "year": (12, "month"), "hour": (60, "minute")}  # in a smaller unit


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number, the name of the unit that it counts, and the characters of both."""

    number: float
    unit: str
    start: int
    end: int

    @property
    def measure(self) -> str:
        """The smallest unit in which it can be told without doubt."""
        return _SIZES.get(self.unit, (1, self.unit))[1]

    @property
    def value(self) -> float:
        """How many of these."""
        return self.number * _SIZES.get(self.unit, (1, self.unit))[0]

    @property
    def is_of_things(self) -> bool:
        """Whether it counts what is no unit: `200 children`."""
        return self.unit.startswith(_THING)


class Agreement(StrEnum):
    """How the quantities of a statement are to those of the law."""

    NONE = "none"  # it has none
    SAME = "same"
    OTHER = "other"
    UNSURE = "unsure"  # which of them is meant cannot be told


def days_and_things(text: str) -> Iterator[Quantity]:
    """Days of a year, `1 July`, whose number is that of the month and of the day, and numbers of what is no unit."""
    found, places = terms(text), term_offsets(text)
    words = [term.word for term in found]
    for at in range(len(words) - 1):
        if day := _day_of_year(text, words, places, at):
            yield Quantity(day, _DAY_OF_YEAR, places[at][0], places[at + 1][1])
        elif (number := numeral_at(words, at)) and number.end < len(words) and number.value > 1:
            start, end = places[at][0], places[number.end - 1][1]
            thing, place = found[number.end], places[number.end]
            is_apart = text[end : place[0]].isspace() and "\n" not in text[end : place[0]]
            if is_apart and number.value not in _YEARS and _is_thing(thing) and not _is_cited(text, words, at, start):
                yield Quantity(number.value, _THING + thing.stem, start, place[1])


def _is_thing(term: Term) -> bool:
    is_word = term.word.isalpha() and is_content_word(term.word)
    return is_word and not (is_number(term.word) or _named(term.word) or _CITES.fullmatch(term.word))


def _is_cited(text: str, words: Sequence[str], at: int, start: int) -> bool:
    """Whether a number is that of a provision, `sections 4 and 10 apply`, or goes on with one: `2.5`, `(2)`."""
    before = numeral_at(words, at - 1) if at > 0 else None
    goes_on = before is not None and (before.end > at or not words[at - 1].isalpha())  # but not `in one car two dogs`
    return (
        goes_on
        or text[max(start - 1, 0) : start] == "("
        or _CITES.search(text[max(start - _NEAR, 0) : start]) is not None
    )


def _day_of_year(text: str, words: Sequence[str], places: Sequence[tuple[int, int]], at: int) -> int:
    """That of `1 July` or `July 1` as 701, 0 where there is none, or a year follows: that is a full date."""
    for day, month in ((at, at + 1), (at + 1, at)):
        number = month_of(text[slice(*places[month])])
        digits = _DAY.fullmatch(words[day])
        if number and digits and 1 <= int(digits[1]) <= _LAST_DAY:
            following = words[at + 2] if at + 2 < len(words) else ""
            return 0 if following.isdecimal() and int(following) in _YEARS else 100 * number + int(digits[1])
    return 0


def quantities(text: str) -> Iterator[Quantity]:
    """Those of a text that have a unit, in digits and in words."""
    words, places = [term.word for term in terms(text)], term_offsets(text)
    at = 0
    waiting: list[tuple[float, int, int]] = []  # numbers of which a later one has the unit: `14 to 21 days`
    while at < len(words):
        start = places[at][0]
        if amount := _amount(words[at]):
            yield Quantity(*amount, *places[at])
            at += 1
        elif found := numeral_at(words, at):
            end = places[found.end - 1][1]
            unit, behind = _sign(text, start, end), found.end
            if not unit:
                unit, behind = _unit(words, found.end)
            if unit:
                yield from (Quantity(value, unit, *span) for value, *span in waiting)
                yield Quantity(found.value, unit, start, places[behind - 1][1])
            goes_on = not unit and words[behind : behind + 1] and words[behind] in _LISTS
            waiting = [*waiting, (found.value, start, end)] if goes_on else []
            at = behind + bool(goes_on)
        elif at + 1 < len(words) and words[at + 1] in _ONE_BEHIND and (unit := _named(words[at])):
            yield Quantity(1, unit, start, places[at + 1][1])
            at += 2
        elif at and words[at - 1] in _ONE_BEFORE and words[at] in _ONE_OF:
            yield Quantity(1, UNITS[words[at]], *places[at])
            at += 1
        else:
            at += 1


def _amount(word: str) -> tuple[float, str] | None:
    return _AMOUNTS.get(word) or (_AMOUNTS.get(word[1:]) if word[:1] in _PREFIXES else None)


def _named(word: str) -> str:
    return UNITS.get(word) or (UNITS.get(word[1:], "") if word[:1] in _PREFIXES else "")


def _sign(text: str, start: int, end: int) -> str:
    before, behind = _SIGN_BEFORE.search(text[max(start - 2, 0) : start]), _SIGN_BEHIND.match(text, end)
    sign = before or behind
    return UNITS.get(sign[0].strip(), "") if sign else ""


def _unit(words: Sequence[str], at: int) -> tuple[str, int]:
    """The unit that a number counts which ends before a word, and behind which word it ends: '' for none."""
    qualifier = words[at] if at < len(words) else ""
    behind = at + 1 if qualifier in _QUALIFIERS else at
    if behind < len(words) and words[behind : behind + 2] == ["per", "cent"]:
        return UNITS["percent"], behind + 2
    unit = UNITS.get(words[behind], "") if behind < len(words) else ""
    if not unit:
        return "", at
    following = words[behind + 1] if behind + 1 < len(words) else ""
    kind = _QUALIFIERS.get(qualifier) or _QUALIFIERS.get(following) if unit == "day" else ""
    return kind or unit, behind + 1


def compared(statement: str, law: str) -> tuple[Agreement, list[tuple[Quantity, Quantity]]]:
    """How the quantities of a statement are to those of the law, and those that differ without doubt.

    They do where the statement has one of its measure, the law has one alone of that measure, and both plainly speak of
    the same. Where both have as many and nearly the same words, one alone may differ: `from 5 to 9 days`. Or one
    clause of the law has its words and another number.
    """
    said, there = ([*quantities(text), *days_and_things(text)] for text in (statement, law))
    measures = {one.measure for one in there}
    said = [one for one in said if not one.is_of_things or one.measure in measures]
    pairs, agreement = [], Agreement.SAME if said else Agreement.NONE
    for one in said:
        alike = [other for other in there if other.measure == one.measure]
        values = {other.value for other in alike}
        if one.value in values:
            continue
        is_alone = sum(other.measure == one.measure for other in said) == 1 and len(values) == 1
        other = alike[0] if is_alone else _counterpart(one, said, alike)
        is_same_unit = other is not None and one.unit == other.unit and not one.is_of_things
        alone = MIN_SHARED_OF_THINGS if one.is_of_things else MIN_SHARED
        if other and _is_of_same(statement, law, is_same_unit=is_same_unit, least=alone if is_alone else NEARLY):
            pairs.append((one, other))
        elif of_clause := _of_clause(one, said, there, statement, law):
            pairs += [(one, other) for other in of_clause]
        else:
            agreement = Agreement.UNSURE
    return (Agreement.OTHER, pairs) if pairs else (agreement, [])


def _counterpart(one: Quantity, said: Sequence[Quantity], alike: Sequence[Quantity]) -> Quantity | None:
    """That of the law in the place of one of a statement, where all others of their measure are the same in turn."""
    own = [other for other in said if other.measure == one.measure]
    if len(own) != len(alike) or len(own) < 2:
        return None
    differing = [(mine, there) for mine, there in zip(own, alike, strict=True) if mine.value != there.value]
    return differing[0][1] if len(differing) == 1 else None


def _of_clause(
    one: Quantity, said: Sequence[Quantity], there: Sequence[Quantity], statement: str, law: str
) -> list[Quantity]:
    """The numbers of its unit in the one clause that has most words of a statement, if these are nearly all."""
    if one.is_of_things or sum(other.measure == one.measure for other in said) > 1 or _TELLS.search(statement):
        return []
    own = _telling(statement)
    rated = sorted(
        ((len(own & _telling(clause[0])), clause.span()) for clause in _CLAUSE.finditer(law)), key=lambda row: -row[0]
    )
    if len(own) < MIN_OF_CLAUSE or not rated or (len(rated) > 1 and rated[1][0] >= rated[0][0]):
        return []
    shared, (start, end) = rated[0]
    inside = [other for other in there if other.measure == one.measure and start <= other.start < end]
    return inside if shared >= NEARLY * len(own) and all(other.unit == one.unit for other in inside) else []


def _is_rule(statement: str) -> bool:
    """Whether it says what must or may be."""
    return bool(_RULES.search(statement)) or any(modal_meaning(term.word) for term in terms(statement))


def _is_of_same(statement: str, law: str, *, is_same_unit: bool, least: float) -> bool:
    """Whether a statement is of the law, and not of what happened, and shares enough words with it."""
    if _TELLS.search(statement):
        return False
    own, there = _telling(statement), _telling(law)
    shared = len(own & there)
    if is_same_unit and _is_rule(statement) and least < NEARLY:
        return shared > 0
    return shared >= MIN_SHARED_WORDS and shared >= least * len(own)


def _telling(text: str) -> set[str]:
    words = (term for term in terms(text) if is_content_word(term.word))
    return {term.stem for term in words if not (is_number(term.word) or modal_meaning(term.word) or _named(term.word))}


def is_doubtful(statement: str, law: str) -> bool:
    """Whether one reading is not enough to say that the law says so, or that it does not."""
    said, there = terms(statement), terms(law)
    return (
        compared(statement, law)[0] in (Agreement.OTHER, Agreement.UNSURE)
        or _denies(said) is not _denies(there)
        or not _modals(said) <= _modals(there)
        or not _days(statement) <= _days(law)
    )


def _denies(words: list[Term]) -> bool:
    return any(is_negation(term.word) for term in words)


def _modals(words: list[Term]) -> set[str]:
    return {meaning for term in words if (meaning := modal_meaning(term.word))}


def _days(text: str) -> set[object]:
    return {found.date for found in find_dates(text)}
