"""The topics of made laws, and the filters under which each is searched."""

from dataclasses import dataclass
from typing import Any

import psycopg

from bench.scale.orders import COMMON, RARE

DATES = ("2005-01-01", "2009-12-31")
TOPIC = """
    SELECT t.id, coalesce(sum(s.chunk_count), 0)::int AS chunks
    FROM kb_topic t JOIN kb_source s ON s.topic_id = t.id WHERE t.slug LIKE 'scale-%'
    GROUP BY t.id ORDER BY chunks DESC, t.slug
"""
MAX_SOURCE = "SELECT id FROM kb_source WHERE topic_id = %s ORDER BY chunk_count DESC, id LIMIT 1"
LABEL = "SELECT id FROM kb_label WHERE name = %s"


@dataclass(frozen=True, slots=True)
class TopicSize:
    """A topic of made laws."""

    topic_id: int
    chunks: int


@dataclass(frozen=True, slots=True)
class SearchFilter:
    """One way to search: the fields of the request beside the query."""

    name: str
    body: dict[str, Any]


def topics_by_size(database_url: str) -> list[TopicSize]:
    """The topics that were loaded, largest first."""
    with psycopg.connect(database_url, connect_timeout=10) as connection:
        return [TopicSize(*row) for row in connection.execute(TOPIC)]


def three_sizes(topics: list[TopicSize]) -> dict[str, TopicSize]:
    """The largest, the middle and the smallest."""
    return {"largest": topics[0], "middle": topics[(len(topics) - 1) // 2], "smallest": topics[-1]}


def filters_of(database_url: str, *, topic_id: int) -> list[SearchFilter]:
    """Every filter on a topic. The first is the topic alone."""
    with psycopg.connect(database_url, connect_timeout=10) as connection:

        def one(statement: str, *values: Any) -> int:
            (found,) = connection.execute(statement, values).fetchone() or (0,)
            return int(found)

        bodies: dict[str, dict[str, Any]] = {
            "": {},
            "label, common": {"label_id": one(LABEL, COMMON)},
            "label, rare": {"label_id": one(LABEL, RARE)},
            "kind": {"kind": "regulation"},
            "five years": {"published_from": DATES[0], "published_to": DATES[1]},
            "one source": {"source_id": one(MAX_SOURCE, topic_id)},
        }
    return [SearchFilter(name, {"topic_id": topic_id, **body}) for name, body in bodies.items()]
