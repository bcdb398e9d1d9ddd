"""Packs lines into chunks: a section whole where it fits, else cut at clauses, lines, sentences, words."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from operator import itemgetter
from typing import TypeVar

from law.chunking.drafts import ChunkDraft
from law.chunking.table_rows import TableRows
from law.patterns import regex
from law.structure.provisions import ALWAYS, BreakQuality, Section, TypedLine


@dataclass(frozen=True, slots=True)
class Sizes:
    """Characters."""

    maximum: int
    target: int
    minimum: int


_SENTENCE_END = regex(r"[.;:!?][\"'“”״׳)\]]{0,3}\s(?=\S)")
_SPACE = regex(r"\s(?=\S)")
_RANK_WEIGHT = 600  # one rank is worth this many characters of distance from the target
_SENTENCE_RANK, _SPACE_RANK = 1.0, 0.0
_MIN_TAIL = 200

_Value = TypeVar("_Value")


def pack(units: Iterable[TypedLine], *, sizes: Sizes) -> Iterator[ChunkDraft]:
    """Chunks in order. Every non-space character of the units is in exactly one, with others of the same days only."""
    buffer = _Buffer(sizes)
    for unit in units:
        if (unit.opens is not None and not (unit.opens.soft and buffer.is_short())) or unit.days != buffer.days:
            yield from buffer.empty()
            buffer.days = unit.days
        buffer.add(unit)
        yield from buffer.overflow()
    yield from buffer.empty()


class _Buffer:
    """Text that has not left yet, with what is known about places in it."""

    def __init__(self, sizes: Sizes) -> None:
        self._sizes = sizes
        self.days = ALWAYS  # of all of the text
        self._text = ""
        self._gap = ""  # what stands between the last chunk and the text
        self._start = 0
        self._cuts: list[tuple[int, BreakQuality]] = []
        self._pages: list[tuple[int, int | None]] = []
        self._sections: list[tuple[int, Section]] = [(0, Section())]
        self._tables = TableRows()

    def is_short(self) -> bool:
        return len(self._text) < self._sizes.minimum

    def add(self, unit: TypedLine) -> None:
        line, cut, opens = unit.line, unit.cut, unit.opens
        if not self._text:
            self._start = line.start
            self._gap += line.joint
        else:
            self._text += line.joint
        at = len(self._text)
        if at and cut and not self._tables.follows_head(line):
            self._cuts.append((at, cut))
        if not self._pages or self._pages[-1][1] != line.page:
            self._pages.append((at, line.page))
        if opens is not None:
            self._sections.append((at, opens))
        self._tables.add(line, at)
        self._text += line.text

    def overflow(self) -> Iterator[ChunkDraft]:
        while len(self._text) > self._sizes.maximum:
            yield from self._take(self._best_cut())

    def empty(self) -> Iterator[ChunkDraft]:
        if self._text:
            yield from self._take(len(self._text))

    def _best_cut(self) -> int:
        sizes, text = self._sizes, self._text
        low = max(1, sizes.minimum)
        high = max(low + 1, min(sizes.maximum, len(text) - _MIN_TAIL))

        def worth(place: int, rank: float) -> float:
            return rank * _RANK_WEIGHT - abs(place - sizes.target)

        best, found = 0, float("-inf")
        for place, cut in self._cuts:
            if low <= place <= high and worth(place, cut) > found:
                best, found = place, worth(place, cut)
        for pattern, rank in ((_SENTENCE_END, _SENTENCE_RANK), (_SPACE, _SPACE_RANK)):
            if best:
                break
            for match in pattern.finditer(text, low, high):
                if worth(match.end(), rank) > found and not self._is_glued(match.end()):
                    best, found = match.end(), worth(match.end(), rank)
        return best or min(sizes.target, high)

    def _is_glued(self, place: int) -> bool:
        return self._text[place - 1] == "\n" and all(at != place for at, _ in self._cuts)

    def _take(self, end: int) -> Iterator[ChunkDraft]:
        piece = self._text[:end]
        if not piece.strip():
            self._gap += piece
        else:
            first, last = self._tables.with_blank_cells(len(piece) - len(piece.lstrip()), len(piece.rstrip()), end)
            section = _at(self._sections, first)
            yield ChunkDraft(
                text=piece[first:last],
                start=self._start + first,
                end=self._start + last,
                page=_at(self._pages, first),
                section=section.number,
                heading=section.heading,
                path=section.path,
                eid=section.provision.eid if section.provision else "",
                gap=self._gap + piece[:first],
                tables=self._tables.parts(first, last),
                days=self.days,
            )
            self._gap = piece[last:]
        self._tables.cut(self._text, end)
        self._text = self._text[end:]
        self._start += end
        self._cuts = [(at - end, cut) for at, cut in self._cuts if at > end]
        self._pages = _shifted(self._pages, end)
        self._sections = _shifted(self._sections, end)


def _at(marks: list[tuple[int, _Value]], place: int) -> _Value:
    """The last value that holds at the place."""
    return marks[max(bisect_right(marks, place, key=itemgetter(0)) - 1, 0)][1]


def _shifted(marks: list[tuple[int, _Value]], by: int) -> list[tuple[int, _Value]]:
    current = _at(marks, by)
    return [(0, current), *((at - by, value) for at, value in marks if at > by)]
