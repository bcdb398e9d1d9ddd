"""How long searches take over HTTP, by size of topic and by filter: one client on one kept-alive connection."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import psycopg
from tqdm import tqdm

from bench.metrics import percentiles
from bench.scale.client import SearchApi
from bench.scale.queries import ScaleQuery, queries_of_topic
from bench.scale.scopes import filters_of, three_sizes, topics_by_size
from bench.scale.tables import LatencyRow

WARM_UP = 300  # searches of each topic before any of it is timed: the process then holds what it holds after an hour
WARM_UP_FILTERED = 50
REQUESTS = 600
CUTOFF = 10
KEPT = (
    ("page", "kb_chunk", "id"),
    ("get_byte(postings, length(postings) - 1)", "kb_posting", "segment_id, term"),  # reads the whole of it
    ("space_id", "kb_chunk_embedding", "chunk_id"),
)


@dataclass(frozen=True, kw_only=True)
class Case:
    """What one line of the table asks: queries with a body that says in which of the topics, under which filter."""

    topics: str
    chunks: int
    filtered: str = ""
    body: dict[str, Any]
    queries: Sequence[ScaleQuery]
    warm_up: int = WARM_UP_FILTERED

    def request(self, query: ScaleQuery) -> dict[str, Any]:
        return {"query": query.text, "limit": CUTOFF, **self.body}


def measure_latency(api: SearchApi, *, database_url: str, requests: int = REQUESTS) -> list[LatencyRow]:
    """A row for each case."""
    warm(database_url)
    return [_row(api, case) for case in _cases(database_url, requests=requests)]


def _cases(database_url: str, *, requests: int) -> Iterator[Case]:
    """Three sizes of topic, alone and with each filter, and all topics at once."""
    every_topic = topics_by_size(database_url)
    asked = []
    for name, topic in three_sizes(every_topic).items():
        queries = queries_of_topic(database_url, topic_id=topic.topic_id, count=requests + WARM_UP)
        asked.append(queries)
        alone, *filters = filters_of(database_url, topic_id=topic.topic_id)
        yield Case(topics=name, chunks=topic.chunks, body=alone.body, queries=queries, warm_up=WARM_UP)
        some = queries[: requests // 2 + WARM_UP_FILTERED]
        for one in filters:
            yield Case(topics=name, chunks=topic.chunks, filtered=one.name, body=one.body, queries=some)
    mixed = [query for group in zip(*asked, strict=False) for query in group][: requests + WARM_UP_FILTERED]
    yield Case(topics="all topics", chunks=sum(topic.chunks for topic in every_topic), body={}, queries=mixed)


def warm(database_url: str) -> None:
    """Have the server hold what it would hold after some hours of searches, as far as it has room.

    Through the indexes: what a scan of a whole large table reads is not kept.
    """
    with psycopg.connect(database_url, connect_timeout=10) as connection:
        connection.execute("SET enable_seqscan = off; SET enable_bitmapscan = off")
        for column, table, key in KEPT:
            connection.execute(
                f"SELECT count(value) FROM (SELECT {column} AS value FROM {table} ORDER BY {key} OFFSET 0)"
            )


def _row(api: SearchApi, case: Case) -> LatencyRow:
    warm_up = min(case.warm_up, len(case.queries) // 2)
    for query in case.queries[:warm_up]:
        api.search_with(case.request(query))
    took, ranks = [], []
    for query in tqdm(case.queries[warm_up:], desc=f"{case.topics} {case.filtered}", unit="query", mininterval=2):
        answer, took_ms = api.timed(case.request(query))
        took.append(took_ms)
        results = [(hit["source"]["id"], hit["section"]) for hit in answer["results"]]
        if query.gold and not case.filtered:
            ranks.append(results.index(query.gold) if query.gold in results else None)
    return LatencyRow(
        topics=case.topics,
        chunks=case.chunks,
        filtered=case.filtered,
        took_ms=percentiles(took),
        top1=_mean([rank == 0 for rank in ranks]) if ranks else None,
        recall=_mean([rank is not None for rank in ranks]) if ranks else None,
    )


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
