"""Whether the fast way finds what the slow one would: dense against exact.

To be imported where Django is set up: it goes through the service's own code, on the database that the service uses.
"""

import datetime as dt
import time
from collections.abc import Sequence
from typing import Any

from bench.metrics import percentiles
from bench.scale.queries import queries_of_topic
from bench.scale.scopes import SearchFilter, filters_of, three_sizes, topics_by_size
from bench.scale.tables import DenseRow
from search.embedders.spaces import active_space, begin_embedding
from search.index import engine
from search.index.chunk_store import similarities
from sources.scope import Scope

DEPTH = 50
QUERIES = 50
FIELDS = {"label_ids": "label_id", "kinds": "kind", "source_ids": "source_id"}
SAME = 1e-5  # of a similarity: two chunks this close may stand for each other


def measure_dense(database_url: str, *, queries: int = QUERIES) -> list[DenseRow]:
    """Three sizes of topic, alone and with each filter, and all topics at once."""
    topics = topics_by_size(database_url)
    rows = []
    for name, topic in three_sizes(topics).items():
        asked = queries_of_topic(database_url, topic_id=topic.topic_id, count=queries)
        texts = [query.text for query in asked]
        for filtered in filters_of(database_url, topic_id=topic.topic_id):
            rows.append(_dense_row(texts, topics=name, chunks=topic.chunks, filtered=filtered))
    chunks = sum(topic.chunks for topic in topics)
    asked = queries_of_topic(database_url, topic_id=topics[0].topic_id, count=queries)
    return [
        *rows,
        _dense_row([query.text for query in asked], topics="all topics", chunks=chunks, filtered=SearchFilter("", {})),
    ]


def _dense_row(texts: Sequence[str], *, topics: str, chunks: int, filtered: SearchFilter) -> DenseRow:
    space, scope = active_space(), _scope(filtered)
    recalls, search_ms, exact_ms = [], [], []
    missing = 0
    for text in texts:
        vector = begin_embedding(text, space=space)
        vector.result()
        started = time.perf_counter()
        exact = similarities.exact(vector.result(), space=space, scope=scope, limit=DEPTH)
        exact_ms.append((time.perf_counter() - started) * 1000)
        started = time.perf_counter()
        found = engine().nearest(vector, space=space, scope=scope, limit=DEPTH)(()).ranking
        search_ms.append((time.perf_counter() - started) * 1000)
        recalls.append(_share(found, exact))
        missing += len(found) < len(exact)
    return DenseRow(
        topics=topics,
        filtered=filtered.name,
        chunks=chunks,
        recall=_mean(recalls),
        least=min(recalls, default=0.0),
        missing=missing,
        search_ms=percentiles(search_ms),
        exact_ms=percentiles(exact_ms),
    )


def _share(found: Sequence[tuple[int, float]], exact: Sequence[tuple[int, float]]) -> float:
    """The share of the exact answer that was found; an equally near chunk in its place counts."""
    if not exact:
        return 1.0
    worst = min(similarity for _, similarity in exact) - SAME
    return min(len(exact), sum(similarity >= worst for _, similarity in found)) / len(exact)


def _scope(filtered: SearchFilter) -> Scope:
    body = filtered.body
    one: dict[str, Any] = {name: (body[key],) if key in body else () for name, key in FIELDS.items()}
    dates: dict[str, Any] = {
        key: dt.date.fromisoformat(body[key]) for key in ("published_from", "published_to") if key in body
    }
    return Scope(topic_id=body.get("topic_id"), **one, **dates)


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
