"""Two wordings of a provision, line beside line, with the words that only one of them has."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from enum import StrEnum

from law.comparison.matching import likest
from law.comparison.own_texts import OwnText, paragraphs
from law.comparison.wording import Word

MOST_WORDS = 1_000
"""Of a line, between the first that differs and the last; where either text has more, all of them count as others."""
MOST_LINES = 2_000
_WINDOW = 20  # lines in which that is looked for which took the place of one
_UNLIKE = 0.3  # share of words; of a line that has fewer in common with another, all words are marked
_Span = tuple[int, int]


class Only(StrEnum):
    """Which of the texts has the words."""

    BOTH = "both"
    BEFORE = "before"
    AFTER = "after"


@dataclass(frozen=True, slots=True)
class Run:
    """A stretch of text; `earlier` is it as the earlier text has it, where both do: quotation marks may differ."""

    text: str
    only: Only = Only.BOTH
    earlier: str = ""

    @property
    def words(self) -> str:
        return self.text.rstrip()

    @property
    def gap(self) -> str:
        """The white space behind the words."""
        return self.text[len(self.words) :]


@dataclass(frozen=True, slots=True)
class Row:
    """A line of one text with what the other has in its place, in the order in which it is read."""

    runs: tuple[Run, ...]

    @property
    def same(self) -> bool:
        return all(run.only is Only.BOTH for run in self.runs)

    @property
    def before(self) -> list[Run]:
        return [replace(run, text=run.earlier or run.text) for run in self.runs if run.only is not Only.AFTER]

    @property
    def after(self) -> list[Run]:
        return [run for run in self.runs if run.only is not Only.BEFORE]


def beside(before: str, after: str) -> list[Row]:
    """The lines of both texts in order. The work is bounded, however long they are."""
    left, right = paragraphs(before), paragraphs(after)
    if max(len(left), len(right)) > MOST_LINES:
        return [*_alone(left, Only.BEFORE), *_alone(right, Only.AFTER)]
    blocks = SequenceMatcher(None, [line.body for line in left], [line.body for line in right])
    rows: list[Row] = []
    for tag, start, end, at, to in blocks.get_opcodes():
        if tag == "equal":
            same = zip(left[start:end], right[at:to], strict=True)
            rows += [Row((Run(other.text, earlier=one.text),)) for one, other in same]
        else:
            rows += _replaced(left[start:end], right[at:to])
    return rows


def _replaced(left: Sequence[OwnText], right: Sequence[OwnText]) -> Iterator[Row]:
    """Each line beside the likest of those that may stand in its place, in order."""
    at = 0
    for line in left:
        ahead = right[at : at + _WINDOW]
        alone = len(left) == len(right) == 1  # the one took the place of the other, whatever it says
        place = 0 if alone else likest(line.body, [other.body for other in ahead])
        if place is None:
            yield from _alone([line], Only.BEFORE)
            continue
        yield from _alone(ahead[:place], Only.AFTER)
        if likest(line.body, [ahead[place].body], least=_UNLIKE) is None:
            yield Row((Run(f"{line.text} ", Only.BEFORE), Run(ahead[place].text, Only.AFTER)))
        else:
            yield Row(tuple(_runs(line, ahead[place])))
        at += place + 1
    yield from _alone(right[at:], Only.AFTER)


def _alone(lines: Sequence[OwnText], only: Only) -> Iterator[Row]:
    return (Row((Run(line.text, only),)) for line in lines)


def _runs(one: OwnText, other: OwnText) -> Iterator[Run]:
    for both, before, after in _blocks([word.form for word in one.words], [word.form for word in other.words]):
        if both:
            yield Run(_stretch(other, after), earlier=_stretch(one, before))
            continue
        for text, span, only in ((one, before, Only.BEFORE), (other, after, Only.AFTER)):
            if words := _stretch(text, span):
                yield Run(words, only)


def _stretch(text: OwnText, span: _Span) -> str:
    """The text of some words, up to the next one; of the first, from the beginning of the line."""
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
    if max(ends) - head > MOST_WORDS:
        yield False, (head, ends[0]), (head, ends[1])
    else:
        matcher = SequenceMatcher(None, one[head : ends[0]], other[head : ends[1]])
        for tag, start, end, at, to in matcher.get_opcodes():
            yield tag == "equal", (head + start, head + end), (head + at, head + to)
    if tail:
        yield True, (ends[0], len(one)), (ends[1], len(other))
