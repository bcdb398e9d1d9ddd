"""A chunk before it is indexed: what chunking yields and indexing takes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from law.structure.provisions import ALWAYS
from law.timeline import Period


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
