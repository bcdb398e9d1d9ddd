"""How long searches take over HTTP, by size of topic and by filter: one client on one kept-alive connection."""

from collections.abc import Iterator, Sequence
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
# Lists of all that matches: counted, grouped by document and ordered by date.
LISTS: dict[str, dict[str, Any]] = {
    "(with facets)": {"facets": True},
    "(documents, newest first)": {"group": "document", "sort": "newest", "facets": True},
}
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

    @property
    def parted(self) -> tuple[Sequence[ScaleQuery], Sequence[ScaleQuery]]:
        """The queries that only warm up, and those that are timed."""
        warm_up = min(self.warm_up, len(self.queries) // 2)
        return self.queries[:warm_up], self.queries[warm_up:]


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
    """A row for each case."""
    warm(database_url)
    return [_row(api, case) for case in cases_of(database_url, requests=requests)]


def cases_of(database_url: str, *, requests: int = REQUESTS) -> list[Case]:
    """Ten sizes of topic without a filter, three with each filter, the styles apart, lists of what matches, phrases,
    and all topics at once.
    """
    every_topic = topics_by_size(database_url)
    sizes, topics = three_sizes(every_topic), of_all_sizes(every_topic)
    queries = {
        topic.topic_id: queries_of_topic(database_url, topic_id=topic.topic_id, count=requests + WARM_UP)
        for topic in topics
    }
    mixed = [query for group in zip(*queries.values(), strict=False) for query in group]
    return [
        *(_case(topic, sizes, queries=queries[topic.topic_id], warm_up=WARM_UP) for topic in topics),
        *_filtered(database_url, sizes, queries),
        *_of_largest(sizes, queries[sizes["largest"].topic_id]),
        Case(
            topics="all topics",
            chunks=sum(topic.chunks for topic in every_topic),
            body={},
            queries=mixed[: requests + WARM_UP_FILTERED],
        ),
    ]


def _filtered(database_url: str, sizes: dict[str, TopicSize], queries: dict[int, list[ScaleQuery]]) -> Iterator[Case]:
    for topic in sizes.values():
        some = queries[topic.topic_id][: REQUESTS_FILTERED + WARM_UP_FILTERED]
        for one in filters_of(database_url, topic_id=topic.topic_id)[1:]:
            yield replace(_case(topic, sizes, queries=some, filtered=one.name), chunks=one.chunks, body=one.body)


def _of_largest(sizes: dict[str, TopicSize], queries: Sequence[ScaleQuery]) -> Iterator[Case]:
    """The styles apart, lists of all that matches, and phrases."""
    topic, some = sizes["largest"], queries[: REQUESTS_FILTERED + WARM_UP_FILTERED]
    for style in STYLES:
        yield _case(topic, sizes, queries=[one for one in queries if one.style == style], filtered=f"({style})")
    for name, more in LISTS.items():
        yield _case(topic, sizes, queries=some, filtered=name, **more)
    quoted = [replace(one, text=f'"{one.text}"') for one in queries if one.style == "heading"]
    yield _case(topic, sizes, queries=quoted, filtered="(phrases)")


def _case(
    topic: TopicSize,
    sizes: dict[str, TopicSize],
    *,
    queries: Sequence[ScaleQuery],
    filtered: str = "",
    warm_up: int = WARM_UP_FILTERED,
    **more: Any,
) -> Case:
    name = next((name for name, sized in sizes.items() if sized == topic), f"no. {topic.place}")
    body = {"topic_id": topic.topic_id, **more}
    return Case(topics=name, chunks=topic.chunks, filtered=filtered, body=body, queries=queries, warm_up=warm_up)


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


def _row(api: SearchApi, case: Case) -> Row:
    before, timed = case.parted
    for query in before:
        api.search_with(case.request(query))
    http_ms, server_ms, counts, ranks = [], [], [], []
    for query in tqdm(timed, desc=f"{case.topics} {case.filtered}", unit="query", mininterval=2):
        answer, took_ms = api.timed(case.request(query))
        http_ms.append(took_ms)
        server_ms.append(answer["took_ms"])
        results = [(hit["source"]["id"], hit["section"]) for hit in answer["results"]]
        counts.append(len(results))
        if query.gold and set(case.body) <= {"topic_id", "facets"}:
            ranks.append(results.index(query.gold) if query.gold in results else None)
    return Row(
        topics=case.topics,
        chunks=case.chunks,
        filtered=case.filtered,
        http_ms=percentiles(http_ms),
        server_ms=percentiles(server_ms),
        found=_mean(counts),
        top1=_mean([rank == 0 for rank in ranks]) if ranks else None,
        recall=_mean([rank is not None for rank in ranks]) if ranks else None,
    )


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values) if values else 0.0
