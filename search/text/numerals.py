"""What letters count for: Hebrew letters and Roman numerals."""

from __future__ import annotations

HEBREW_VALUES = dict(
    zip("אבגדהוזחטיכלמנסעפצקרשת", (*range(1, 11), *range(20, 100, 10), 100, 200, 300, 400), strict=True)
)
_ROMAN_VALUES = {"i": 1, "v": 5, "x": 10, "l": 50, "c": 100}


def hebrew_value(letters: str) -> int | None:
    """15 for `טו`; None for what is not made of Hebrew letters."""
    if not letters or not all(letter in HEBREW_VALUES for letter in letters):
        return None
    return sum(HEBREW_VALUES[letter] for letter in letters)


def roman_value(letters: str) -> int | None:
    """4 for `iv`; None for what is not a numeral in small letters."""
    if not letters or not all(letter in _ROMAN_VALUES for letter in letters):
        return None
    values = [_ROMAN_VALUES[letter] for letter in letters]
    # A letter before a greater one is taken off.
    return sum(-one if one < max(values[at:]) else one for at, one in enumerate(values))
