"""What letters count for: those of languages that add them up, and Roman numerals."""

from law.languages import LANGUAGES
from law.patterns import regex

LETTER_VALUES = {letter: value for language in LANGUAGES for letter, value in language.letter_values.items()}
_ORDINALS = {word: place for language in LANGUAGES for word, place in language.divisions.places.items()}
_MARKS = regex(r"[\"'״׳()\s]+")
_IN_LATIN = ("bis", "ter", "quater", "quinquies", "sexies", "septies", "octies", "novies", "decies")
LATIN_ORDINALS = {word: place for place, word in enumerate(_IN_LATIN, 1)}
LATIN_ORDINAL = rf"[ -]?(?:{'|'.join(LATIN_ORDINALS)})(?!\w)"
"""Behind the number of a section that was inserted: `4 bis`, `4-bis` and `4bis` are one."""
_ROMAN_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}


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
