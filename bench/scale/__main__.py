"""`python -m bench.scale`: load the laws many times over, measure search at that size, and print figures."""

import argparse
import dataclasses
import datetime as dt
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import psycopg
from tqdm import tqdm

from bench import command
from bench.__main__ import machine, section
from bench.command import data_sets, parser_of
from bench.metrics import percentiles
from bench.scale import embedding_server, tables
from bench.scale.client import SearchApi
from bench.scale.database import database_alone, in_django, switch_embedder
from bench.scale.index_size import IndexSize, measure_index_size
from bench.scale.load import OFFLINE, Loading, load
from bench.scale.queries import ScaleQuery, queries_of_topic
from bench.scale.scopes import filters_of, three_sizes, topics_by_size
from bench.scale.tables import LatencyRow
from bench.stack import Stack, running, settings_of_stack
from bench.tables import table_of

PARTS = ("load", "latency", "dense")
WARM_UP = 300  # searches of each topic before any of it is timed: the process then holds what it holds after an hour
WARM_UP_FILTERED = 50
REQUESTS = 600
CUTOFF = 10
KEPT = (
    ("page", "kb_chunk", "id"),
    ("get_byte(postings, length(postings) - 1)", "kb_posting", "segment_id, term"),  # reads the whole of it
    ("space_id", "kb_chunk_embedding", "chunk_id"),
)


@dataclasses.dataclass
class Run:
    """Everything one run measured; what was not asked for stays empty."""

    started_at: str
    machine: dict[str, Any]
    loading: Loading | None = None
    index_size: IndexSize | None = None
    latency: list[tables.LatencyRow] = dataclasses.field(default_factory=list)
    reembed_s: float = 0.0
    dense_latency: list[tables.LatencyRow] = dataclasses.field(default_factory=list)
    dense: list[tables.DenseRow] = dataclasses.field(default_factory=list)
    dense_size: IndexSize | None = None


def arguments() -> argparse.Namespace:
    parser = parser_of("bench.scale", __doc__)
    parser.add_argument("--data-dir", type=Path, required=True, help="where the data are, or are to be; they are kept")
    parser.add_argument("--chunks", type=int, default=440_000, help="how many to load (%(default)s)")
    parser.add_argument("--topics", type=int, default=10, help="in how many topics (%(default)s)")
    parser.add_argument("--only", default=",".join(PARTS), help="which of %(default)s, separated by commas")
    parser.add_argument("--requests", type=int, default=REQUESTS, help="timed searches for each topic (%(default)s)")
    chosen = parser.parse_args()
    chosen.only = [part.strip() for part in chosen.only.split(",")]
    if unknown := set(chosen.only) - set(PARTS):
        parser.error(f"no such part: {', '.join(sorted(unknown))}")
    return chosen


def main() -> int:
    chosen = arguments()
    started_at = dt.datetime.now(dt.UTC).isoformat(timespec="seconds")
    measured = Run(started_at, machine())
    try:
        measure_all(measured, chosen=chosen, root=data_sets())
    finally:
        report(measured)
    return 0


def measure_all(run: Run, *, chosen: argparse.Namespace, root: Path) -> None:
    """The parts in the order in which each finds the data as it needs them: first those of the offline default."""
    folder, only, requests = chosen.data_dir, chosen.only, chosen.requests
    folder.mkdir(parents=True, exist_ok=True)
    if "load" in only:
        run.loading = load(folder, root=root, chunks=chosen.chunks, topics=chosen.topics)
        with database_alone(folder) as environment:
            run.index_size = measure_index_size(environment["DATABASE_URL"])
    if "latency" in only:
        switch_embedder(folder, OFFLINE)
        with stack_with(OFFLINE, folder=folder) as (stack, api):
            run.latency = measure_latency(api, database_url=stack.database_url, requests=requests)
    if "dense" in only:
        with embedding_server.running() as base_url:
            settings = embedding_server.environment(base_url)
            run.reembed_s = switch_embedder(folder, settings)
            with stack_with(settings, folder=folder) as (stack, api):
                run.dense_size = measure_index_size(stack.database_url)
                run.dense_latency = measure_latency(api, database_url=stack.database_url, requests=requests)
                run.dense = in_django(
                    "bench.scale.recall:measure_dense", stack.database_url, environment=stack.environment
                )


@contextmanager
def stack_with(settings: Mapping[str, str], *, folder: Path) -> Iterator[tuple[Stack, SearchApi]]:
    """The embedded service on the data with these settings, and a client of it."""
    with (
        settings_of_stack(settings),
        running(folder) as stack,
        closing(SearchApi(stack.base_url, stack.api_key)) as api,
    ):
        yield stack, api


def report(run: Run) -> None:
    """Print the tables of what was measured."""
    print(f"# Scale of {run.started_at}, revision {run.machine['revision']}\n")
    shown: list[tuple[str, Any, Callable[[Any], str]]] = [
        ("Loading", run.loading, tables.loading),
        ("Index size", run.index_size, tables.index_size),
        ("Latency over HTTP, offline default", run.latency, table_of),
        ("Latency over HTTP with 384-dimension vectors", run.dense_latency, table_of),
        ("Dense recall against exact search", run.dense, table_of),
        ("Size with those vectors", run.dense_size, tables.index_size),
    ]
    for title, measured, table in shown:
        if measured:
            section(title, table(measured))


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


if __name__ == "__main__":
    sys.exit(command.run(main))
