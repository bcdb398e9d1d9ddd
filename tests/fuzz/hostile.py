"""Hostile files by the number: each kind is a function from a source of chance to a name and bytes."""

import random
from collections.abc import Callable
from dataclasses import dataclass

Make = Callable[[random.Random], tuple[str, bytes]]


@dataclass(frozen=True, slots=True)
class Kind:
    """One way to be hostile. `weight` is how often it comes; heavy kinds make files of many MB, or long work."""

    name: str
    make: Make
    weight: float


KINDS: dict[str, Kind] = {}
HEAVY = 0.015


def hostile(name: str, *, weight: float = 1.0) -> Callable[[Make], Make]:
    """Register a kind under `format: what it does`."""

    def register(make: Make) -> Make:
        KINDS[name] = Kind(name, make, weight)
        return make

    return register


def file_of(kind: str, *, seed: int, number: int) -> tuple[str, bytes]:
    """The file of that kind with that number: always the same."""
    return KINDS[kind].make(random.Random(f"{seed}/{kind}/{number}"))


def kinds_of(count: int, *, seed: int) -> list[str]:
    """That many names of kinds in a mixed order: each at least once where there is room, then by weight."""
    chance = random.Random(f"{seed}/order")
    names = list(KINDS)
    chance.shuffle(names)
    chosen = names[:count]
    chosen += chance.choices(names, [KINDS[name].weight for name in names], k=count - len(chosen))
    chance.shuffle(chosen)
    return chosen
