"""The provisions around a number that a document does not have."""

from bisect import bisect_left
from collections.abc import Sequence
from string import ascii_letters

from law.structure.lines.number_keys import Key, key_of
from law.structure.provisions import ProvisionKind
from sources.models import Provision
from sources.provisions.reading import in_order

MAX_NEAREST = 4
_NUMBERED = (
    ProvisionKind.SECTION,
    ProvisionKind.PARAGRAPH,
    ProvisionKind.ITEM,
)  # the first of these that a document has bear its own numbers


def numbered(source_id: int) -> list[Provision]:
    """The provisions that bear a document's own numbers, each number once, in its order and with their source."""
    found = [one for one in in_order(source_id).filter(kind__in=_NUMBERED).select_related("source") if one.number]
    kind = next((kind for kind in _NUMBERED if any(one.kind == kind for one in found)), None)
    by_number: dict[str, Provision] = {}
    for one in found:
        if one.kind == kind:
            by_number.setdefault(one.number, one)
    return list(by_number.values())


def knn(numbered: Sequence[Provision], number: str) -> list[Provision]:
    """Up to four of the provisions with the next lower and the next higher numbers, in the order of the document."""
    found = sorted(numbered, key=_key_of)
    lower = bisect_left(found, _key(number), key=_key_of)
    start = max(min(lower - MAX_NEAREST // 2, len(found) - MAX_NEAREST), 0)
    return sorted(found[start : start + MAX_NEAREST], key=lambda one: one.position)


def _key_of(provision: Provision) -> tuple[str, Key]:
    return _key(provision.number)


def _key(number: str) -> tuple[str, Key]:
    """The number to compare: letters before it (`A1.2.3`), then itself, in capitals."""
    number = number.upper()
    digits = number.lstrip(ascii_letters)
    return number[: len(number) - len(digits)], key_of(digits)
