"""A document as a stream of lines that know their role."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from search.structure.lines import Line

if TYPE_CHECKING:
    from search.structure.provisions import Provision


class Cut(enum.IntEnum):
    """How well a chunk may begin at a line; the higher the better."""

    NEVER = 0  # a heading stays with what it heads
    LINE = 2
    SUBCLAUSE = 3
    CLAUSE = 4
    HEADING = 5


@dataclass(frozen=True, slots=True)
class Section:
    """What the chunks of a section say about it. A `soft` one (a heading in prose) may join a short neighbour."""

    number: str = ""
    heading: str = ""
    path: tuple[str, ...] = ()
    soft: bool = False
    provision: Provision | None = None


class Unit(NamedTuple):
    """A line with its role; `opens` is set where a section begins, `begins` are the provisions that begin with it."""

    line: Line
    cut: Cut
    opens: Section | None = None
    begins: tuple[Provision, ...] = ()
