"""How long searches take over HTTP, by size of topic and by filter: one client on one kept-alive connection."""

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import psycopg
from tqdm import tqdm

from bench.metrics import Percentiles, percentiles
from bench.scale.client import SearchApi
from bench.scale.queries import STYLES, ScaleQuery, queries_of_topic
from bench.scale.scopes import TopicSize, filters_of, of_all_sizes, three_sizes, topics_by_size

WARM_UP = 300  # searches of each topic before any of it is timed: the process then holds what it holds after an hour
WARM_UP_FILTERED = 50
REQUESTS = 600
REQUESTS_FILTERED = 300
CUTOFF = 10
DOCUMENTS = {"group": "document", "sort": "newest", "facets": True}


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the table. `found` is the mean number of results; `top1` and `recall` are of the queries that mean a
    section, None under a filter, which may leave that out."""

    topics: str
    chunks: int
    filtered: str
    http_ms: Percentiles
    server_ms: Percentiles
    found: float
    top1: float | None
    recall: float | None


def measure_latency(api: SearchApi, *, database_url: str, requests: int = REQUESTS) -> list[Row]:
    """Ten sizes of topic without a filter, three with each filter, the styles apart, lists of what matches, and all
    topics at once.
    """
    _warm(database_url)
    every_topic = topics_by_size(database_url)
    sizes, topics = three_sizes(every_topic), of_all_sizes(every_topic)
    queries = {
        topic.topic_id: queries_of_topic(database_url, topic_id=topic.topic_id, count=requests + WARM_UP)
        for topic in topics
    }
    rows = [
        _row(
            api,
            queries[topic.topic_id],
            name=_name(topic, sizes),
            chunks=topic.chunks,
            body=_topic(topic),
            warm_up=WARM_UP,
        )
        for topic in topics
    ]
    for topic in sizes.values():
        for filtered in filters_of(database_url, topic_id=topic.topic_id)[1:]:
            some = queries[topic.topic_id][: REQUESTS_FILTERED + WARM_UP_FILTERED]
            name = _name(topic, sizes)
            rows.append(_row(api, some, name=name, chunks=filtered.chunks, body=filtered.body, filtered=filtered.name))
    largest = sizes["largest"]
    for style in STYLES:
        some = [query for query in queries[largest.topic_id] if query.style == style]
        name = _name(largest, sizes)
        rows.append(_row(api, some, name=name, chunks=largest.chunks, body=_topic(largest), filtered=f"({style})"))
    rows += _of_matches(api, queries[largest.topic_id], largest)
    mixed = [query for group in zip(*queries.values(), strict=False) for query in group]
    mixed = mixed[: requests + WARM_UP_FILTERED]
    total = sum(topic.chunks for topic in every_topic)
    rows.append(_row(api, mixed, name="all topics", chunks=total, body={}))
    return rows


def _of_matches(api: SearchApi, queries: Sequence[ScaleQuery], topic: TopicSize) -> list[Row]:
    """Lists of all that matches in the largest topic: counted, grouped by document and ordered by date, and phrases."""
    some = queries[: REQUESTS_FILTERED + WARM_UP_FILTERED]
    quoted = [replace(query, text=f'"{query.text}"') for query in queries if query.style == "heading"]
    return [
        _row(api, asked, name="largest", chunks=topic.chunks, body={**_topic(topic), **body}, filtered=name)
        for name, asked, body in (
            ("(with facets)", some, {"facets": True}),
            ("(documents, newest first)", some, DOCUMENTS),
            ("(phrases)", quoted, {}),
        )
    ]


def _warm(database_url: str) -> None:
    """Have the server hold what it would hold after some hours of searches, as far as it has room.

    Through the indexes: what a scan of a whole large table reads is not kept.
    """
    with psycopg.connect(database_url, connect_timeout=10) as connection:
        connection.execute("SET enable_seqscan = off; SET enable_bitmapscan = off")
        for column, table, key in (
            ("page", "kb_chunk", "id"),
            ("get_byte(postings, length(postings) - 1)", "kb_posting", "segment_id, term"),  # reads the whole of it
            ("space_id", "kb_chunk_embedding", "chunk_id"),
        ):
            connection.execute(
                f"SELECT count(value) FROM (SELECT {column} AS value FROM {table} ORDER BY {key} OFFSET 0)"
            )


def _row(
    api: SearchApi,
    queries: Sequence[ScaleQuery],
    *,
    name: str,
    chunks: int,
    body: dict[str, Any],
    filtered: str = "",
    warm_up: int = WARM_UP_FILTERED,
) -> Row:
    warm_up = min(warm_up, len(queries) // 2)
    for query in queries[:warm_up]:
        api.search_with({"query": query.text, "limit": CUTOFF, **body})
    http_ms, server_ms, counts, ranks = [], [], [], []
    for query in tqdm(queries[warm_up:], desc=f"{name} {filtered}", unit="query", mininterval=2):
        started = time.perf_counter()
        answer = api.search_with({"query": query.text, "limit": CUTOFF, **body})
        http_ms.append((time.perf_counter() - started) * 1000)
        server_ms.append(answer["took_ms"])
        results = [(hit["source"]["id"], hit["section"]) for hit in answer["results"]]
        counts.append(len(results))
        if query.gold and set(body) <= {"topic_id", "facets"}:
            ranks.append(results.index(query.gold) if query.gold in results else None)
    return Row(
        topics=name,
        chunks=chunks,
        filtered=filtered,
        http_ms=percentiles(http_ms),
        server_ms=percentiles(server_ms),
        found=_mean(counts),
        top1=_mean([rank == 0 for rank in ranks]) if ranks else None,
        recall=_mean([rank is not None for rank in ranks]) if ranks else None,
    )


def _topic(topic: TopicSize) -> dict[str, Any]:
    return {"topic_id": topic.topic_id}


def _name(topic: TopicSize, sizes: dict[str, TopicSize]) -> str:
    return next((name for name, sized in sizes.items() if sized == topic), f"no. {topic.place}")


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
