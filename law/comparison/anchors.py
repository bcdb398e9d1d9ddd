"""Words that somebody pointed at, found again in the same text or in another one.

An anchor is a TextQuoteSelector of the W3C's Web Annotation model: the words, and what stands before and behind them.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from law.comparison.wording import Word, normal_forms, words

KEPT_AROUND = 64  # characters before and behind
_LOOKED_AT = 2 * KEPT_AROUND  # characters around a place that are held against those
_MAX_PLACES = 1_000


@dataclass(frozen=True, slots=True)
class Anchor:
    exact: str
    prefix: str = ""
    suffix: str = ""

    @classmethod
    def at(cls, text: str, start: int, end: int) -> "Anchor":
        """The anchor of characters of a text."""
        return cls(text[start:end], text[max(start - KEPT_AROUND, 0) : start], text[end : end + KEPT_AROUND])

    @property
    def words(self) -> list[Word]:
        """The words and signs of `exact`, by its characters, read with what is around it."""
        start = len(self.prefix)
        return [
            Word(one.form, one.start - start, one.end - start)
            for one in words(self.prefix + self.exact + self.suffix)
            if one.start >= start and one.end <= start + len(self.exact)
        ]


class Place(NamedTuple):
    """Characters of a text. `agreeing` is how many words around them are those around the anchor."""

    start: int
    end: int
    agreeing: int = 0


def literal_places(text: str, anchor: Anchor) -> list[Place]:
    """Where the characters stand, whatever white space is between them, each widened to whole words."""
    pattern = r"\s+".join(map(re.escape, anchor.exact.split()))
    spans = (found.span() for found in re.finditer(pattern, text)) if pattern else iter(())
    return _places(text, anchor, filter(None, (_whole_words(text, *span) for span in spans)))


def worded_places(text: str, anchor: Anchor, forms: Sequence[str], found: Sequence[Word]) -> list[Place]:
    """Where words of a text, those that are `found` in it, say the same as the `forms` of an anchor's words."""
    return _places(text, anchor, _spans(forms, found))


def best(places: Sequence[Place], *, near: int | None = None) -> Place | None:
    """The place around which most words agree. Of several the one nearest to a character, or else the first."""
    return max(places, key=lambda one: (one.agreeing, -abs(one.start - (near or 0))), default=None)


def are_alike(places: Sequence[Place]) -> bool:
    """Whether nothing tells the best of several places from another."""
    agreeing = sorted((one.agreeing for one in places), reverse=True)
    return len(agreeing) > 1 and agreeing[0] == agreeing[1]


def _spans(forms: Sequence[str], found: Sequence[Word]) -> Iterator[tuple[int, int]]:
    length = len(forms)
    for at in range(len(found) - length + 1 if length else 0):
        if found[at].form == forms[0] and all(found[at + n].form == forms[n] for n in range(1, length)):
            yield found[at].start, found[at + length - 1].end


def _places(text: str, anchor: Anchor, spans: Iterator[tuple[int, int]]) -> list[Place]:
    before, behind = normal_forms(anchor.prefix)[::-1], normal_forms(anchor.suffix)
    found = []
    for start, end in spans:
        agreeing = _same(before, normal_forms(text[max(start - _LOOKED_AT, 0) : start])[::-1])
        agreeing += _same(behind, normal_forms(text[end : end + _LOOKED_AT]))
        found.append(Place(start, end, agreeing))
        if len(found) == _MAX_PLACES:
            break
    return found


def _same(one: Sequence[str], other: Sequence[str]) -> int:
    """How many words are the same from the beginning."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))


def _whole_words(text: str, start: int, end: int) -> tuple[int, int] | None:
    """The characters of all words that are at least partly between two characters. None where there is no word."""
    first = text.rfind("\n", 0, start) + 1
    last = text.find("\n", end)
    inside = [
        one
        for one in words(text[first : None if last < 0 else last])
        if one.start + first < end > start < one.end + first
    ]
    return (inside[0].start + first, inside[-1].end + first) if inside else None
