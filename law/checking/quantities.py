"""Words that change what the law says: negations, what one must or may, numbers with what they count.

Numbers are those in digits and in words, of days and sums, of days of the year, of things.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from law.languages import LANGUAGES
from law.languages.dates import MONTH_NUMBERS
from law.languages.scripts import PREFIXES, either, language_of
from law.patterns import regex
from law.words.analysis import QUOTES, Term, term_offsets, terms
from law.words.numerals import numeral_at
from law.words.stop_words import is_content_word

_NEGATIONS = frozenset(word for language in LANGUAGES for word in language.quoting.negations.split())
_NEGATING = tuple(ending for language in LANGUAGES for ending in language.quoting.negating.split())
_APOSTROPHES = str.maketrans('"', "'")
_MEANINGS = {word: forms for language in LANGUAGES for forms in language.quoting.modals for word in forms.split()}
_NUMBERS = frozenset(
    word
    for one in LANGUAGES
    for words in (one.number_words, one.quoting.numerals.get(1, ""), *one.quoting.amounts)
    for word in words.split()
)
UNITS = {
    word: name for language in LANGUAGES for name, forms in language.quoting.units.items() for word in forms.split()
}
UNITS |= {word: name for language in LANGUAGES for word, (_, name) in language.quoting.amounts.items()}
_FORBIDS = frozenset(word for language in LANGUAGES for word in language.quoting.forbids.split())
_NEAR = 40  # characters before a number in which a provision is cited, if it is one's
_CITES = regex(either(unit for language in LANGUAGES for unit in language.citations.unit), re.IGNORECASE)
_SIGN_BEHIND = regex(r"\s?[%₪]")
_SIGN_BEFORE = regex(r"[$£€₪]\s?$")
_AMOUNTS = {word: amount for language in LANGUAGES for word, amount in language.quoting.amounts.items()}
_QUALIFIERS = {word: name for language in LANGUAGES for word, name in language.quoting.qualifiers.items()}
_ONE_BEHIND = frozenset(word for language in LANGUAGES for word in language.quoting.one_behind.split())
_ONE_BEFORE = frozenset(word for language in LANGUAGES for word in language.quoting.one_before.split())
_ONE_OF = frozenset(word for language in LANGUAGES for word in language.quoting.one_of.split())
_LISTS = frozenset(word for language in LANGUAGES for word in language.quoting.lists_numerals.split())
_BEFORE = {
    word: name
    for language in LANGUAGES
    for name, forms in language.quoting.units_before.items()
    for word in forms.split()
}
_YEARS = range(1500, 2101)
_LAST_DAY = 31
_DAY = regex(r"(\d{1,2})[^\W\d_]{0,2}")  # `1`, `1st`
_DAY_OF_YEAR, _MONTH_OF_YEAR = "day of the year", "month of the year"
_THING = "thing: "
_ALL, _ANY = (either(getattr(language.quoting, name) for language in LANGUAGES) for name in ("all_of", "any_of"))
_OF_LIST = regex(rf"(?:(?P<all>{_ALL})|(?P<any>{_ANY}))(?!\w)", re.IGNORECASE)
_SIZES = {"week": (7, "day"), "year": (12, "month"), "hour": (60, "minute")}  # in a smaller unit


def is_negation(word: str) -> bool:
    return word in _NEGATIONS or word.translate(_APOSTROPHES).endswith(_NEGATING)


def modal_meaning(word: str) -> str:
    """The same for all words that allow, or for all that oblige, '' for any other word."""
    return _MEANINGS.get(word) or _MEANINGS.get(word[1:] if word[:1] in PREFIXES else "", "")


def is_number(word: str) -> bool:
    """A number in digits or words, also with its unit (`fortnight`), the name of a month, a mark such as `(2)`."""
    bare = word.strip(f"(){QUOTES}")
    return (
        any(map(str.isdigit, word))
        or bare in _NUMBERS
        or bare in MONTH_NUMBERS
        or (bare[:1] in PREFIXES and (bare[1:] in _NUMBERS or bare[1:] in MONTH_NUMBERS))
    )


def are_same_number(word: str, other: str) -> bool:
    """Whether both are one number, in digits or words: `30`, `thirty`, `בשלושים`."""
    values = [_number(one) for one in (word, other)]
    return values[0] is not None and values[0] == values[1]


def _number(word: str) -> float | None:
    bare = word.strip(f"(){QUOTES}")
    forms = (bare, bare[1:]) if bare[:1] in PREFIXES else (bare,)
    parts = [one.split("-") for one in forms if one]
    return next((found.value for one in parts if (found := numeral_at(one, 0)) and found.end == len(one)), None)


def month_of(written: str) -> int:
    """The number of the month that a word names as it is written, else 0: `may` is none, and `בדצמבר` is one."""
    word = written.casefold()
    if language_of(written).has_capitals:
        return MONTH_NUMBERS.get(word, 0) if written[:1].isupper() else 0
    return MONTH_NUMBERS.get(word) or (MONTH_NUMBERS.get(word[1:], 0) if word[:1] in PREFIXES else 0)


def named_unit(word: str) -> str:
    """The same for all forms of what numbers count, such as a week, '' for any other word."""
    return UNITS.get(word) or UNITS.get(word[1:] if word[:1] in PREFIXES else "", "")


def is_grave(quoted: Sequence[str], there: Sequence[str]) -> bool:
    """Whether the words of a quotation say something else than those in their place, by one of these words."""
    units, others = (set(filter(None, map(named_unit, words))) for words in (quoted, there))
    return (
        [word for word in quoted if is_negation(word)] != [word for word in there if is_negation(word)]
        or [word for word in quoted if is_number(word)] != [word for word in there if is_number(word)]
        or sorted(filter(None, map(modal_meaning, quoted))) != sorted(filter(None, map(modal_meaning, there)))
        or (bool(units and others) and units != others)
    )


def is_forbidding(words: str) -> bool:
    """Whether a sentence denies or forbids something."""
    said = [word.strip(f".,;:()[]{QUOTES}“”„«»").casefold() for word in words.split()]
    return any(is_negation(word) or word in _FORBIDS or word[1:] in _FORBIDS for word in said)


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


def days_and_things(text: str) -> Iterator[Quantity]:
    """Days of a year, `1 July`, whose number is that of the month and of the day, and numbers of what is no unit."""
    found, places = terms(text), term_offsets(text)
    words = [term.word for term in found]
    for at in range(len(words)):
        if day := _day_of_year(text, words, places, at):
            yield Quantity(day, _DAY_OF_YEAR, places[at][0], places[at + 1][1])
        elif (listed := _OF_LIST.match(text, places[at][0])) and listed.lastgroup:
            yield Quantity(int(listed.lastgroup == "all"), _THING + "listed", *listed.span())
        elif month := _lone_month(text, words, places, at):
            yield Quantity(month, _MONTH_OF_YEAR, *places[at])
        elif (number := numeral_at(words, at)) and number.end < len(words) and number.value > 1:
            start, end = places[at][0], places[number.end - 1][1]
            thing, place = found[number.end], places[number.end]
            is_apart = text[end : place[0]].isspace() and "\n" not in text[end : place[0]]
            if is_apart and number.value not in _YEARS and _is_thing(thing) and not _is_cited(text, words, at, start):
                yield Quantity(number.value, _THING + thing.stem, start, place[1])


def _is_thing(term: Term) -> bool:
    is_word = term.word.isalpha() and is_content_word(term.word)
    return is_word and not (is_number(term.word) or named_unit(term.word) or _CITES.fullmatch(term.word))


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
    for day, month in ((at, at + 1), (at + 1, at)) if at + 1 < len(words) else ():
        number = month_of(text[slice(*places[month])])
        digits = _DAY.fullmatch(words[day])
        if number and digits and 1 <= int(digits[1]) <= _LAST_DAY:
            following = words[at + 2] if at + 2 < len(words) else ""
            return 0 if following.isdecimal() and int(following) in _YEARS else 100 * number + int(digits[1])
    return 0


def _lone_month(text: str, words: Sequence[str], places: Sequence[tuple[int, int]], at: int) -> int:
    """The number of a month beside which neither a day nor a year stands, else 0. `May` is a verb as well."""
    month = 0 if modal_meaning(words[at]) else month_of(text[slice(*places[at])])
    beside = words[max(at - 1, 0) : at + 2]
    return 0 if any(word[:1].isdigit() for word in beside) else month


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
            if not unit and at and (unit := _BEFORE.get(words[at - 1], "")):
                start = places[at - 1][0]
            if unit:
                yield from (Quantity(value, unit, *span) for value, *span in waiting)
                yield Quantity(found.value, unit, start, places[behind - 1][1])
            is_listed = words[behind : behind + 1] and words[behind] in _LISTS
            goes_on = not unit and (is_listed or _is_joined_number(words, behind))
            waiting = [*waiting, (found.value, start, end)] if goes_on else []
            at = behind + bool(goes_on and is_listed)
        elif at + 1 < len(words) and words[at + 1] in _ONE_BEHIND and (unit := named_unit(words[at])):
            yield Quantity(1, unit, start, places[at + 1][1])
            at += 2
        elif at and words[at - 1] in _ONE_BEFORE and words[at] in _ONE_OF:
            yield Quantity(1, UNITS[words[at]], *places[at])
            at += 1
        else:
            at += 1


def _is_joined_number(words: Sequence[str], at: int) -> bool:
    """Whether a number follows with a letter joined to it: `בין עשר לשלושים שנים`."""
    word = words[at] if at < len(words) else ""
    return word[:1] in PREFIXES and is_number(word[1:]) and numeral_at(words, at) is not None


def _amount(word: str) -> tuple[float, str] | None:
    return _AMOUNTS.get(word) or (_AMOUNTS.get(word[1:]) if word[:1] in PREFIXES else None)


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
