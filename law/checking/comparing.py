"""Whether a text has the words of a quotation, and which words differ."""

import re
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from functools import cached_property
from itertools import accumulate

from law.checking.quantities import are_same_number, is_grave, is_number, quantities
from law.comparison.wording import Word, words
from law.languages import LANGUAGES
from law.languages.scripts import are_prefixes, either
from law.patterns import regex

MIN_WORDS = 5  # of a quotation whose absence says anything
MIN_ALMOST = 4  # words of a shorter one, of which the text has all but one in a row
MIN_NUMBERED = 3  # of one, where that is a number
MIN_SHARED = 0.6  # of its words, in their order, for a text to be what it quotes
MIN_RUN = 3  # words of them in a row
MAX_INSERTED = 12  # words of the law in place of words in square brackets
_WORDS_OF_TWO = 3  # a quantity in one word and another one in two
_START: int | None = 0

# `…`, `...`, `[...]`, `(…)`: words are left out. `[the landlord]`: others stand in their place. `[sic]` is neither.
_ELLIPSIS = regex(r"[\[(]\s*(?:\.\s?\.\s?\.+|…|---)\s*[\])]|…|(?:\.\s?){3,}")
_BRACKETED = regex(r"\[[^\]\n]{1,200}\]")
_ALTERED = regex(r"\[([^\W\d_]{1,3})\](?=[^\W\d_])")  # `[t]he`
_CUT = regex(r"(?<=[^\W\d_])\[[^\W\d_]{0,4}\]")  # `landlord[s]`
_AND = either(language.citations.and_words for language in LANGUAGES)
_LINE_MARK = regex(rf"(?:^|(?<=[;:,\n—–])(?:\s+{_AND})?)[ \t]*(\(\w{{1,5}}\))", re.MULTILINE | re.IGNORECASE)
_LISTED = regex(r"\(\w{1,5}\)")


class Wording(StrEnum):
    """How a text has the words of a quotation."""

    VERBATIM = "verbatim"
    DIFFERS = "differs"
    ELSEWHERE = "elsewhere"  # it has not enough of them
    TOO_SHORT = "too_short_to_tell"


@dataclass(frozen=True, slots=True)
class Comparison:
    """`differs` are characters of the quotation whose words the text has not, or beside which it has others.

    `start` and `end` are the characters of the text that it was held against.
    """

    wording: Wording
    start: int = 0
    end: int = 0
    differs: tuple[tuple[int, int], ...] = ()
    severe: bool = False
    share: float = 0.0


@dataclass(frozen=True, slots=True)
class _Part:
    """Words of a quotation that stand in a row. `gap` is how many words may stand before them, None for any."""

    words: tuple[Word, ...]
    gap: int | None


class QuotedWords:
    """A quotation as it is compared: without what it leaves out or alters, as quotations may.

    `text` is as long as it was, so places of words in it are those in the quotation.
    """

    def __init__(self, quotation: str) -> None:
        self.text = _ALTERED.sub(lambda one: f"  {one[1]}", _CUT.sub(lambda cut: " " * len(cut[0]), quotation))
        self.parts = tuple(_parts(self.text))
        self.words = tuple(word for part in self.parts for word in part.words)

    @property
    def is_short(self) -> bool:
        return sum(any(map(str.isalpha, word.form)) for word in self.words) < MIN_WORDS


def _parts(quotation: str) -> Iterator[_Part]:
    """The stretches between ellipses and bracketed words."""
    cuts: list[tuple[int, int, int | None]] = [(*cut.span(), None) for cut in _ELLIPSIS.finditer(quotation)]
    taken = [range(start, end) for start, end, _ in cuts]
    for one in _BRACKETED.finditer(quotation):
        if not any(one.start() in each for each in taken):
            cuts.append((*one.span(), MAX_INSERTED))
    cuts.sort(key=lambda cut: cut[0])
    at, gap = 0, _START
    for start, end, follows in [*cuts, (len(quotation), len(quotation), 0)]:
        found = _compared(quotation[at:start], offset=at)
        if found:
            yield _Part(tuple(found), gap)
            gap = follows
        elif follows is None or (gap is not None and follows > gap):
            gap = follows
        at = end


