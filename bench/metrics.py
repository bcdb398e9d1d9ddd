"""Retrieval metrics over ranked units, as the data sets define them."""

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

CUTOFF = 10


@dataclass(frozen=True, slots=True)
class Scores:
    """Means over `queries` queries; every figure lies between 0 and 1."""

    queries: int
    recall: float
    average_precision: float
    top1: float
    reciprocal_rank: float


def recall(ranked: Sequence[str], gold: Collection[str]) -> float:
    """Share of the gold units among the first ten results."""
    return len(set(ranked[:CUTOFF]) & set(gold)) / len(gold)


def average_precision(ranked: Sequence[str], gold: Collection[str]) -> float:
    """Mean precision at each first sight of a gold unit, over the most gold that ten results can hold."""
    found: set[str] = set()
    total = 0.0
    for rank, unit in enumerate(ranked[:CUTOFF], start=1):
        if unit in gold and unit not in found:
            found.add(unit)
            total += len(found) / rank
    return total / min(len(gold), CUTOFF)


def top1(ranked: Sequence[str], gold: Collection[str]) -> float:
    return float(bool(ranked) and ranked[0] in gold)


def reciprocal_rank(ranked: Sequence[str], gold: Collection[str]) -> float:
    """One over the rank of the first gold unit, 0 when none is among the first ten."""
    return next((1 / rank for rank, unit in enumerate(ranked[:CUTOFF], start=1) if unit in gold), 0.0)


def score(answers: Iterable[tuple[Sequence[str], Collection[str]]]) -> Scores:
    """Means of the four metrics over (ranked units, gold units) of every query."""
    metrics = (recall, average_precision, top1, reciprocal_rank)
    rows = [[metric(ranked, gold) for metric in metrics] for ranked, gold in answers]
    if not rows:
        return Scores(0, 0.0, 0.0, 0.0, 0.0)
    means = [sum(column) / len(rows) for column in zip(*rows, strict=True)]
    return Scores(len(rows), *means)


def precision_recall_f1(right: int, *, made: int, given: int) -> tuple[float, float, float]:
    """Of `given` answers `right` are right, and `made` were to be found."""
    precision, found = right / given if given else 0.0, right / made if made else 0.0
    return precision, found, 2 * precision * found / (precision + found) if right else 0.0


def share(part: int, whole: int) -> str:
    """Both, and the percentage."""
    return f"{part}/{whole}" + (f" = {part / whole:.1%}" if whole else "")


@dataclass(frozen=True, slots=True)
class Percentiles:
    """Milliseconds over `count` requests."""

    count: int
    p50: float
    p95: float
    p99: float


def percentiles(milliseconds: Iterable[float]) -> Percentiles:
    """Nearest-rank percentiles."""
    values = sorted(milliseconds)
    if not values:
        return Percentiles(0, 0.0, 0.0, 0.0)
    at = [values[max(0, math.ceil(share * len(values)) - 1)] for share in (0.50, 0.95, 0.99)]
    return Percentiles(len(values), *at)
