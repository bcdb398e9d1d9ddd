"""Citations first: the chunks that a query refers to by section and title, or by an identifier."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from django.db import connection

from search.analysis import terms
from search.naming import likeliest, named_anywhere, named_at_start, named_by_identifier
from search.references import Reference, find_references
from search.scope import Scope
from search.source_keys import section_key

MOST_SOURCES = 3  # answers to an ambiguous citation
MOST_PARTS = 5  # of one long section


@dataclass(frozen=True)
class Cited:
    """What a query cites: chunks by their section, best first, or whole sources by their identifier."""

    chunk_ids: tuple[int, ...] = ()
    source_ids: tuple[int, ...] = ()


def resolve(query: str, *, scope: Scope) -> Cited:
    """The chunks or sources that a query cites; empty when it cites nothing that exists in the scope."""
    by_identifier = named_by_identifier(query, scope=scope)
    chunk_ids: list[int] = []
    for reference in find_references(query):
        chunk_ids += _cited_chunks(reference, by_identifier, scope=scope)
    if chunk_ids:
        return Cited(chunk_ids=tuple(dict.fromkeys(chunk_ids)))
    return Cited(source_ids=tuple(by_identifier[:MOST_SOURCES]))


def _cited_chunks(reference: Reference, by_identifier: Sequence[int], *, scope: Scope) -> list[int]:
    if by_identifier:
        return _sections(reference, by_identifier, scope=scope)
    for text, find in ((reference.after, named_at_start), (reference.before, named_anywhere)):
        if namings := likeliest(find(terms(text), scope=scope)):
            return _sections(reference, [naming.source_id for naming in namings], scope=scope)
    if scope.source_ids:
        return _sections(reference, scope.source_ids, scope=scope)
    return _sections(reference, None, scope=scope) if "." in reference.sections[0] else []


def _sections(reference: Reference, source_ids: Sequence[int] | None, *, scope: Scope) -> list[int]:
    """The chunks of the sections, of the given sources in that order; or of any, if few enough have such sections."""
    condition, parameters = scope.condition("c")
    keys = [section_key(section) for section in reference.sections]
    wanted = "c.source_id = ANY(%(sources)s)" if source_ids is not None else "c.section_key <> ''"
    with connection.cursor() as cursor:
        cursor.execute(
            f"""
            SELECT c.id, c.source_id, c.section_key, c.text FROM kb_chunk c
            WHERE c.section_key = ANY(%(keys)s) AND {wanted} AND {condition}
            ORDER BY c.source_id, c.seq LIMIT 200
            """,
            {**parameters, "keys": keys, "sources": list(source_ids or [])},
        )
        rows = cursor.fetchall()
    having = {source_id for _, source_id, _, _ in rows}
    if source_ids is None:
        if len(having) > MOST_SOURCES:
            return []
        source_ids = sorted(having)
    chosen: list[int] = []
    for source_id in [source_id for source_id in source_ids if source_id in having][:MOST_SOURCES]:
        for key in keys:
            parts = [(chunk, text) for chunk, source, section, text in rows if (source, section) == (source_id, key)]
            chosen += _clause_first(parts, reference.clauses if key == keys[0] else ())
    return chosen


def _clause_first(parts: Sequence[tuple[int, str]], clauses: Sequence[str]) -> list[int]:
    """The parts of one section, those first that hold the most of the clauses, each within the one before."""

    def holds(text: str) -> int:
        pattern = [rf"^\s*\({re.escape(clause)}\)" for clause in clauses]
        return sum(bool(re.search(line, text, re.MULTILINE)) for line in pattern)

    return [chunk for chunk, text in sorted(parts, key=lambda part: -holds(part[1]))][:MOST_PARTS]
