"""Tables with an entry for each member of an enum: one that was forgotten is found at the start."""

from collections.abc import Mapping
from enum import Enum
from typing import TypeVar

K = TypeVar("K", bound=Enum)
V = TypeVar("V")


def complete(kinds: type[K], table: Mapping[K, V]) -> Mapping[K, V]:
    """The table. Raises AssertionError where a kind has no entry, so that the service does not start."""
    if forgotten := [kind.name for kind in kinds if kind not in table]:
        raise AssertionError(f"{kinds.__name__} without an entry: {', '.join(forgotten)}")
    return table
