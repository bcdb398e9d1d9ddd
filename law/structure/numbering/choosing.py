"""Which numbers are sections: of all sequences of candidates, the one that explains the document best.

A sequence is worth what its members are (`law.structure.numbering.candidates`), less what each step costs: none where
the next number follows, little where sections are missing, more where numbers begin anew. The best one is found as the
longest path is: member by member, with the best path to each.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import takewhile
from typing import NamedTuple

from law.structure.lines.headings import HeadingDivision
from law.structure.lines.number_keys import FRACTION_DIGITS, ONE, Key, PathTree, Style, as_fraction, is_below, step
from law.structure.lines.numbers import begins_sentence
from law.structure.numbering.candidates import FORM, NumberCandidate, Scan

# Costs, in points
GAP, MAX_GAP = 0.25, 2.0  # for each number that is missing, and for many
UNSURE_GAP = 4  # numbers that may be missing before one without a heading
FAR, DEEP_FAR = 400, 30
AGAIN = 0.5  # a section printed twice, as it reads on different days
ACROSS = 1.5  # the numbers go on behind what looks like a schedule
NEW_CHAPTER = 1.5  # numbers begin anew with a chapter, which is rare, where those of a schedule always do
NEAR, NAMED_CHAPTER = 2, 0.5  # the same where a `Section 1` stands within so many lines below it
OTHER_FORM = 4.0  # and are printed in another form
MIN_WEIGHT = -2.0  # candidates of so few points are members of no sequence
FIRST, LONG_LIST = 3, 6  # a sequence begins with one of these, a list of so many is long
START_PENALTY, MAX_START_PENALTY = 0.3, 3.0  # for each number before the first, and for many
START = {Style.WORD: 0.5, Style.NUMBER: 0.0, Style.SQUARE: 1.5, Style.BARE: 2.0, Style.BRACKET: 0.5}
MAX_DISPLACEMENT = 2  # places
_TENTH = 10 ** (FRACTION_DIGITS - 3)  # the least that a fraction of three digits is as a component
_TEN, _FIVE = 10, 5


class _Path(NamedTuple):
    """The best path to a candidate: its worth in all, the member before it, and whether numbers begin anew with it."""

    worth: float
    before: int | None
    begins: bool


@dataclass(slots=True)
class Numbering:
    """The members of the best sequence, by the places of their lines."""

    members: dict[int, NumberCandidate] = field(default_factory=dict)
    begins: set[int] = field(default_factory=set)  # places where numbers begin
    worth: float = 0.0
    crossed: set[int] = field(default_factory=set)  # places of borders across which the numbers go on

    def divisions(self, scan: Scan) -> dict[int, HeadingDivision]:
        """The chapters and schedules by the places of their lines, without names of schedules amid the sections."""
        return {
            border.place: border.division
            for border in scan.borders
            if not (border.division.annex and border.place in self.crossed)
        }


def find_numbering(scan: Scan) -> Numbering:
    """The sequence that explains the document best, an empty one where none is worth anything.

    Where 11.1 stands between 11.09 and 11.11, numbers are read as fractions, unless fewer of them are in order so.
    """
    readings = [scan]
    if (inserted := _with_insertions(scan.candidates)) != scan.candidates:
        readings.append(replace(scan, candidates=inserted))
    found = _best_of(readings, _ordered)
    if any(as_fraction(one.label.number, one.label.key) for one in scan.candidates):
        fractions = _best_of(readings, _ordered_as_fractions)
        if fractions.worth > found.worth and len(fractions.members) >= len(found.members):
            return fractions
    return found


def _best_of(readings: Sequence[Scan], ordered: Callable[[NumberCandidate], Key]) -> Numbering:
    return max((_Search(reading, ordered).best() for reading in readings), key=lambda numbering: numbering.worth)


def _with_insertions(candidates: Sequence[NumberCandidate]) -> list[NumberCandidate]:
    """`3.1 (1) The keeper` between `3 The keeper must` and `4`, is of the form of these."""
    read: list[NumberCandidate] = []
    last: Key = ()
    for one in candidates:
        label = one.label
        if label.style is Style.BARE:
            last = () if one.is_headed and not begins_sentence(label.rest) else label.key
        elif last and label.style is Style.NUMBER and len(label.key) == len(last) + 1 and is_below(last, label.key):
            weight = one.weight + FORM[Style.BARE] - FORM[Style.NUMBER]
            one = replace(one, label=replace(label, style=Style.BARE), weight=weight)
        read.append(one)
    return read


def _ordered(one: NumberCandidate) -> Key:
    prefix = one.label.prefix
    return ((ord(prefix), 0, 0), *one.label.key) if prefix else one.label.key


def _ordered_as_fractions(one: NumberCandidate) -> Key:
    return as_fraction(one.label.number, one.label.key) or _ordered(one)


class _Search:
    """Goes through the candidates once, and keeps the best path to each."""

    def __init__(self, scan: Scan, ordered: Callable[[NumberCandidate], Key]) -> None:
        self._candidates, self._borders, self._repealed = scan.candidates, scan.borders, scan.repealed
        self._ordered = ordered
        self._paths: list[_Path | None] = []
        self._trees: dict[str, PathTree] = {}
        self._best: list[tuple[float, int | None]] = [(0.0, None)]  # of all paths to the first candidates
        self._passed = 0  # borders
        self._annex = -1  # the place of the last schedule
        self._since = 0  # candidates before the last border
        self._forms: set[str] = set()  # of the candidates behind it
        self._list = -1  # the first of the candidates 1, 2, 3 right behind one another that this is the next of

    def best(self) -> Numbering:
        for index, one in enumerate(self._candidates):
            self._pass_borders(index, one)
            self._follow_list(index, one)
            tree = self._trees.setdefault(one.label.form, PathTree())
            path = self._path_to(one, tree)
            self._paths.append(path)
            self._forms.add(one.label.form)
            last = self._best[-1]
            if path is not None:
                tree.add(self._ordered(one), path.worth, index)
            self._best.append((path.worth, index) if path and path.worth > last[0] else last)
        return self._walked_back()

    def _pass_borders(self, index: int, one: NumberCandidate) -> None:
        while self._passed < len(self._borders) and self._borders[self._passed].place < one.place:
            if (division := self._borders[self._passed].division).annex and not division.is_weak:
                self._annex = self._borders[self._passed].place
            self._passed += 1
            self._since, self._forms = index, set()

    def _follow_list(self, index: int, one: NumberCandidate) -> None:
        before = self._candidates[index - 1].label if index else None
        goes_on = before and before.form == one.label.form and step(before.key, one.label.key) == 1
        if not goes_on:
            self._list = index if one.label.key == ONE else -1

    def _is_of_list(self, index: int, before: int) -> bool:
        """Whether it goes on with a long list in the section of that candidate, `14.` behind the `13.` of a list."""
        if self._list <= before or index - self._list < LONG_LIST:
            return False
        one = self._candidates[index]
        return bool(one.label.rest) and not one.is_headed

    def _path_to(self, one: NumberCandidate, tree: PathTree) -> _Path | None:
        weight, key = one.weight, self._ordered(one)
        if weight <= MIN_WEIGHT:
            return None
        best = self._restart(one)
        for worth, before in tree.before(key):
            last = self._candidates[before]
            if self._is_of_list(len(self._paths), before):
                continue
            total = worth + weight - (ACROSS if last.place < self._annex else 0.0)
            if best is not None and total <= best.worth:
                continue
            cost = _step_cost(self._ordered(last), key, one, self._repealed)
            if cost is not None and (best is None or total - cost > best.worth):
                best = _Path(total - cost, before, False)
        same = tree.same(key)
        if same and len(key) == 1 and one.ended and one.is_headed and self._candidates[same[1]].is_headed:
            total = same[0] + weight - AGAIN
            if best is None or total > best.worth:
                best = _Path(total, same[1], False)
        return best

    def _restart(self, one: NumberCandidate) -> _Path | None:
        """The path that begins with this candidate: the document's first, or the first of its form behind a border."""
        if one.label.behind and one.label.key != ONE:
            return None
        number = one.label.key[0][0]
        border = self._borders[self._passed - 1] if self._passed and one.label.form not in self._forms else None
        worth, last = self._best[self._since] if border else (0.0, None)
        is_extract = one.is_evident and last is None  # of an act: it begins anywhere
        late = min(MAX_START_PENALTY / 2 if is_extract else MAX_START_PENALTY, START_PENALTY * max(0, number - FIRST))
        first = _Path(one.weight - START[one.label.style] - late, None, True)
        if border is None or last is None or (border.division.is_weak and number != 1):
            return first
        named = border.division.number == str(number)  # A8.1 below Appendix 8
        same_form = self._candidates[last].label.form == one.label.form
        cost = (0.0 if named else late) + (0.0 if same_form else START[one.label.style])
        if not border.division.annex and self._annex < 0:
            if not (named or number == 1):
                return first
            is_plain = one.label.style is Style.WORD and one.place - border.place <= NEAR
            cost += NAMED_CHAPTER if is_plain and same_form else NEW_CHAPTER if same_form else NEW_CHAPTER + OTHER_FORM
        return max(first, _Path(worth + one.weight - cost, last, True), key=lambda path: path.worth)

    def _walked_back(self) -> Numbering:
        worth, index = self._best[-1]
        found = Numbering(worth=worth)
        places = [border.place for border in self._borders]
        while index is not None and (path := self._paths[index]) is not None:
            one = self._candidates[index]
            found.members[one.place] = one
            if path.begins:
                found.begins.add(one.place)
            elif path.before is not None:
                start = self._candidates[path.before].place
                found.crossed.update(places[bisect_left(places, start) : bisect_left(places, one.place)])
            index = path.before
        for one in _before_first(self._candidates, found):
            found.begins = {one.place, *found.begins} - {min(found.members)}
            found.members[one.place] = one
        for one in _out_of_order(self._candidates, found):
            found.members[one.place] = one
        found.members = dict(sorted(found.members.items()))
        return found


