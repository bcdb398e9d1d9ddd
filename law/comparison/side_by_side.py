"""Two texts beside each other, line by line or passage by passage, with the words that only one of them has."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from enum import StrEnum
from itertools import groupby, pairwise

from law.comparison.matching import likest
from law.comparison.provision_texts import ProvisionText, paragraphs
from law.comparison.wording import Word
from law.words.analysis import term_offsets, terms

MAX_WORDS = 1_000
"""Of a line, between the first that differs and the last; where either text has more, all of them count as others."""
MAX_LINES = 2_000
_WINDOW = 20  # lines in which that is looked for which took the place of one
_UNLIKE = 0.3  # share of words; of a line that has fewer in common with another, all words are marked
_Span = tuple[int, int]
Block = tuple[str, int, int, int, int]  # as `SequenceMatcher.get_opcodes` gives them


class DiffSide(StrEnum):
    """Which of the texts has the words."""

    BOTH = "both"
    BEFORE = "before"
    AFTER = "after"


@dataclass(frozen=True, slots=True)
class DiffSpan:
    """A stretch of text. `earlier` is it as the earlier text has it, where both do: quotation marks may differ."""

    text: str
    only: DiffSide = DiffSide.BOTH
    earlier: str = ""

    @property
    def words(self) -> str:
        return self.text.rstrip()

    @property
    def gap(self) -> str:
        """The white space behind the words."""
        return self.text[len(self.words) :]


@dataclass(frozen=True, slots=True)
class DiffRow:
    """A line of one text with what the other has in its place, in the order in which it is read."""

    runs: tuple[DiffSpan, ...]

    @property
    def same(self) -> bool:
        return all(run.only is DiffSide.BOTH for run in self.runs)

    @property
    def before(self) -> list[DiffSpan]:
        return [replace(run, text=run.earlier or run.text) for run in self.runs if run.only is not DiffSide.AFTER]

    @property
    def after(self) -> list[DiffSpan]:
        return [run for run in self.runs if run.only is not DiffSide.BEFORE]


def beside(before: str, after: str) -> list[DiffRow]:
    """The lines of both texts in order. The work is bounded, however long they are."""
    left, right = paragraphs(before), paragraphs(after)
    if max(len(left), len(right)) > MAX_LINES:
        return [*_alone(left, DiffSide.BEFORE), *_alone(right, DiffSide.AFTER)]
    blocks = SequenceMatcher(None, [line.body for line in left], [line.body for line in right])
    rows: list[DiffRow] = []
    for tag, start, end, at, to in blocks.get_opcodes():
        if tag == "equal":
            same = zip(left[start:end], right[at:to], strict=True)
            rows += [DiffRow((DiffSpan(other.text, earlier=one.text),)) for one, other in same]
        else:
            rows += _replaced(left[start:end], right[at:to])
    return rows


def _replaced(left: Sequence[ProvisionText], right: Sequence[ProvisionText]) -> Iterator[DiffRow]:
    """Each line beside the likest of those that may stand in its place, in order."""
    at = 0
    for line in left:
        ahead = right[at : at + _WINDOW]
        alone = len(left) == len(right) == 1  # the one took the place of the other, whatever it says
        place = 0 if alone else likest(line.body, [other.body for other in ahead])
        if place is None:
            yield from _alone([line], DiffSide.BEFORE)
            continue
        yield from _alone(ahead[:place], DiffSide.AFTER)
        if likest(line.body, [ahead[place].body], least=_UNLIKE) is None:
            yield DiffRow((DiffSpan(f"{line.text} ", DiffSide.BEFORE), DiffSpan(ahead[place].text, DiffSide.AFTER)))
        else:
            yield DiffRow(tuple(_runs(line, ahead[place])))
        at += place + 1
    yield from _alone(right[at:], DiffSide.AFTER)


def _alone(lines: Sequence[ProvisionText], only: DiffSide) -> Iterator[DiffRow]:
    return (DiffRow((DiffSpan(line.text, only),)) for line in lines)


def _runs(one: ProvisionText, other: ProvisionText) -> Iterator[DiffSpan]:
    for both, before, after in _blocks([word.form for word in one.words], [word.form for word in other.words]):
        if both:
            yield DiffSpan(_stretch(other, after), earlier=_stretch(one, before))
            continue
        for text, span, only in ((one, before, DiffSide.BEFORE), (other, after, DiffSide.AFTER)):
            if words := _stretch(text, span):
                yield DiffSpan(words, only)


def _stretch(text: ProvisionText, span: _Span) -> str:
    """The text of some words, up to the next one. Of the first, from the beginning of the line."""
    first, last = span
    if first == last:
        return ""
    words: list[Word] = text.words
    start = words[first].start if first else 0
    return text.text[start : words[last].start if last < len(words) else len(text.text)]


def _blocks(one: Sequence[str], other: Sequence[str]) -> Iterator[tuple[bool, _Span, _Span]]:
    """The words in order: whether both texts have them, and where they are in each."""
    shorter = min(len(one), len(other))
    head = next((place for place in range(shorter) if one[place] != other[place]), shorter)
    tail = next((place for place in range(shorter - head) if one[-1 - place] != other[-1 - place]), shorter - head)
    ends = len(one) - tail, len(other) - tail
    if head:
        yield True, (0, head), (0, head)
    if max(ends) - head > MAX_WORDS:
        yield False, (head, ends[0]), (head, ends[1])
    else:
        matcher = SequenceMatcher(None, one[head : ends[0]], other[head : ends[1]])
        for tag, start, end, at, to in matcher.get_opcodes():
            yield tag == "equal", (head + start, head + end), (head + at, head + to)
    if tail:
        yield True, (ends[0], len(one)), (ends[1], len(other))


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
