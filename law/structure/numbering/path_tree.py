"""The best paths to numbers of one form, found by what the numbers begin with."""

from bisect import bisect_left, insort
from collections.abc import Iterator

from law.structure.lines.number_keys import Component, Key

_NEAREST = 12  # lower numbers that are looked at


class PathTree:
    """The best paths to numbers of one form, by all that they begin with."""

    def __init__(self) -> None:
        self._below: dict[Key, list[Component]] = {}
        self._best: dict[Key, tuple[float, int]] = {}
        self._exact: dict[Key, tuple[float, int]] = {}

    def add(self, key: Key, worth: float, index: int) -> None:
        if worth > self._exact.get(key, (float("-inf"), 0))[0]:
            self._exact[key] = worth, index
        for depth in range(1, len(key) + 1):
            above = key[:depth]
            if above not in self._best:
                insort(self._below.setdefault(key[: depth - 1], []), key[depth - 1])
            if worth > self._best.get(above, (float("-inf"), 0))[0]:
                self._best[above] = worth, index

    def same(self, key: Key) -> tuple[float, int] | None:
        return self._exact.get(key)

    def before(self, key: Key) -> Iterator[tuple[float, int]]:
        """The best paths to numbers that may come before this one, or to what is below them."""
        for depth in range(len(key) - 1, -1, -1):
            above = key[:depth]
            if depth and (exact := self._exact.get(above)):
                yield exact
            inside = self._below.get(above, [])
            end = bisect_left(inside, key[depth])
            for component in reversed(inside[max(0, end - _NEAREST) : end]):
                yield self._best[(*above, component)]
