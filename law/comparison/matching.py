"""Which text of one document is which of another: first by the same address, then by what they say."""

from bisect import bisect_left
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import chain
from zlib import crc32

import numpy as np

from law.comparison.provision_texts import ProvisionText
from law.words.fingerprints import Fingerprint, similarity

MIN_WORDS = 4  # of a numbered text that is known elsewhere by saying the same: `[Repealed, 2019, c. 2]` is none
MIN_WORDS_MOVED = 8  # different ones, of a text too short for runs that is known elsewhere by saying nearly the same
ALIKE = 0.5  # share of runs of words that two texts have in common, where nothing else says that they are one
UNLIKE = 0.2  # below this, a text with the same number may be another
WORDS_ALIKE = 0.5  # share of words, where one text stands in the place of the other
WORDS_ALIKE_ELSEWHERE = 0.75  # share of different words, where it does not
_WINDOW = 20  # texts that are looked at ahead
_COMMON = 8  # texts; a run of words that more of them have says nothing
_LIKEST = 3  # texts that are held against one

Pairs = dict[int, int]
"""The places of texts in the first document, and of the texts in the second that are the same ones."""


def match(before: Sequence[ProvisionText], after: Sequence[ProvisionText]) -> Pairs:
    """Each text at most once. Work grows with the length of both, not with its square.

    What stands at the old number and only says that it is repealed is looked at last: the text may stand elsewhere.
    """
    matching = _Matching(before, after)
    matching.by_key(lambda one, other: one.text == other.text or one.body == other.body)
    matching.by_body()
    matching.by_key(lambda one, other: one.is_repealed == other.is_repealed and not are_unlike(one, other))
    matching.by_likeness(lambda one: one.fingerprint, least=ALIKE)
    matching.by_place()
    matching.by_likeness(_different_words, least=WORDS_ALIKE_ELSEWHERE)
    matching.by_key(lambda one, other: one.is_repealed == other.is_repealed)
    matching.by_key(lambda one, other: True)
    return matching.pairs


class _Matching:
    def __init__(self, before: Sequence[ProvisionText], after: Sequence[ProvisionText]) -> None:
        self._before, self._after = before, after
        self._by_key = {one.key: place for place, one in enumerate(after) if one.key}
        self._taken: set[int] = set()
        self.pairs: Pairs = {}

    def _pair(self, place: int, other: int) -> None:
        self.pairs[place] = other
        self._taken.add(other)

    def _left(self) -> list[int]:
        return [place for place in range(len(self._before)) if place not in self.pairs]

    def _right(self) -> list[int]:
        return [place for place in range(len(self._after)) if place not in self._taken]

    def by_key(self, agree: Callable[[ProvisionText, ProvisionText], bool]) -> None:
        """Texts with the same address, if they agree."""
        for place in self._left():
            other = self._by_key.get(self._before[place].key)
            if other is not None and other not in self._taken and agree(self._before[place], self._after[other]):
                self._pair(place, other)

    def by_body(self) -> None:
        """Texts that say the same elsewhere, in order."""
        places: dict[tuple[str, ...], list[int]] = defaultdict(list)
        for other in reversed(self._right()):
            places[self._after[other].body].append(other)
        for place in self._left():
            one = self._before[place]
            found = places.get(one.body)
            if found and tells(one):
                self._pair(place, found.pop())

    def by_likeness(self, print_of: Callable[[ProvisionText], Fingerprint], *, least: float) -> None:
        """Texts that say nearly the same elsewhere, the likest first."""
        left, right = self._left(), self._right()
        prints = [print_of(self._before[place]) for place in left]
        others = [print_of(self._after[place]) for place in right]
        holders: dict[int, list[int]] = defaultdict(list)
        for index, runs in enumerate(others):
            for run in runs.tolist():
                holders[run].append(index)
        found: list[tuple[float, int, int]] = []
        for index, runs in enumerate(prints):
            rare = (holders[run] for run in runs.tolist() if 0 < len(holders.get(run, ())) <= _COMMON)
            for holder, _ in Counter(chain.from_iterable(rare)).most_common(_LIKEST):
                likeness = similarity(runs, others[holder])
                found += [(-likeness, index, holder)] if likeness >= least else []
        for _, index, holder in sorted(found):
            if left[index] not in self.pairs and right[holder] not in self._taken:
                self._pair(left[index], right[holder])

    def by_place(self) -> None:
        """Texts that stand between the same neighbours and have many words in common."""
        gaps: dict[int, list[int]] = defaultdict(list)
        behind = -1
        for other in range(len(self._after)):
            if other in self._taken:
                behind = other
            else:
                gaps[behind].append(other)
        behind = -1
        for place in range(len(self._before)):
            if place in self.pairs:
                behind = self.pairs[place]
            elif tells(self._before[place]):
                gap = gaps[behind]
                index = likest(self._before[place].body, [self._after[other].body for other in gap[:_WINDOW]])
                if index is not None:
                    self._pair(place, gap[index])
                    del gap[: index + 1]


def _different_words(one: ProvisionText) -> Fingerprint:
    """The words of a text too short for runs, empty for one that says too little to be known elsewhere."""
    words = {form for form in one.body if form.isalpha()}
    if one.is_repealed or len(one.fingerprint) or len(words) < MIN_WORDS_MOVED:
        return np.empty(0, np.uint32)
    return np.unique(np.array([crc32(form.encode()) for form in words], dtype=np.uint32))


def are_unlike(one: ProvisionText, other: ProvisionText) -> bool:
    """Whether they have next to nothing in common: runs of words, or words where one is too short for those."""
    prints = one.fingerprint, other.fingerprint
    if all(map(len, prints)):
        return similarity(*prints) < UNLIKE
    shorter, longer = sorted((len(one.body), len(other.body)))
    common = (Counter(one.body) & Counter(other.body)).total()
    return common < UNLIKE * min(longer, 2 * shorter)


def likest(words: Sequence[str], others: Sequence[Sequence[str]], *, least: float = WORDS_ALIKE) -> int | None:
    """Which of the texts has the most words in common with these, or None if none has the least share of them."""
    counted = Counter(words)
    shares = [2 * (counted & Counter(other)).total() / max(1, len(words) + len(other)) for other in others]
    best = max(range(len(shares)), key=shares.__getitem__, default=None)
    return best if best is not None and shares[best] >= least else None


def tells(one: ProvisionText) -> bool:
    """Whether it says enough to be known by that. That it is repealed may be said of any."""
    if one.is_repealed:
        return False
    return not one.number or sum(form.isalpha() and len(form) > 1 for form in one.body) >= MIN_WORDS


def in_order(places: Iterable[int]) -> set[int]:
    """The most of these numbers that go up, in linear time times the logarithm: those that did not move."""
    values = np.fromiter(places, dtype=np.int64)
    tails: list[int] = []  # the least last value of an ascending run of each length
    at: list[int] = []  # where in `values` that is
    before = np.full(len(values), -1, dtype=np.int64)
    for index, value in enumerate(values.tolist()):
        length = bisect_left(tails, value)
        before[index] = at[length - 1] if length else -1
        tails[length : length + 1] = [value]
        at[length : length + 1] = [index]
    kept: set[int] = set()
    index = at[-1] if at else -1
    while index >= 0:
        kept.add(int(values[index]))
        index = int(before[index])
    return kept
