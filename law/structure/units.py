"""A document as a stream of lines that know their role."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

from law.structure.lines import Line
from law.timeline import Days

if TYPE_CHECKING:
    from law.structure.provisions import Provision

ALWAYS = Days()


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
    """A line with its role, or a piece of one that was in force on days of its own.

    `opens` is set where a section begins, `begins` are the provisions that begin with it. `is_head` says that it heads
    a section and has nothing of its text. What is quoted to be inserted into another law, and a table of contents,
    `is_quoted`.
    """

    line: Line
    cut: Cut
    opens: Section | None = None
    begins: tuple[Provision, ...] = ()
    is_head: bool = False
    is_quoted: bool = False
    days: Days = ALWAYS
