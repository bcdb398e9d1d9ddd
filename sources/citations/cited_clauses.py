"""The clauses of a section that a reference names, in the passages that the section was cut into."""

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from sources.models import Provision
from sources.provisions import clauses_of, find_clause


@dataclass(frozen=True, kw_only=True, slots=True)
class CitedClause:
    """Where a passage holds a cited clause: characters `start` to `end` of its text.

    `eid` is the clause's address, `within` that of the provision that it stands in.
    """

    eid: str
    within: str
    start: int
    end: int


class ClauseRow(NamedTuple):
    """A passage of a cited section as it is stored."""

    id: int
    source_id: int
    key: str
    path: list[str]
    eid: str
    gap: str
    text: str


class PassagePart(NamedTuple):
    """A passage of a cited section, and the cited clauses that begin in it."""

    row: ClauseRow
    clauses: tuple[CitedClause, ...] = ()


def parts_of(rows: Sequence[ClauseRow], paths: Sequence[Sequence[str]]) -> list[PassagePart]:
    """The passages of one section, first those that the clauses begin in, in the order of the clauses."""
    found: dict[int, list[CitedClause]] = {}
    if paths:
        text, starts = _joined(rows)
        section = Provision(source_id=rows[0].source_id, eid=rows[0].eid, position=0, span_start=0)
        clauses = list(clauses_of(section, text))
        for path in paths:
            if clause := find_clause(clauses, path, within=section.eid):
                printed = text[clause.span_start : clause.span_end]
                start = clause.span_end - len(printed.lstrip())
                place = bisect_right(starts, start) - 1
                found.setdefault(place, []).append(_cited(clause, rows[place], start=start, at=starts[place]))
    first = [PassagePart(rows[place], tuple(cited)) for place, cited in found.items()]
    return [*first, *(PassagePart(row) for place, row in enumerate(rows) if place not in found)]


def _joined(rows: Sequence[ClauseRow]) -> tuple[str, list[int]]:
    """The section's text, and where in it each passage begins."""
    text, starts = "", []
    for row in rows:
        text += (row.gap or "\n") if text else ""  # gaps are stored with provisions, which old documents lack
        starts.append(len(text))
        text += row.text
    return text, starts


def _cited(clause: Provision, row: ClauseRow, *, start: int, at: int) -> CitedClause:
    return CitedClause(
        eid=clause.eid if row.eid else "",
        within=row.eid,
        start=start - at,
        end=min(clause.span_end - at, len(row.text)),
    )
