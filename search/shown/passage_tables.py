"""Tables in passages as the pages show them: which lines are rows, and which rows of a long table a hit shows."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.html import format_html
from django.utils.safestring import SafeString

from law.chunking.packing import TablePart
from search.results import SearchHit
from search.shown.marked import Ranges, excerpt, marked
from sources.models import Chunk

MAX_ROWS = 4  # of a hit that is not shown whole
_LINE = re.compile(r"[^\n]+")


class Rows:
    """Where the rows of tables begin in consecutive passages, by the characters of the document."""

    def __init__(self, chunks: Sequence[Chunk]) -> None:
        self._rows: dict[int, tuple[int, bool]] = {}
        self.above: Sequence[Sequence[str]] = ()  # the names of columns of a table that began before
        table = 0
        for chunk in chunks:
            for part in TablePart.stored(chunk.tables):
                if not part.continues or not self._rows:
                    table = chunk.span_start + part.start
                if part.continues and not self._rows:
                    self.above = [row.split("\t") for row in part.above]
                for place, found in enumerate(_LINE.finditer(chunk.text, part.start, part.end)):
                    self._rows[chunk.span_start + found.start()] = table, place < part.head

    def __contains__(self, at: int) -> bool:
        return at in self._rows

    def is_head(self, at: int) -> bool:
        """Does the row that begins there name columns?"""
        return self._rows.get(at, (0, False))[1]

    def table(self, at: int) -> int | None:
        """Where the table of the row begins, or None for a line with tabs that is known as no more than that."""
        return self._rows[at][0] if at in self._rows else None


@dataclass(frozen=True, slots=True)
class ShownBlock:
    """A piece of a hit: `text`, or the rows of a table, `head` first, and of how many rows these were chosen."""

    text: SafeString | None = None
    head: Sequence[Sequence[SafeString]] = ()
    rows: Sequence[Sequence[SafeString]] = ()
    of: int = 0

    @property
    def width(self) -> int:
        """How many columns the table has."""
        return max(map(len, [*self.head, *self.rows]))


def hit_blocks(hit: SearchHit, highlights: Ranges, *, start: int, end: int) -> list[ShownBlock]:
    """The characters `start` to `end` of a passage. Of tables that are not in it whole, the rows that tell most."""
    blocks: list[ShownBlock] = []
    at = start
    for part in hit.tables:
        if part.start < end and part.end > start:
            blocks += _text(hit, highlights, at, part.start)
            blocks.append(
                _table(hit, highlights, part, most=None if start <= part.start <= part.end <= end else MAX_ROWS)
            )
            at = part.end
    return [*blocks, *_text(hit, highlights, at, end)]


def _text(hit: SearchHit, highlights: Ranges, start: int, end: int) -> list[ShownBlock]:
    if start >= end or not (piece := hit.text[start:end]).strip():
        return []
    start += len(piece) - len(piece.lstrip())
    return [ShownBlock(marked(hit.text, highlights, start=start, end=start + len(piece.strip())))]


def _table(hit: SearchHit, highlights: Ranges, part: TablePart, *, most: int | None) -> ShownBlock:
    lines = [(found.start(), found.end()) for found in _LINE.finditer(hit.text, part.start, part.end)]
    head, body = lines[: part.head], lines[part.head :]
    kept = body if most is None else _telling(hit.text, highlights, body, most=most)
    rows = [_cells(hit.text, highlights, *line, whole=most is None) for line in kept]
    if part.skipped and kept[:1] == body[:1] and rows:
        rows[0] = [*[marked("", ())] * part.skipped, *rows[0]]
    above = [[marked(cell, ()) for cell in row.split("\t")] for row in part.above]
    return ShownBlock(
        head=[*above, *(_cells(hit.text, highlights, *line, whole=True) for line in head)],
        rows=rows,
        of=len(body),
    )


def _telling(text: str, highlights: Ranges, rows: Sequence[tuple[int, int]], *, most: int) -> Sequence[tuple[int, int]]:
    """The rows with the most different marked words, in their order."""
    words = [len({text[at:to].casefold() for at, to in highlights if start <= at < end}) for start, end in rows]
    best = max(words, default=0)
    return [row for row, found in zip(rows, words, strict=True) if found == best][:most]


def _cells(text: str, highlights: Ranges, start: int, end: int, *, whole: bool) -> list[SafeString]:
    cells = []
    for cell in text[start:end].split("\t"):
        ends = start + len(cell)
        inside = [(max(at, start) - start, min(to, ends) - start) for at, to in highlights if at < ends and to > start]
        first, last = (0, len(cell)) if whole else excerpt(cell, inside)
        shown = marked(cell, inside, start=first, end=last)
        cells.append(format_html("{}{}{}", "… " if first else "", shown, " …" if last < len(cell) else ""))
        start = ends + 1
    return cells
