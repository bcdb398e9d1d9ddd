"""A document as the first step of numbering reads it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, field

from law.structure.lines.headings import HeadingDivision
from law.structure.numbering.candidates import NumberCandidate


@dataclass(frozen=True, slots=True)
class Border:
    """A line that opens a chapter or a schedule: behind it, numbers may begin anew."""

    place: int
    division: HeadingDivision


@dataclass
class Scan:
    """A document as the first step reads it: what each line may be."""

    candidates: list[NumberCandidate] = field(default_factory=list)
    borders: list[Border] = field(default_factory=list)
    quoted: set[int] = field(default_factory=set)  # places of quoted amendments and tables of contents
    origins: set[int] = field(default_factory=set)  # places of lines that tell which section a schedule belongs to
    repealed: set[str] = field(default_factory=set)  # numbers of which the document says that they are repealed

    def opening_nothing(self, crossed: Collection[int]) -> set[int]:
        """Of places across which the numbers go on, those of lines that open something only where these begin anew."""
        return {border.place for border in self.borders if border.division.is_weak and border.place in crossed}