def _step_cost(last: Key, key: Key, one: NumberCandidate, repealed: Collection[str]) -> float | None:
    """What the step to the next member costs, or None where it cannot be the next."""
    if (len(key) == 2 and key[1][0] >= _TENTH) or one.label.has_decimals:
        whole = key[:-1]
        if last[: len(whole)] == whole:
            return 0.0 if last < key else None
        distance = step(last, whole)
    else:
        distance = _distance(last, key)
    if not distance:
        return _back_cost(last, key, one)
    if repealed and distance > 1 and len(last) == len(key) == 1:
        distance = max(1, distance - sum(str(number) in repealed for number in range(last[0][0] + 1, key[0][0])))
    if distance > _farthest(key, one):
        return None
    return 0.0 if distance == 1 else min(MAX_GAP, GAP * distance)


def _back_cost(last: Key, key: Key, one: NumberCandidate) -> float | None:
    """The same of a number that does not go on from the last."""
    if "-" in one.label.number and is_below(last, key):
        return 0.0  # 12-99.1 behind 12-99
    # Numbers below one that is not there may begin with a high one: 1754.5 behind 1753.
    may_skip = len(key) > 1 and (len(last) == len(key) or not one.label.rest or one.label.style is Style.WORD)
    return MAX_GAP if last < key and one.is_evident and one.ended and may_skip else None


