"""The provisions around a number that a document does not have."""

from string import ascii_letters

from search.models import Provision
from search.provisions.reading import in_order
from search.structure.numbers import Key, key_of
from search.structure.provisions import Kind

MOST_NEAREST = 4
_NUMBERED = (Kind.SECTION, Kind.PARAGRAPH, Kind.ITEM)  # the first of these that a document has bear its own numbers


def nearest(source_id: int, number: str) -> list[Provision]:
    """Up to four provisions with the next lower and the next higher numbers, in ascending order."""
    numbered = [one for one in in_order(source_id).filter(kind__in=_NUMBERED) if one.number]
    kind = next((kind for kind in _NUMBERED if any(one.kind == kind for one in numbered)), None)
    found = sorted((one for one in numbered if one.kind == kind), key=lambda one: _key(one.number))
    lower = sum(_key(one.number) < _key(number) for one in found)
    start = max(min(lower - MOST_NEAREST // 2, len(found) - MOST_NEAREST), 0)
    return found[start : start + MOST_NEAREST]


def _key(number: str) -> Key:
    """The number to compare: `A1.2.3` without the letter before it, and a letter behind it is a capital."""
    return key_of(number.lstrip(ascii_letters).upper())
