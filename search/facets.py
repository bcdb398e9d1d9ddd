"""Facets: how many documents each kind, label and year would leave, beside the other filters.

Each is counted without its own filter, so that it tells what choosing another value would give.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from kb_project.database.rows import Rows, fetch
from sources.scope import Scope

MAX_LABELS = 100
MAX_YEARS = 200


@dataclass(frozen=True, kw_only=True, slots=True)
class LabelCount:
    value: int  # its id
    name: str
    slug: str
    count: int


@dataclass(frozen=True, kw_only=True, slots=True)
class KindCount:
    value: str
    count: int


@dataclass(frozen=True, kw_only=True, slots=True)
class YearCount:
    value: int
    count: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Facets:
    """Values with at least one document: labels and kinds by falling count, years by falling year."""

    kind: tuple[KindCount, ...]
    label: tuple[LabelCount, ...]
    year: tuple[YearCount, ...]


def count_facets(scope: Scope, *, among: Sequence[int] | None = None) -> Facets:
    """The counts of the scope's documents. With `among`, of these sources alone."""
    kinds, labels, years = _rows(scope, among)
    return Facets(
        kind=tuple(KindCount(value=value, count=count) for value, count in kinds),
        label=tuple(LabelCount(value=pk, slug=slug, name=name, count=count) for pk, slug, name, count in labels),
        year=tuple(YearCount(value=int(value), count=count) for value, count in years),
    )


def _rows(scope: Scope, among: Sequence[int] | None) -> tuple[Rows, Rows, Rows]:
    """Kind and count, then id, slug, name and count of labels, the most first, then year and count, the last first."""
    inside, values = scope.unfiltered.source_condition("s")
    of_kinds, kind_values = replace(scope, kinds=()).source_condition("s")
    of_labels, label_values = replace(scope, label_ids=()).source_condition("s")
    of_years, year_values = replace(scope, published_from=None, published_to=None).source_condition("s")
    if among is not None:
        inside, values = f"{inside} AND s.id = ANY(%(among)s::bigint[])", {**values, "among": list(among)}
    statement = f"""
        WITH s AS MATERIALIZED (
            SELECT s.id, s.topic_id, s.kind, s.published_at, s.valid_from, s.valid_to FROM kb_source s WHERE {inside}
        )
        SELECT 'kind', 0, s.kind, '', count(*) FROM s WHERE {of_kinds} GROUP BY s.kind
        UNION ALL
        (
            SELECT 'label', l.id, l.slug, l.name, used.sources
            FROM (
                SELECT sl.label_id, count(*) AS sources FROM s JOIN kb_source_label sl ON sl.source_id = s.id
                WHERE {of_labels} GROUP BY sl.label_id ORDER BY sources DESC, sl.label_id LIMIT {MAX_LABELS}
            ) used JOIN kb_label l ON l.id = used.label_id
        )
        UNION ALL
        (
            SELECT 'year', 0, extract(year FROM s.published_at)::text, '', count(*) FROM s
            WHERE {of_years} AND s.published_at IS NOT NULL GROUP BY 3 ORDER BY 3 DESC LIMIT {MAX_YEARS}
        )
    """
    rows = fetch(statement, {**values, **kind_values, **label_values, **year_values})
    rows.sort(key=lambda row: (-row[4], row[3], row[1], row[2]))
    return (
        [(value, count) for field, _, value, _, count in rows if field == "kind"],
        [(pk, slug, name, count) for field, pk, slug, name, count in rows if field == "label"],
        sorted(((value, count) for field, _, value, _, count in rows if field == "year"), reverse=True),
    )
