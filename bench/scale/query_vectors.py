"""How long the local embedding server takes for a query: what any model would cost comes on top of the search."""

import time
from dataclasses import dataclass

import httpx2

from bench.metrics import Percentiles, percentiles
from bench.scale.embedding_server import MODEL
from bench.scale.queries import queries_of_topic
from bench.scale.scopes import topics_by_size

QUERIES = 300


@dataclass(frozen=True, slots=True)
class QueryVectors:
    """From the request to the vector, as the service itself asks."""

    took_ms: Percentiles


def measure_query_vectors(base_url: str, *, database_url: str) -> QueryVectors:
    topic = topics_by_size(database_url)[0]
    queries = queries_of_topic(database_url, topic_id=topic.topic_id, count=QUERIES)
    took_ms = []
    with httpx2.Client(base_url=base_url) as http:
        for query in queries:
            started = time.perf_counter()
            http.post("/embeddings", json={"model": MODEL, "input": [query.text]}).json()
            took_ms.append((time.perf_counter() - started) * 1000)
    return QueryVectors(percentiles(took_ms))
