"""The filters under which a topic is searched, and how many chunks each leaves."""

from dataclasses import dataclass, field
from typing import Any

import psycopg

from bench.scale.orders import COMMON, RARE

DATES = ("2005-01-01", "2009-12-31")
TOPIC = """
    SELECT t.id, coalesce(sum(s.chunk_count), 0)::int AS chunks
    FROM kb_topic t JOIN kb_source s ON s.topic_id = t.id WHERE t.slug LIKE 'scale-%'
    GROUP BY t.id ORDER BY chunks DESC, t.slug
"""
LARGEST_SOURCE = "SELECT id FROM kb_source WHERE topic_id = %s ORDER BY chunk_count DESC, id LIMIT 1"
LABEL = "SELECT id FROM kb_label WHERE name = %s"
COUNT = """
    SELECT coalesce(sum(s.chunk_count), 0) FROM kb_source s
    WHERE (%(topic_id)s::bigint IS NULL OR s.topic_id = %(topic_id)s)
      AND (%(source_id)s::bigint IS NULL OR s.id = %(source_id)s)
      AND (%(kind)s::text IS NULL OR s.kind = %(kind)s)
      AND (%(published_from)s::date IS NULL OR s.published_at >= %(published_from)s)
      AND (%(published_to)s::date IS NULL OR s.published_at <= %(published_to)s)
      AND (%(label_id)s::bigint IS NULL OR EXISTS (
          SELECT 1 FROM kb_source_label l WHERE l.source_id = s.id AND l.label_id = %(label_id)s))
"""
FIELDS = ("topic_id", "source_id", "kind", "published_from", "published_to", "label_id")


@dataclass(frozen=True, slots=True)
class TopicSize:
    """A topic of made laws."""

    topic_id: int
    chunks: int


@dataclass(frozen=True, slots=True)
class SearchFilter:
    """One way to search: the fields of the request beside the query, and how many chunks they leave."""

    name: str
    body: dict[str, Any] = field(default_factory=dict)
    chunks: int = 0


def topics_by_size(database_url: str) -> list[TopicSize]:
    """The topics that were loaded, largest first."""
    with psycopg.connect(database_url, connect_timeout=10) as connection:
        return [TopicSize(*row) for row in connection.execute(TOPIC)]


def three_sizes(topics: list[TopicSize]) -> dict[str, TopicSize]:
    """The largest, the middle and the smallest."""
    return {"largest": topics[0], "middle": topics[(len(topics) - 1) // 2], "smallest": topics[-1]}


def filters_of(database_url: str, *, topic_id: int) -> list[SearchFilter]:
    """Every filter on a topic, those that leave nothing left out; the first is the topic alone."""
    with psycopg.connect(database_url, connect_timeout=10) as connection:

        def one(statement: str, *values: Any) -> Any:
            row = connection.execute(statement, values).fetchone()
            return row[0] if row else None

        bodies = [
            ("topic alone", {}),
            ("label, common", {"label_id": one(LABEL, COMMON)}),
            ("label, rare", {"label_id": one(LABEL, RARE)}),
            ("kind", {"kind": "regulation"}),
            ("five years", {"published_from": DATES[0], "published_to": DATES[1]}),
            ("one source", {"source_id": one(LARGEST_SOURCE, topic_id)}),
        ]
        found = []
        for name, narrowing in bodies:
            body = {"topic_id": topic_id, **narrowing}
            row = connection.execute(COUNT, {name: body.get(name) for name in FIELDS}).fetchone()
            found.append(SearchFilter(name, body, int(row[0]) if row else 0))
    return [filtered for filtered in found if filtered.chunks]
