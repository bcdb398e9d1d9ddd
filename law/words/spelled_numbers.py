"""Numbers of a text, in digits or in words: `21`, `twenty-one`, `עשרים ואחד`."""

from collections.abc import Sequence
from typing import NamedTuple

from law.languages import LANGUAGES
from law.languages.scripts import MAX_PREFIXES, PREFIXES

_VALUES = {word: number for language in LANGUAGES for word, number in language.quoting.numbers.items()}
_TEENS = frozenset(form for language in LANGUAGES for form in language.quoting.teens.split())
_JOINS = frozenset(word for language in LANGUAGES for word in language.quoting.joins_numerals.split())
_UNITS = frozenset(
    form for language in LANGUAGES for forms in language.quoting.units.values() for form in forms.split()
)
HUNDRED, THOUSAND = 100, 1_000


class Numeral(NamedTuple):
    """A number, and behind which word of the text it ends."""

    value: float
    end: int


def numeral_at(words: Sequence[str], start: int) -> Numeral | None:
    """The number that begins with a word, or None. Words are in small letters, as `law.words.analysis` gives them."""
    if words[start][:1].isdigit():
        return _in_digits(words, start)
    if _value(words, start) is None:
        return None
    total, current, at = 0, 0, start
    while at < len(words):
        behind = at + 1 if at > start and words[at] in _JOINS else at
        value = _value(words, behind) if behind < len(words) else None
        joined = None if value is None else _joined(current, value, is_teen=_bare(words[behind]) in _TEENS)
        if joined is None:
            break
        total, current = (total + joined, 0) if joined >= THOUSAND else (total, joined)
        at = behind + 1
    return Numeral(total + current, at)


def _in_digits(words: Sequence[str], start: int) -> Numeral | None:
    """`30`, `2.5`, `3 million`"""
    try:
        value = float(words[start])
    except ValueError:
        return None
    times = _value(words, start + 1) if start + 1 < len(words) else None
    return Numeral(value * times, start + 2) if times and times >= THOUSAND else Numeral(value, start + 1)


def _joined(current: int, value: int, *, is_teen: bool) -> int | None:
    """A number so far with the next word of it, None where that begins another number."""
    tens, ones = divmod(current % HUNDRED, 10)
    if value >= THOUSAND or value == HUNDRED:
        return max(current, 1) * value if value >= THOUSAND or current < 10 else None
    if value > HUNDRED:
        return None if current else value
    if not tens and not ones:
        return current + value
    if is_teen and not tens:
        return current + value
    return current + value if tens > 1 and not ones and value < 10 else None


def _value(words: Sequence[str], at: int) -> int | None:
    """That of one word. What also names a unit is a number only before a teen: `שנים עשר`, but `שלוש שנים`."""
    word = _bare(words[at])
    if word in _UNITS and not (at + 1 < len(words) and _bare(words[at + 1]) in _TEENS):
        return None
    return _VALUES.get(word)


def _bare(word: str) -> str:
    """A word without the letters that are joined to it, where it is a number without them."""
    for length in range(MAX_PREFIXES + 1):
        if word[length:] in _VALUES and all(letter in PREFIXES for letter in word[:length]):
            return word[length:]
    return word
