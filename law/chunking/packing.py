"""Packs lines into chunks: a section whole where it fits, else cut at clauses, lines, sentences, words."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple, TypeVar

from law.patterns import regex
from law.structure.lines.document_lines import DocumentLine
from law.structure.provisions import ALWAYS, BreakQuality, Section, TypedLine
from law.timeline import Period

MAX_CELL_LENGTH = 80  # characters of a cell above the chunk
MAX_ABOVE_LENGTH = 1_000  # of all these rows
_SENTENCE_END = regex(r"[.;:!?][\"'“”״׳)\]]{0,3}\s(?=\S)")
_SPACE = regex(r"\s(?=\S)")
_RANK_WEIGHT = 600  # one rank is worth this many characters of distance from the target
_SENTENCE_RANK, _SPACE_RANK = 1.0, 0.0
_MIN_TAIL = 200
_Value = TypeVar("_Value")


@dataclass(frozen=True, slots=True)
class TablePart:
    """The rows of a table that are in a chunk: the characters `start` to `end` of its text, tabs between cells.

    The first `head` of them name the columns. `continues`: the table began in a chunk before. Then `above` has the rows
    from there that say what the cells are, shortened, and `skipped` is how many cells of the first row stand there.
    """

    start: int
    end: int
    head: int = 0
    continues: bool = False
    skipped: int = 0
    above: tuple[str, ...] = ()

    @classmethod
    def stored(cls, parts: Iterable[Mapping[str, Any]]) -> tuple[TablePart, ...]:
        """Those that a chunk's row has as JSON."""
        return tuple(cls(**{**part, "above": tuple(part["above"])}) for part in parts)


@dataclass(frozen=True, slots=True)
class ChunkDraft:
    """One searchable passage.

    `text` is verbatim: it equals the document's text from `start` to `end`, where the document's text is its pages'
    paragraphs joined by line feeds (a paragraph that runs over a page border is joined by one space). `page` is the
    1-based page of the first character, None where the format has no pages. `section` is the bare number as
    printed (`5`, `5א`, `18.8.2`), empty outside sections. `path` names the chapters above, outermost first. `eid` is
    the address of its provision (`law.structure.provisions`), empty before the first. `gap` is the white space
    between the chunk before it and this one. `tables` are in the order of the text. `days` are those on which the text
    reads so, where it says so itself.
    """

    text: str
    start: int
    end: int
    page: int | None = None
    section: str = ""
    heading: str = ""
    path: tuple[str, ...] = ()
    eid: str = ""
    gap: str = ""
    tables: tuple[TablePart, ...] = ()
    days: Period = ALWAYS

    @property
    def above(self) -> str:
        """What a table that began before the chunk says of the rows in it."""
        return "\n".join(row for part in self.tables for row in part.above)


class _ChunkRow(NamedTuple):
    """A row from character `at` up to `end`. `place` counts the rows of its table, `above` are rows that head it."""

    at: int
    end: int
    table: int
    place: int
    is_head: bool
    above: tuple[str, ...]
    skipped: int = 0


class TableRows:
    """The rows in a buffer, by the characters of it."""

    def __init__(self) -> None:
        self._rows: list[_ChunkRow] = []
        self._table = self._place = 0
        self._heads: tuple[str, ...] = ()
        self._over = ""  # the last row of one cell over the whole width
        self._filled: list[str] = []  # the cells of the last row, those that are covered from above filled in

    def follows_head(self, line: DocumentLine) -> bool:
        """Does the line stand right below the names of its table's columns?"""
        return bool(self._rows and self._rows[-1].is_head and self._rows[-1].table == line.table and not line.is_head)

    def add(self, line: DocumentLine, at: int) -> None:
        """A line that was put into the buffer."""
        end = at + len(line.text)
        if not line.table:
            return
        if not line.opens and self._rows and self._rows[-1].table == line.table:
            self._rows[-1] = self._rows[-1]._replace(end=end)
            return
        if line.table != self._table:
            self._table, self._place, self._heads, self._over, self._filled = line.table, 0, (), "", []
        cells = line.text.split("\t")
        covered = next((place for place, cell in enumerate(cells) if cell.strip()), len(cells))  # blank ones
        lead = "\t".join(self._filled[:covered]).rstrip("\t")
        above = _bounded([*self._heads, *filter(None, (self._over, lead))])
        self._rows.append(_ChunkRow(at, end, line.table, self._place, line.is_head, above))
        self._place += 1
        if line.is_head:
            self._heads += (line.text,)
        elif len(cells) == 1:
            self._over, self._filled = line.text, []
        else:
            self._filled = [*self._filled[:covered], *cells[min(covered, len(self._filled)) :]]

    def parts(self, start: int, end: int) -> tuple[TablePart, ...]:
        """The parts of tables between two characters of the buffer, counted from the first of them."""
        inside = [row for row in self._rows if row.at < end and row.end > start]
        return tuple(_part(list(rows), start=start, end=end) for _, rows in groupby(inside, key=lambda row: row.table))

    def with_blank_cells(self, first: int, last: int, end: int) -> tuple[int, int]:
        """The stretch with the blank cells that its outer rows begin and end with, up to character `end`."""
        for row in self._rows:
            if row.at < first < row.end:
                first = max(row.at, 0)
            if row.at < last < row.end:
                last = min(row.end, end)
        return first, last

    def cut(self, text: str, end: int) -> None:
        """The first characters left the buffer: `text` up to `end`."""
        self._rows = [
            row._replace(
                at=row.at - end, end=row.end - end, skipped=row.skipped + text.count("\t", max(row.at, 0), end)
            )
            if row.at < end
            else row._replace(at=row.at - end, end=row.end - end)
            for row in self._rows
            if row.end > end
        ]


def _part(rows: Sequence[_ChunkRow], *, start: int, end: int) -> TablePart:
    first = rows[0]
    continues = first.place > 0 or first.at < start
    return TablePart(
        start=max(first.at - start, 0),
        end=min(rows[-1].end, end) - start,
        head=sum(row.is_head for row in rows),
        continues=continues,
        skipped=first.skipped,
        above=first.above if continues else (),
    )


def _bounded(rows: Sequence[str]) -> tuple[str, ...]:
    """The rows with their cells cut, as many as may be."""
    kept: list[str] = []
    for row in rows:
        short = "\t".join(cell[:MAX_CELL_LENGTH] for cell in row.split("\t"))
        if sum(map(len, kept)) + len(short) <= MAX_ABOVE_LENGTH:
            kept.append(short)
    return tuple(kept)


@dataclass(frozen=True, slots=True)
class Sizes:
    """Characters."""

    maximum: int
    target: int
    minimum: int


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
