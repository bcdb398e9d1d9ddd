"""Two texts side by side, passage by passage, with the words that only one of them has."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from itertools import groupby, pairwise

from law.words.analysis import term_offsets, terms

Block = tuple[str, int, int, int, int]  # as `SequenceMatcher.get_opcodes` gives them


@dataclass(frozen=True, slots=True)
class WordSpan:
    """A stretch of text. `alone` when the other text does not have its words."""

    text: str
    alone: bool


@dataclass(frozen=True, slots=True)
class AlignedParagraph:
    """A paragraph of the first text beside what the second has in its place."""

    left: tuple[WordSpan, ...]
    right: tuple[WordSpan, ...]

    @property
    def same(self) -> bool:
        """Whether both have the same words."""
        return not any(run.alone for run in (*self.left, *self.right))


def side_by_side(one: str, other: str, *, cut: bool = False) -> list[AlignedParagraph]:
    """The first text's paragraphs beside what the second one has in their place. Marks, quotes and space do not count.

    With `cut`, one of the texts goes on: what follows the last words that both have is left out.
    """
    left, right = _Words(one), _Words(other)
    blocks = SequenceMatcher(None, left.words, right.words).get_opcodes()
    for tag, start, end, at, to in blocks:
        left.shared[start:end] = [tag == "equal"] * (end - start)
        right.shared[at:to] = [tag == "equal"] * (to - at)
    ends = (len(left.words), len(right.words))
    if cut and any(left.shared):
        ends = next((end, to) for tag, _, end, _, to in reversed(blocks) if tag == "equal")
    places = [(start, _beside(start, blocks)) for start in left.paragraphs() if start < ends[0]]
    places = [(0, 0), *places[1:], ends]
    passages = [AlignedParagraph(left.runs(i, k), right.runs(j, m)) for (i, j), (k, m) in pairwise(places)]
    return [passage for passage in passages if passage.left or passage.right]


def _beside(word: int, blocks: Sequence[Block]) -> int:
    """Where in the second text stands what a word of the first is beside."""
    _, start, _, at, to = next(block for block in blocks if block[1] <= word < block[2])
    return min(at + word - start, to)


class _Words:
    """The words of a text, and which of them the other text has in the same place."""

    def __init__(self, text: str) -> None:
        self._text = text
        self.words = [term.word for term in terms(text)]
        self.shared = [False] * len(self.words)
        self._spans = [*term_offsets(text), (len(text), len(text))]

    def paragraphs(self) -> list[int]:
        """The words with which paragraphs begin."""
        breaks = [place for place, char in enumerate(self._text) if char == "\n"]
        starts = [start for start, _ in self._spans]
        return sorted({0, *(bisect_left(starts, place) for place in breaks)} - {len(self.words)})

    def runs(self, first: int, last: int) -> tuple[WordSpan, ...]:
        """The text from one word up to another. The marks behind words that stand alone are not theirs."""
        runs = []
        for shared, group in groupby(range(first, last), key=self.shared.__getitem__):
            words = list(group)
            start, end, goes_on = self._spans[words[0]][0], self._spans[words[-1]][1], self._spans[words[-1] + 1][0]
            runs += [WordSpan(self._text[start : goes_on if shared else end], not shared)]
            runs += [] if shared else [WordSpan(self._text[end:goes_on], False)]
        return tuple(runs)
