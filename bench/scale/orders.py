"""Which law is to be stored where, and what came of it: what the loading tells its processes, and they it."""

from dataclasses import dataclass
from pathlib import Path

from bench.scale.laws import Outline

COMMON, RARE = "scale common", "scale rare"
COMMON_EVERY, RARE_EVERY = 3, 100  # documents of a topic


@dataclass(frozen=True, slots=True)
class Order:
    """One law to make and store: `topic` is the place of its topic in the order of size, from 0."""

    root: Path
    topic_id: int
    topic: int
    number: int
    outline: Outline
    label_ids: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class IndexedLaw:
    """What came of an order."""

    topic: int
    number: int
    chunks: int


def filename(number: int) -> str:
    """The name under which a law is stored, by which an interrupted loading knows what is there."""
    return f"law-{number:06}.txt"


def labels_of(number: int, *, label_ids: dict[str, int]) -> tuple[int, ...]:
    """The labels of a law: one that every third has, and one of few."""
    common = (label_ids[COMMON],) if number % COMMON_EVERY == 0 else ()
    return (*common, label_ids[RARE]) if number % RARE_EVERY == 1 else common
