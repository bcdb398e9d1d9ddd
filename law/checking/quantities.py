"""Numbers with what they count, in a statement and in the law that it cites."""

from collections.abc import Iterator
from dataclasses import dataclass

from law.checking.weight import UNITS, is_number, modal_meaning
from law.patterns import regex
from law.words.analysis import term_offsets, terms

_DIGITS = regex(r"\d+(?:[.,]\d+)*")
_SIGN_BEHIND = regex(r"\s?[%₪]")
_SIGN_BEFORE = regex(r"[$£€₪]\s?$")


@dataclass(frozen=True, slots=True)
class Quantity:
    """A number as it is printed, and the unit it counts, as all forms of that unit."""

    number: str
    unit: str
    start: int
    end: int


def quantities(text: str) -> Iterator[Quantity]:
    """Those of a text. A number in words stands as it is written."""
    words, places = terms(text), term_offsets(text)
    for at, (word, (start, end)) in enumerate(zip(words, places, strict=True)):
        if not is_number(word.word):
            continue
        following = next((one.word for one in words[at + 1 : at + 2]), "")
        before, behind = _SIGN_BEFORE.search(text[max(start - 2, 0) : start]), _SIGN_BEHIND.match(text, end)
        sign = (before or behind)[0].strip() if before or behind else ""  # type: ignore[index]
        unit = UNITS.get(sign) or UNITS.get(following)
        if unit:
            yield Quantity(word.word.replace(",", ""), unit, start, places[at + 1][1] if not sign else end)


def contradicted(statement: str, law: str) -> list[tuple[Quantity, Quantity]]:
    """The quantities of a statement beside those of the law that differ, where no doubt is left which is meant.

    Each has one quantity of that unit, in digits, and the statement says what must or may be.
    """
    if not any(modal_meaning(term.word) for term in terms(statement)):
        return []
    said, there = list(quantities(statement)), list(quantities(law))
    pairs = []
    for one in said:
        same_unit = [other for other in there if other.unit == one.unit]
        alone = sum(other.unit == one.unit for other in said) == 1 and len({other.number for other in same_unit}) == 1
        in_digits = alone and _DIGITS.fullmatch(one.number) and _DIGITS.fullmatch(same_unit[0].number)
        if in_digits and same_unit[0].number != one.number:
            pairs.append((one, same_unit[0]))
    return pairs
