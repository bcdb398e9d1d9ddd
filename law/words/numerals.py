"""Numbers of a text, in letters that count, in Roman numerals, in digits or in words: `טו`, `iv`, `twenty-one`."""

from collections.abc import Sequence
from typing import NamedTuple

from law.languages import LANGUAGES
from law.languages.scripts import MAX_PREFIXES, PREFIXES
from law.patterns import regex

LETTER_VALUES = {letter: value for language in LANGUAGES for letter, value in language.letter_values.items()}
_ORDINALS = {word: place for language in LANGUAGES for word, place in language.divisions.places.items()}
_MARKS = regex(r"[\"'״׳()\s]+")
_IN_LATIN = ("bis", "ter", "quater", "quinquies", "sexies", "septies", "octies", "novies", "decies")
LATIN_ORDINALS = {word: place for place, word in enumerate(_IN_LATIN, 1)}
LATIN_ORDINAL = rf"[ -]?(?:{'|'.join(LATIN_ORDINALS)})(?!\w)"
"""Behind the number of a section that was inserted: `4 bis`, `4-bis` and `4bis` are one."""
_ROMAN_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}
_VALUES = {word: number for language in LANGUAGES for word, number in language.quoting.numbers.items()}
_TEENS = frozenset(form for language in LANGUAGES for form in language.quoting.teens.split())
_JOINS = frozenset(word for language in LANGUAGES for word in language.quoting.joins_numerals.split())
_UNITS = frozenset(
    form for language in LANGUAGES for forms in language.quoting.units.values() for form in forms.split()
)
HUNDRED, THOUSAND = 100, 1_000


def letters_value(letters: str) -> int | None:
    """15 for `טו`, or None for what is not made of letters that count."""
    if not letters or not all(letter in LETTER_VALUES for letter in letters):
        return None
    return sum(LETTER_VALUES[letter] for letter in letters)


def roman_value(letters: str) -> int | None:
    """4 for `iv`, or None for what is not a numeral in small letters."""
    if not letters or not all(letter in _ROMAN_VALUES for letter in letters):
        return None
    values = [_ROMAN_VALUES[letter] for letter in letters]
    # A letter before a greater one is taken off.
    return sum(-one if one < max(values[at:]) else one for at, one in enumerate(values))


def division_number(text: str) -> str:
    """A number in one form, however it is printed: `שני` and `ב׳`, `IV` and `4` are one, `II.1` is 2.1."""
    bare = _MARKS.sub("", text).casefold()
    roman, point, inserted = bare.partition(".")
    if point and (value := roman_value(roman)) is not None:
        return f"{value}.{inserted}"
    word = bare.rstrip("0123456789") or bare
    rest = bare[len(word) :]
    value = _ORDINALS.get(word, letters_value(word))
    if value is not None:
        return f"{value}.{rest}" if rest else str(value)
    # A lone C or L is a letter: Schedule C.
    value = None if word in {"c", "l"} else roman_value(word)
    return bare if value is None else str(value)


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
    if not tens and (not ones or is_teen):
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
