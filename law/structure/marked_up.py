"""Units of a document whose markup says what it is divided into: nothing is guessed from the words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from extraction.document import MarkedDivision
from law.structure.lines.clauses import outline
from law.structure.lines.document_lines import DocumentLine
from law.structure.lines.headings import read_division, tidy
from law.structure.lines.number_keys import SectionNumber, Style, key_of
from law.structure.lines.numbers import read_label
from law.structure.numbering.summary import NumberingSummary, gaps_of
from law.structure.provisions import KIND_OF_UNIT, BreakQuality, ParsedProvision, ProvisionKind, Section, TypedLine

_HOLD_OTHERS = {ProvisionKind.PART, ProvisionKind.CHAPTER, ProvisionKind.SCHEDULE, ProvisionKind.HEADING}
_OTHER_UNIT = "para"


class MarkedUp:
    """Turns lines into units. Lines that only name a chapter wait for the section that follows."""

    def __init__(self, *, statutory: bool = True) -> None:
        self._statutory = statutory
        self._open: list[tuple[int, ParsedProvision]] = []  # with their depths
        self._waiting: list[tuple[DocumentLine, tuple[ParsedProvision, ...]]] = []
        self._numbered: dict[ProvisionKind, list[ParsedProvision]] = {}  # outside of schedules, and of one another
        self._printed: dict[ProvisionKind, str] = {}  # the number of the first of them
        self._glued = False  # the next line stays with the one before, which heads it

    def units(self, lines: Iterable[DocumentLine]) -> Iterator[TypedLine]:
        """Every line once, in order."""
        for line in lines:
            begun = tuple(map(self._begin, line.divisions))
            if begun:
                self._waiting.append((line, begun))
            innermost = self._open[-1][1] if self._open else None
            if self._waiting and innermost and not (begun and innermost.kind in _HOLD_OTHERS):
                yield from self._settle(innermost)
            if not begun:
                yield self._body(line)
        if self._waiting:
            yield from self._settle(self._open[-1][1])

    def summary(self) -> NumberingSummary | None:
        """What the numbers of the lines so far are like. What the markup says is certain."""
        if not self._numbered:
            return None
        kind = max(self._numbered, key=lambda kind: len(self._numbered[kind]))
        numbers = [SectionNumber(one.number, key_of(one.number), Style.NUMBER, "") for one in self._numbered[kind]]
        return NumberingSummary(self._printed[kind], 1.0, tuple(map(str, gaps_of([numbers]))))

    def _begin(self, division: MarkedDivision) -> ParsedProvision:
        while self._open and self._open[-1][0] >= division.depth:
            self._open.pop()
        named = read_division(division.number)
        label = named or read_label(division.number)
        provision = ParsedProvision(
            unit=named.unit if named and division.unit == "sec" else self._unit(division),
            number=label.number if label else division.number.strip(" .:"),
            heading=tidy(division.heading),
            parent=self._open[-1][1] if self._open else None,
            eid=division.eid,
        )
        within = {one.kind for _, one in self._open}
        if provision.number[:1].isdigit() and within <= _HOLD_OTHERS - {ProvisionKind.SCHEDULE}:
            self._numbered.setdefault(provision.kind, []).append(provision)
            self._printed.setdefault(provision.kind, division.number.strip())
        self._open.append((division.depth, provision))
        return provision

    def _unit(self, division: MarkedDivision) -> str:
        """The unit. A numbered part by another name, such as a point, that is in no section is one itself."""
        if division.unit in KIND_OF_UNIT:
            return division.unit
        is_section = self._statutory and division.number and all(one.kind in _HOLD_OTHERS for _, one in self._open)
        return "sec" if is_section else _OTHER_UNIT

    def _settle(self, provision: ParsedProvision) -> Iterator[TypedLine]:
        """What waited, with the section that it leads to or the division that has text of its own."""
        holds = provision.kind in _HOLD_OTHERS
        above = [one for _, one in self._open if one is not provision or holds]
        section = Section(
            number="" if holds else provision.number,
            heading="" if holds else provision.heading,
            path=tuple(name for one in above if (name := f"{one.number} {one.heading}".strip())),
            provision=provision,
        )
        for place, (line, begun) in enumerate(self._waiting):
            is_head = not _has_text(line.text, provision)
            yield TypedLine(
                line, BreakQuality.NEVER if place else BreakQuality.HEADING, None if place else section, begun, is_head
            )
        self._waiting = []
        self._glued = True

    def _body(self, line: DocumentLine) -> TypedLine:
        glued, self._glued = self._glued, False
        return TypedLine(
            line,
            BreakQuality.NEVER if glued else BreakQuality.CLAUSE if outline(line.text.strip()) else BreakQuality.LINE,
        )


def _has_text(line: str, provision: ParsedProvision) -> bool:
    """Whether anything but number and heading stands on a line that heads a provision."""
    if provision.heading:
        return not tidy(line).endswith(provision.heading)
    label = read_label(line.strip())
    return label is not None and bool(label.rest)
