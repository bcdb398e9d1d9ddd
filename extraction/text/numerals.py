"""Writes numbers as lists and notes show them: Hebrew, Latin, Roman, signs."""

from collections.abc import Callable

_ALEF_BET = "אבגדהוזחטיכלמנסעפצקרשת"
_HEBREW = (
    *((hundred, letter) for hundred, letter in zip((400, 300, 200, 100), "תשרק", strict=True)),
    *((ten, letter) for ten, letter in zip(range(90, 0, -10), "צפעסנמלכי", strict=True)),
    *((unit, letter) for unit, letter in zip(range(9, 0, -1), "טחזוהדגבא", strict=True)),
)
_ROMAN = tuple(
    zip(
        (1000, 900, 500, 400, 100, 90, 50, 40, 10, 9, 5, 4, 1),
        ("m", "cm", "d", "cd", "c", "xc", "l", "xl", "x", "ix", "v", "iv", "i"),
        strict=True,
    )
)
_WORDS = [
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
]
_TENS = ["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"]
_ORDINALS = {"one": "first", "two": "second", "three": "third", "five": "fifth", "eight": "eighth", "nine": "ninth"}
_MAX_LENGTH = 40  # letters. A damaged list must not print a thousand of them.


def hebrew_number(number: int) -> str:
    """Gematria: 15 is טו and 16 is טז, never letters of the divine name."""
    return _additive(number, _HEBREW).replace("יה", "טו").replace("יו", "טז")


def hebrew_letters(number: int) -> str:
    """Letters in the order of the alphabet, doubled after the last: א to ת, then אא."""
    return _repeated(number, _ALEF_BET)


def latin_letters(number: int) -> str:
    """Letters as Word counts them: a to z, then aa, bb."""
    return _repeated(number, "abcdefghijklmnopqrstuvwxyz")


def roman(number: int) -> str:
    return _additive(number, _ROMAN)


def ordinal(number: int) -> str:
    """1st, 2nd, 3rd, 11th."""
    teens = number // 10 % 10 == 1
    return f"{number}{'th' if teens else {1: 'st', 2: 'nd', 3: 'rd'}.get(number % 10, 'th')}"


def number_in_words(number: int) -> str:
    """In English, up to ninety-nine. Others in digits."""
    if not 0 <= number < 100:
        return str(number)
    tens, unit = divmod(number, 10)
    return _WORDS[number] if number < 20 else f"{_TENS[tens - 2]}-{_WORDS[unit]}" if unit else _TENS[tens - 2]


def ordinal_in_words(number: int) -> str:
    """In English, up to ninety-ninth. Others in digits."""
    words = number_in_words(number)
    if words.isdigit():
        return ordinal(number)
    before, dash, last = words.rpartition("-")
    last = _ORDINALS.get(last) or (f"{last[:-1]}ieth" if last.endswith("y") else f"{last.replace('ve', 'f')}th")
    return f"{before}{dash}{last}"


def note_signs(number: int) -> str:
    """The signs of footnotes, doubled after the last: *, †, ‡, §, then **."""
    return _repeated(number, "*†‡§")


def in_format(number: int, name: str) -> str:
    """A number in a format by the name that Word has for it. In digits if the format is not known."""
    return _BY_NAME.get(name, str)(number)


def _additive(number: int, values: tuple[tuple[int, str], ...]) -> str:
    if number <= 0:
        return str(number)
    written = []
    for worth, sign in values:
        count, number = divmod(number, worth)
        written.append(sign * count)
    return "".join(written)[:_MAX_LENGTH]


def _repeated(number: int, letters: str) -> str:
    if number <= 0:
        return str(number)
    rounds, index = divmod(number - 1, len(letters))
    return letters[index] * min(rounds + 1, _MAX_LENGTH)


_BY_NAME: dict[str, Callable[[int], str]] = {
    "decimal": str,
    "decimalZero": lambda number: f"{number:02d}",
    "decimal3": lambda number: f"{number:03d}",
    "decimal4": lambda number: f"{number:04d}",
    "decimal5": lambda number: f"{number:05d}",
    "numberInDash": lambda number: f"- {number} -",
    "decimalEnclosedCircle": lambda number: chr(0x245F + number) if 0 < number <= 20 else str(number),
    "decimalEnclosedParen": lambda number: f"({number})",
    "decimalEnclosedFullstop": lambda number: f"{number}.",
    "ordinal": ordinal,
    "cardinalText": lambda number: number_in_words(number).capitalize(),
    "ordinalText": lambda number: ordinal_in_words(number).capitalize(),
    "hebrew1": hebrew_number,
    "hebrew2": hebrew_letters,
    "lowerLetter": latin_letters,
    "upperLetter": lambda number: latin_letters(number).upper(),
    "lowerRoman": roman,
    "upperRoman": lambda number: roman(number).upper(),
    "chicago": note_signs,
    "none": lambda number: "",
    "bullet": lambda number: "",
}