def _farthest(key: Key, one: NumberCandidate) -> int:
    """How far a number may be from the last."""
    if one.label.behind:
        return 1
    if one.is_evident and one.ended:
        return FAR
    return UNSURE_GAP if len(key) == 1 else DEEP_FAR


def _distance(last: Key, key: Key) -> int:
    """Codes leave room: 19.65.020 is the next after 19.65.010, and 19.65.015 between them."""
    distance = step(last, key)
    is_beside = len(last) == len(key) > 1 and last[:-1] == key[:-1]
    by_tens = is_beside and not (last[-1][0] % _TEN or key[-1][0] % _TEN)
    by_fives = is_beside and len(key) > 2 and not (last[-1][0] % _FIVE or key[-1][0] % _FIVE)
    return distance // _TEN if by_tens else distance // _FIVE if by_fives else distance


def _before_first(candidates: Sequence[NumberCandidate], found: Numbering) -> list[NumberCandidate]:
    """`1.` and `2.` before a first member of number 3, where little else speaks for them, the last of them first."""
    first = found.members.get(min(found.members, default=-1))
    before: list[NumberCandidate] = []
    for one in reversed(candidates):
        if first is None or first.label.key == ONE:
            break
        is_next = one.place < first.place and step(one.label.key, first.label.key) == 1
        if is_next and one.label.form == first.label.form and one.weight > MIN_WEIGHT and len(one.label.key) == 1:
            before.append(one)
            first = one
    return before if first is not None and first.label.key == ONE else []


def _out_of_order(candidates: Sequence[NumberCandidate], found: Numbering) -> Iterator[NumberCandidate]:
    """Sections with headings that are printed a few places from where their number belongs."""
    places = sorted(found.members)
    keys = {member.label.key for member in found.members.values()}
    for one in candidates:
        if one.place in found.members or one.label.key in keys or not (one.is_headed and one.ended):
            continue
        at = bisect_left(places, one.place)
        ahead = takewhile(lambda place: place not in found.begins, places[at : at + MAX_DISPLACEMENT])
        near = [found.members[place].label for place in (*places[max(0, at - MAX_DISPLACEMENT) : at], *ahead)]
        same = [label.key for label in near if label.form == one.label.form and len(label.key) == len(one.label.key)]
        if any(step(key, one.label.key) == 1 or step(one.label.key, key) == 1 for key in same):
            keys.add(one.label.key)
            yield one