def _compared(text: str, *, offset: int = 0) -> list[Word]:
    """The words of a text without signs, in small letters. A mark at the beginning of a line is none."""
    marks = {found.start(1) for found in _LINE_MARK.finditer(text)}
    kept = []
    for word in words(text):
        form = word.form.casefold()
        if not (form[0].isalnum() or any(map(str.isalnum, form))) or (word.start in marks and _LISTED.fullmatch(form)):
            continue
        kept.append(Word(form, word.start + offset, word.end + offset))
    return kept


class ComparedText:
    """A text that quotations are held against."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def words(self) -> list[Word]:
        return _compared(self.text)

    @cached_property
    def _joined(self) -> str:
        return "".join(f" {word.form}" for word in self.words) + " "

    @cached_property
    def _starts(self) -> list[int]:
        return list(accumulate((len(word.form) + 1 for word in self.words), initial=0))

    def compare(self, quoted: QuotedWords) -> Comparison:
        """Whether the text has the quotation's words, in the place where it has the most of them."""
        if not quoted.words:
            return Comparison(Wording.TOO_SHORT)
        if span := self.find(quoted):
            return Comparison(Wording.VERBATIM, *span, share=1.0)
        return self._all_but_one(quoted) if quoted.is_short else self._nearest(quoted)

    def find(self, quoted: QuotedWords) -> tuple[int, int] | None:
        """The first characters in which all the words stand as quoted."""
        return next(self.each(quoted), None)

    def each(self, quoted: QuotedWords) -> Iterator[tuple[int, int]]:
        """All characters in which the words stand so."""
        if not quoted.parts:
            return
        first, *others = quoted.parts
        for start in self._occurrences(first.words, loose=True):
            if end := self._behind(others, start + len(first.words)):
                yield self.words[start].start, self.words[end - 1].end

    def _behind(self, parts: Sequence[_Part], at: int) -> int:
        """Behind which word the further parts end, the first of which stands from a word on, or 0."""
        for part in parts:
            latest = None if part.gap is None else at + part.gap
            found = next(self._occurrences(part.words, first=at), None)
            if found is None or (latest is not None and found > latest):
                return 0
            at = found + len(part.words)
        return at

    def _occurrences(self, wanted: Sequence[Word], *, first: int = 0, loose: bool = False) -> Iterator[int]:
        """At which words the wanted ones begin in a row. `loose`: their first may lack letters joined to it."""
        sought = " ".join(word.form for word in wanted) + " "
        at = self._starts[first] if first < len(self._starts) else len(self._joined)
        while (at := self._joined.find(sought, at)) >= 0:
            word = bisect_right(self._starts, at) - 1
            left_out = self._joined[self._starts[word] + 1 : at] if at > self._starts[word] else ""
            if not left_out or (loose and are_prefixes(left_out)):
                yield word
            at += 1

    def _all_but_one(self, quoted: QuotedWords) -> Comparison:
        """A short quotation whose words stand in a row, but for one: of a very short one, another number."""
        size = len(quoted.words)
        wanted = [word.form for word in quoted.words]
        there = [word.form for word in self.words] if len(quoted.parts) == 1 and size >= MIN_NUMBERED else []
        found: Comparison | None = None
        for at in range(len(there) - size + 1):
            others = [place for place, form in enumerate(wanted) if there[at + place] != form]
            if len(others) != 1:
                continue
            one, other = wanted[others[0]], there[at + others[0]]
            if are_same_number(one, other):
                return Comparison(Wording.TOO_SHORT)
            grave = is_grave([one], [other])
            if (found and (found.severe or not grave)) or (
                size < MIN_ALMOST and not (is_number(one) and is_number(other))
            ):
                continue
            differing, (first, last) = quoted.words[others[0]], (self.words[at], self.words[at + size - 1])
            spans, share = ((differing.start, differing.end),), 1 - 1 / size
            found = Comparison(Wording.DIFFERS, first.start, last.end, spans, severe=grave, share=share)
        return found or self._all_but_a_quantity(quoted, there)

    def _all_but_a_quantity(self, quoted: QuotedWords, there: Sequence[str]) -> Comparison:
        """A short quotation with another quantity in more words or fewer: `שלוש שנים` for `שנתיים`."""
        wanted = [word.form for word in quoted.words]
        for size in (len(wanted) - 1, len(wanted) + 1):
            for at in range(len(there) - size + 1):
                window = there[at : at + size]
                before = _in_common(wanted, window)
                behind = _in_common(wanted[:before:-1], window[:before:-1])
                parts = (wanted[before : len(wanted) - behind], window[before : size - behind])
                if sum(map(len, parts)) != _WORDS_OF_TWO:
                    continue
                said, told = (list(quantities(" ".join(part))) for part in parts)
                if len(said) == len(told) == 1:
                    if said[0].measure != told[0].measure or said[0].value == told[0].value:
                        return Comparison(Wording.TOO_SHORT)
                    span = quoted.words[before].start, quoted.words[len(wanted) - behind - 1].end
                    first, last = self.words[at], self.words[at + size - 1]
                    return Comparison(Wording.DIFFERS, first.start, last.end, (span,), severe=True, share=1 - 1 / size)
        return Comparison(Wording.TOO_SHORT)

    def _nearest(self, quoted: QuotedWords) -> Comparison:
        wanted = [word.form for word in quoted.words]
        start, end = self._window(wanted)
        window = self.words[start:end]
        matcher = SequenceMatcher(None, wanted, [word.form for word in window], autojunk=False)
        blocks = [block for block in matcher.get_matching_blocks() if block.size]
        shared = sum(block.size for block in blocks)
        share = shared / len(wanted)
        if share < MIN_SHARED or max(block.size for block in blocks) < MIN_RUN:
            return Comparison(Wording.ELSEWHERE, share=share)
        first, last = blocks[0], blocks[-1]
        # Beyond the first and the last shared word the text goes on: that is no difference.
        begin = max(first.b - first.a, 0)
        stop = min(last.b + last.size + len(wanted) - last.a - last.size, len(window))
        differs, grave = _differences(quoted, window[begin:stop])
        return Comparison(
            Wording.DIFFERS, window[begin].start, window[stop - 1].end, tuple(differs), severe=grave, share=share
        )

    def _window(self, wanted: Sequence[str]) -> tuple[int, int]:
        """The stretch, somewhat longer than the quotation, that has the most of its words."""
        size = len(wanted)
        missing = Counter(wanted)
        shared = best = place = 0
        for at, word in enumerate(self.words):
            shared += missing[word.form] > 0
            missing[word.form] -= 1
            if at >= size:
                gone = self.words[at - size].form
                missing[gone] += 1
                shared -= missing[gone] > 0
            if shared > best:
                best, place = shared, at
        margin = max(size // 3, 4)
        return max(place - size + 1 - margin, 0), min(place + 1 + margin, len(self.words))


def _in_common(words: Sequence[str], others: Sequence[str]) -> int:
    """How many words both begin with."""
    pairs = enumerate(zip(words, others, strict=False))
    return next((place for place, (one, other) in pairs if one != other), min(len(words), len(others)))


def _differences(quoted: QuotedWords, window: Sequence[Word]) -> tuple[list[tuple[int, int]], bool]:
    """The characters of the quotation that differ, and whether one of the differences changes what the law says."""
    starts = set(accumulate((len(part.words) for part in quoted.parts), initial=0))
    wanted = [word.form for word in quoted.words]
    there = [word.form for word in window]
    spans, grave = [], False
    for tag, one, end, at, to in SequenceMatcher(None, wanted, there, autojunk=False).get_opcodes():
        if tag == "equal" or (tag == "insert" and one in starts):  # what an ellipsis leaves out
            continue
        beside = quoted.words[one:end] or quoted.words[max(one - 1, 0) : one + 1]
        spans.append((beside[0].start, beside[-1].end))
        grave = grave or is_grave(wanted[one:end], there[at:to])
    return spans, grave
