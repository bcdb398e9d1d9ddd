"""Which numbers of a document are missing, of those that it does not itself say are repealed."""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import NamedTuple

from law.patterns import regex
from law.structure.lines.number_keys import SectionNumber

_FIRST = 3  # a document that begins with a higher number is an extract, of which nothing is missing
_DENSE = 2 / 3  # the share of steps to the next number, from which on another step leaves one out
_ROOM = 20  # a step further than that leads to another series, as from 7.118 to 7.201
_LAST_COMPONENT = regex(r"\d+[^\W\d_]*$")


class NumberGap(NamedTuple):
    """The missing numbers, of which all but the last component is `prefix`."""

    prefix: str
    first: int
    last: int

    def __str__(self) -> str:
        """`5` or `7–9`."""
        one, other = f"{self.prefix}{self.first}", f"{self.prefix}{self.last}"
        return one if one == other else f"{one}–{other}"


def gaps_of(runs: Iterable[Sequence[SectionNumber]], repealed: Container[str] = frozenset()) -> list[NumberGap]:
    """What is missing in runs of numbers, each of which begins anew. Numbers with letters are not counted.

    What the document says is `repealed` is not missing.
    """
    return [left for run in runs for gap in _missing(run) for left in _without(gap, repealed)]


def _missing(run: Sequence[SectionNumber]) -> Iterator[NumberGap]:
    if run and len(run[0].key) == 1 and 1 < run[0].key[0][0] <= _FIRST:
        yield NumberGap(run[0].prefix, 1, run[0].key[0][0] - 1)
    steps = _steps(run)
    by_depth = {
        depth: [step for step in steps if len(step[1].key) == depth] for depth in {len(s[1].key) for s in steps}
    }
    dense = {depth: _is_dense(beside) if depth > 1 else not _by_fives(beside) for depth, beside in by_depth.items()}
    for one, other in steps:
        if _distance(one, other) > 1 and dense[len(other.key)]:
            prefix = _LAST_COMPONENT.sub("", other.number) if len(other.key) > 1 else other.prefix
            yield NumberGap(prefix, one.key[-1][0] + 1, other.key[-1][0] - 1)


def _steps(run: Sequence[SectionNumber]) -> list[tuple[SectionNumber, SectionNumber]]:
    """The numbers beside one another between which others could stand."""
    steps = [
        (one, other)
        for one, other in pairwise(run)
        if _are_beside(one, other) and (len(one.key) == 1 or _distance(one, other) <= _ROOM)
    ]
    if 2 * sum(len(one.key) == 1 for one in run) > len(run):
        return [step for step in steps if len(step[1].key) == 1]  # 46.1 and 46.11 were inserted one by one
    return steps


def _are_beside(one: SectionNumber, other: SectionNumber) -> bool:
    """Whether two numbers are alike but for their last component."""
    return len(one.key) == len(other.key) and one.key[:-1] == other.key[:-1] and one.prefix == other.prefix


def _distance(one: SectionNumber, other: SectionNumber) -> int:
    return other.key[-1][0] - one.key[-1][0]


def _is_dense(steps: Sequence[tuple[SectionNumber, SectionNumber]]) -> bool:
    """Codes leave room between numbers of several components: where they do, that one is not there says nothing."""
    return sum(_distance(*step) <= 1 for step in steps) >= _DENSE * len(steps)


def _by_fives(steps: Sequence[tuple[SectionNumber, SectionNumber]]) -> bool:
    """Whether sections are numbered 1, 5, 10, 15, so that others find room."""
    return len(steps) >= _FIRST and sum(other.key[0][0] % 5 == 0 for _, other in steps) > _DENSE * len(steps)


def _without(gap: NumberGap, repealed: Container[str]) -> Iterator[NumberGap]:
    """What is left of a gap, run by run."""
    first = None
    for number in range(gap.first, gap.last + 2):
        is_missing = number <= gap.last and f"{gap.prefix}{number}" not in repealed
        if is_missing and first is None:
            first = number
        elif not is_missing and first is not None:
            yield NumberGap(gap.prefix, first, number - 1)
            first = None
