"""The passages of sources that a reference stands for: sections, clauses of a long one, parts and schedules."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from kb_project.database.rows import fetch
from law.citations.cited_items import CitedItem, annex_of, stands_in
from law.citations.parsing import CitationReference
from sources.citations.cited_clauses import CitedClause, ClauseRow, PassagePart, parts_of
from sources.citations.source_keys import section_key
from sources.scope import Scope

MAX_SOURCES = 3  # answers to an ambiguous citation
MAX_PARTS = 5  # of one long section
MAX_OF_DIVISION = 3  # passages at the beginning of a part or schedule
MAX_SECTIONS = 10
MAX_ROWS = 200


@dataclass(frozen=True)
class CitedPassages:
    """Chunk ids: the best of every section that is cited, in the order of the citation, and what else they hold.

    `clauses` are those that are cited, by the chunk that each begins in.
    """

    first: list[int] = field(default_factory=list)
    more: list[int] = field(default_factory=list)
    clauses: dict[int, tuple[CitedClause, ...]] = field(default_factory=dict)


def passages_of(reference: CitationReference, source_ids: Sequence[int] | None, *, scope: Scope) -> CitedPassages:
    """The passages of the reference in the sources, in that order, or in any, if few enough have such sections."""
    if not reference.items:
        return _of_divisions(reference, source_ids or (), scope=scope)
    keys = _keys(reference.items)
    rows = _rows_of(keys, reference.items, source_ids, scope=scope)
    if not rows and source_ids is not None:
        return CitedPassages([row.id for row in _rows_below(keys, source_ids, scope=scope)][:MAX_PARTS])
    having = {row.source_id for row in rows}
    if source_ids is None:
        if len(having) > MAX_SOURCES:
            return CitedPassages()
        source_ids = sorted(having)
    passages = CitedPassages()
    for source_id in [source_id for source_id in source_ids if source_id in having][:MAX_SOURCES]:
        _add_sections(passages, reference, [row for row in rows if row.source_id == source_id])
    return passages


def _keys(items: Iterable[CitedItem]) -> list[str]:
    keys = [section_key(section) for item in items for section in item.sections]
    return list(dict.fromkeys(keys))[:MAX_SECTIONS]


def _add_sections(passages: CitedPassages, reference: CitationReference, rows: Sequence[ClauseRow]) -> None:
    """Sort the passages of one source into the best of each section and the others."""
    alone = len(reference.items) == 1 and not reference.items[0].last
    for item in reference.items:
        one = section_key(item.written_as_one)
        if one and any(row.key == one for row in rows):
            wanted = [one]
        else:
            wanted = [key for section in item.sections for key in _with_inserted(section, item, rows)]
        for key in wanted[:MAX_SECTIONS]:
            parts = _parts([row for row in rows if row.key == key], reference, item)
            passages.first.extend(part.row.id for part in parts[:1])
            further = parts[1:MAX_PARTS]
            if not alone:  # what stands in a schedule under the same number would come between the sections
                further = [part for part in parts[1:2] if _annex(part.row) == _annex(parts[0].row)]
            passages.more.extend(part.row.id for part in further)
            passages.clauses.update({part.row.id: part.clauses for part in parts if part.clauses})


def _with_inserted(section: str, item: CitedItem, rows: Iterable[ClauseRow]) -> list[str]:
    """A section of a range and those that were inserted after it, in their order."""
    key = section_key(section)
    return [key, *dict.fromkeys(row.key for row in rows if item.takes_in(row.key) == section)]


def _parts(rows: Sequence[ClauseRow], reference: CitationReference, item: CitedItem) -> list[PassagePart]:
    """The parts of one section, those with its clauses first. The body of the act goes before its schedules."""
    if reference.divisions:
        inside = [row for row in rows if stands_in(row.path, reference.divisions)]
        if inside or any(division.is_annex for division in reference.divisions):
            rows = inside
    grouped = groupby(sorted(rows, key=_annex), key=lambda row: (_annex(row), row.eid))
    sections = [parts_of(list(group), item.clauses) for _, group in grouped]
    sections.sort(key=lambda parts: (_annex(parts[0].row), not parts[0].clauses))
    return [part for parts in sections for part in parts]


def _annex(row: ClauseRow) -> str:
    return annex_of(row.path)


def _rows_of(
    keys: Sequence[str], items: Iterable[CitedItem], source_ids: Sequence[int] | None, *, scope: Scope
) -> list[ClauseRow]:
    as_one = [section_key(item.written_as_one) for item in items if item.last]
    wanted = "c.section_key = ANY(%(keys)s::text[])"
    bases = [key for item in items if item.last for key in item.sections[:-1] if key.isdigit()]
    inserted = ""
    if source_ids is not None and bases:
        inserted = f"^({'|'.join(bases)})[^0-9.-]"
        wanted = f"({wanted} OR c.section_key ~ %(inserted)s::text)"
    return _rows(
        f"{wanted} AND c.section_key <> ''",
        {"keys": [*keys, *as_one], "inserted": inserted},
        source_ids,
        scope=scope,
    )


def _rows_below(keys: Sequence[str], source_ids: Sequence[int], *, scope: Scope) -> list[ClauseRow]:
    """The sections below one that is a mere heading: 3.4.1 and 3.4.2 for 3.4."""
    if "." not in keys[0]:
        return []
    return _rows("c.section_key ~ %(below)s::text", {"below": f"^{re.escape(keys[0])}[.]"}, source_ids, scope=scope)


def _rows(
    wanted: str, parameters: dict[str, Any], source_ids: Sequence[int] | None, *, scope: Scope
) -> list[ClauseRow]:
    """The chunks that fit both conditions, by source and place, `MAX_ROWS` at most."""
    condition, scope_parameters = scope.condition("c")
    chunks = f"kb_chunk c WHERE {wanted} AND"
    if source_ids is not None:
        # Source by source: OFFSET 0 keeps the planner from reading the sections of that number of all sources.
        inside = f"SELECT * FROM kb_chunk c WHERE c.source_id = held.source_id AND {wanted} OFFSET 0"
        chunks = f"unnest(%(sources)s::bigint[]) AS held (source_id) CROSS JOIN LATERAL ({inside}) AS c WHERE"
    statement = f"""
        SELECT c.id, c.source_id, c.section_key, c.path, c.eid, c.gap, c.text FROM {chunks} {condition}
        ORDER BY c.source_id, c.seq LIMIT {MAX_ROWS}
    """
    given = {**scope_parameters, **parameters, "sources": [*dict.fromkeys(source_ids or ())]}
    return [ClauseRow(*row) for row in fetch(statement, given)]


def _of_divisions(reference: CitationReference, source_ids: Sequence[int], *, scope: Scope) -> CitedPassages:
    """The beginnings of a part or schedule that is cited as a whole."""
    condition, parameters = scope.condition("c")
    statement = f"""
        SELECT c.source_id, c.path, (array_agg(c.id ORDER BY c.seq))[1:{MAX_OF_DIVISION}] FROM kb_chunk c
        WHERE c.source_id = ANY(%(sources)s::bigint[]) AND c.path <> '{{}}' AND {condition}
        GROUP BY c.source_id, c.path ORDER BY c.source_id, min(c.seq)
    """
    rows: list[tuple[int, list[str], list[int]]]
    rows = fetch(statement, {**parameters, "sources": list(source_ids[:MAX_SOURCES])})
    passages = CitedPassages()
    for source_id in source_ids[:MAX_SOURCES]:
        inside = [ids for of, path, ids in rows if of == source_id and stands_in(path, reference.divisions)]
        passages.first.extend([chunk for ids in inside for chunk in ids][:MAX_OF_DIVISION])
    return passages
