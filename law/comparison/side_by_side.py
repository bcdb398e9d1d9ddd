"""Two wordings of a provision, line beside line, with the words that only one of them has."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from difflib import SequenceMatcher
from enum import StrEnum

from law.comparison.matching import likest
from law.comparison.provision_texts import ProvisionText, paragraphs
from law.comparison.wording import Word

MAX_WORDS = 1_000
"""Of a line, between the first that differs and the last; where either text has more, all of them count as others."""
MAX_LINES = 2_000
_WINDOW = 20  # lines in which that is looked for which took the place of one
_UNLIKE = 0.3  # share of words; of a line that has fewer in common with another, all words are marked
_Span = tuple[int, int]


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
