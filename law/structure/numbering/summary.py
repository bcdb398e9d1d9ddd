"""What a document's numbers look like, how sure it is that they were read right, and which of them are missing."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Container, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import chain, compress, groupby, pairwise
from typing import Any, NamedTuple

from law.patterns import regex
from law.structure.lines.number_keys import SectionNumber, Style
from law.structure.numbering.candidates import NumberCandidate, Scan
from law.structure.numbering.choosing import Numbering
from law.words.numerals import division_number

_FIRST = 3  # a document that begins with a higher number is an extract, of which nothing is missing
_DENSE = 2 / 3  # the share of steps to the next number, from which on another step leaves one out
_ROOM = 20  # a step further than that leads to another series, as from 7.118 to 7.201
_PART_SIZES = (100, 1000)  # numbers of sections that each part has for itself
_LAST_COMPONENT = regex(r"\d+[^\W\d_]*$")
# What signs of a mistake leave of the certainty, as found in documents whose numbers are known
STRAY = 0.6  # a line between two numbers looks like a section, and its number does not fit
PRINTED_GAP = 0.6  # a missing number is printed, on a line that was not taken
HAS_GAP = 0.85
UNDECIDED = 0.6  # some raised digits are parts of numbers, and others may be
FEW = 3  # numbers
WEAK = 0.5  # points
MAX_GAPS = 100


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
    left = [number for number in range(gap.first, gap.last + 1) if f"{gap.prefix}{number}" not in repealed]
    for _, run in groupby(enumerate(left), key=lambda one: one[1] - one[0]):
        numbers = [number for _, number in run]
        yield NumberGap(gap.prefix, numbers[0], numbers[-1])


@dataclass(frozen=True, slots=True)
class NumberingSummary:
    """`form` is a number as the document prints it, such as `1.`, `§ 1072.101` or `Article 5`.

    `certainty` is from 0 to 1: how likely all numbers were found, and none that is no section's. `gaps` are the numbers
    that are missing, such as `5` or `7–9`. Those that the document itself says are repealed are none.
    `form` is empty where no number was found.
    """

    form: str
    certainty: float
    gaps: tuple[str, ...] = ()

    def as_json(self) -> dict[str, Any]:
        """The three by name. Of very many gaps the first, with `…` behind them."""
        more = ["…"] if len(self.gaps) > MAX_GAPS else []
        return {"form": self.form, "certainty": self.certainty, "gaps": [*self.gaps[:MAX_GAPS], *more]}


NONE_FOUND = NumberingSummary("", 0.0)


def runs_of(scan: Scan, numbering: Numbering) -> list[list[NumberCandidate]]:
    """The members, each list of which begins anew: those outside of schedules, if there are any."""
    borders = [border for border in scan.borders if border.place not in numbering.crossed]
    runs: list[list[NumberCandidate]] = []
    is_main: list[bool] = []
    for place, one in numbering.members.items():
        if place in numbering.begins or not runs or _begins_part(runs[-1][-1], one, scan):
            is_main.append(not any(border.division.annex for border in borders if border.place < place))
            runs.append([])
        runs[-1].append(one)
    return list(compress(runs, is_main)) or runs


def _begins_part(last: NumberCandidate, one: NumberCandidate, scan: Scan) -> bool:
    """Whether a number begins with that of its part, which is the next one: 201 behind 104 below `Part 2`."""
    if not _are_beside(last.label, one.label) or len(one.label.key) > 1 or _distance(last.label, one.label) <= _ROOM:
        return False
    before, number = last.label.key[0][0], one.label.key[0][0]
    first, behind = (bisect_left(scan.borders, at, key=lambda border: border.place) for at in (last.place, one.place))
    parts = {division_number(border.division.number) for border in scan.borders[first:behind]}
    return any(
        str(number // size) in parts and number // size - max(before // size, 1) <= 1 and number % size <= 1
        for size in _PART_SIZES
    )


def certainty_of(scan: Scan, numbering: Numbering, gaps: Sequence[NumberGap]) -> float:
    """From the share that the sequence has of all that looks like sections, by points, and from signs of mistakes."""
    members = numbering.members
    taken = sum(max(0.0, one.weight) for one in members.values())
    if not taken:
        return 0.0
    left = [one for one in scan.candidates if one.place not in members and one.weight > 0]
    headed = [one for one in left if one.is_evident and one.ended]
    certainty = taken / (taken + sum(one.weight for one in headed))
    alone = _between(scan.candidates, members)
    if any(one.place in alone for one in headed):
        certainty *= STRAY
    if any(gap.prefix == "" and gap.first <= one.label.key[0][0] <= gap.last for gap in gaps for one in left):
        certainty *= PRINTED_GAP
    elif gaps:
        certainty *= HAS_GAP
    if scan.has_inserted and scan.has_marked:
        certainty *= UNDECIDED
    if len(members) < FEW:
        certainty *= HAS_GAP
    weak = sum(one.weight < WEAK for one in members.values())
    return certainty * (1 - weak / (2 * len(members)))


def _between(candidates: Sequence[NumberCandidate], members: Container[int]) -> set[int]:
    """The places of candidates beside which there are members only."""
    taken = [True, *(one.place in members for one in candidates), True]
    return {one.place for one, before, after in zip(candidates, taken, taken[2:], strict=False) if before and after}


@dataclass
class ReadNumbers:
    """Collects what the stretches of a document show of its numbers."""

    _forms: Counter[tuple[Style, int]] = field(default_factory=Counter)
    _printed: dict[tuple[Style, int], str] = field(default_factory=dict)
    _gaps: list[str] = field(default_factory=list)
    _certainties: list[tuple[int, float]] = field(default_factory=list)  # with the count of numbers

    def add(self, scan: Scan, numbering: Numbering, texts: Sequence[str]) -> None:
        """Note a stretch of lines that were read together."""
        runs = runs_of(scan, numbering)
        for one in chain.from_iterable(runs):
            form = one.label.style, len(one.label.key)
            self._forms[form] += 1
            if form not in self._printed:
                self._printed[form] = as_printed(one.label, texts[one.place])
        gaps = gaps_of([[one.label for one in run] for run in runs], scan.repealed)
        self._gaps.extend(map(str, gaps))
        self._certainties.append((len(numbering.members), certainty_of(scan, numbering, gaps)))

    def summary(self) -> NumberingSummary | None:
        """None of a document without numbers."""
        if not self._forms:
            return None
        usual = max(self._forms, key=lambda form: self._forms[form])
        numbers = sum(count for count, _ in self._certainties)
        certainty = sum(count * share for count, share in self._certainties) / numbers
        return NumberingSummary(self._printed[usual], round(certainty, 2), tuple(self._gaps))


def as_printed(label: SectionNumber, text: str) -> str:
    """The number with the word or sign before it and the sign behind it."""
    at = text.find(label.number)
    if at < 0:
        return label.number
    start = 0 if label.style in (Style.WORD, Style.SQUARE) else at
    end = at + len(label.number)
    return text[start : end + (text[end : end + 1] in (".", ")", "]"))]
