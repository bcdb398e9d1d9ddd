"""`python -m bench.scale`: load the laws many times over, measure search at that size, print and keep figures."""

import argparse
import dataclasses
import datetime as dt
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil

from bench import command
from bench.__main__ import machine, section
from bench.command import data_sets, keep, parser_of
from bench.scale import embedding_server, qdrant, tables
from bench.scale.beside_ingest import LAWS, BesideIngest, measure_beside_ingest
from bench.scale.client import SearchApi
from bench.scale.database import database_alone, in_django, switch_embedder
from bench.scale.index_size import IndexSize, measure_index_size
from bench.scale.latency import REQUESTS, Row, cases_of, measure_latency
from bench.scale.load import OFFLINE, Loading, load
from bench.scale.recall_rows import DenseRow, LexicalRow
from bench.scale.throughput import Throughput, measure_throughput
from bench.stack import Stack, embedded, settings_of_stack

PARTS = ("load", "latency", "ingest", "dense")
OF_ANY_INDEX = {"latency", "dense"}


@dataclasses.dataclass
class Run:
    """Everything one run measured; what was not asked for stays empty. `took_s` is how long each part ran."""

    started_at: str
    machine: dict[str, Any]
    chunks: int
    topics: int
    index: str = "postgres"
    took_s: dict[str, float] = dataclasses.field(default_factory=dict)
    loading: Loading | None = None
    index_size: IndexSize | None = None
    filled: dict[str, qdrant.Filled] = dataclasses.field(default_factory=dict)
    latency: list[Row] = dataclasses.field(default_factory=list)
    throughput: list[Throughput] = dataclasses.field(default_factory=list)
    lexical: list[LexicalRow] = dataclasses.field(default_factory=list)
    beside_ingest: BesideIngest | None = None
    reembed_s: float = 0.0
    dense_latency: list[Row] = dataclasses.field(default_factory=list)
    dense: list[DenseRow] = dataclasses.field(default_factory=list)
    dense_size: IndexSize | None = None


def arguments() -> argparse.Namespace:
    parser = parser_of("bench.scale", __doc__)
    parser.add_argument("--data-dir", type=Path, required=True, help="where the data are, or are to be; they are kept")
    parser.add_argument("--chunks", type=int, default=440_000, help="how many to load (%(default)s)")
    parser.add_argument("--topics", type=int, default=10, help="in how many topics (%(default)s)")
    parser.add_argument("--only", default=",".join(PARTS), help="which of %(default)s, separated by commas")
    parser.add_argument(
        "--index", choices=("postgres", "qdrant"), default="postgres", help="what is asked; Qdrant's engine is embedded"
    )
    parser.add_argument("--requests", type=int, default=REQUESTS, help="timed searches for each topic (%(default)s)")
    parser.add_argument("--laws", type=int, default=LAWS, help="uploaded while searches go on (%(default)s)")
    chosen = parser.parse_args()
    chosen.only = [part.strip() for part in chosen.only.split(",")]
    if unknown := set(chosen.only) - set(PARTS):
        parser.error(f"no such part: {', '.join(sorted(unknown))}")
    if chosen.index == "qdrant" and set(chosen.only) - OF_ANY_INDEX:
        parser.error("--index qdrant needs --only with latency, dense or both")
    return chosen


def main() -> int:
    chosen = arguments()
    started_at = dt.datetime.now(dt.UTC).isoformat(timespec="seconds")
    measured = Run(started_at, machine(), chosen.chunks, chosen.topics, chosen.index)
    try:
        measure_all(measured, chosen=chosen, root=data_sets())
    finally:
        report(measured)
    return 0


def measure_all(run: Run, *, chosen: argparse.Namespace, root: Path) -> None:
    """The parts in the order in which each finds the data as it needs them: first those of the offline default."""
    folder, only = chosen.data_dir, chosen.only
    folder.mkdir(parents=True, exist_ok=True)
    if "load" in only:
        with timed(run, "load"):
            run.loading = load(folder, root=root, chunks=chosen.chunks, topics=chosen.topics)
        with database_alone(folder) as environment:
            run.index_size = measure_index_size(environment["DATABASE_URL"])
    if {"latency", "ingest"} & set(only):
        run.took_s["back to the offline embedder"] = switch_embedder(folder, OFFLINE)
        with stack_with(OFFLINE, run=run, folder=folder) as (stack, api):
            if "latency" in only:
                with timed(run, "latency"):
                    run.latency = measure_latency(api, database_url=stack.database_url, requests=chosen.requests)
                with timed(run, "searches a second"):
                    largest, *_ = cases_of(stack.database_url, requests=chosen.requests)
                    run.throughput = measure_throughput(stack, largest)
            if "latency" in only and run.index == "postgres":
                with timed(run, "lexical against all matches"):
                    run.lexical = in_django(
                        "bench.scale.recall:measure_lexical", stack.database_url, environment=stack.environment
                    )
            if "ingest" in only:
                with timed(run, "ingest"):
                    run.beside_ingest = measure_beside_ingest(api, stack=stack, root=root, laws=chosen.laws)
    if "dense" in only:
        with embedding_server.running() as base_url:
            with_vectors(run, chosen=chosen, base_url=base_url)


def with_vectors(run: Run, *, chosen: argparse.Namespace, base_url: str) -> None:
    """The parts that need vectors of a model, here those of the local embedding server."""
    settings = embedding_server.environment(base_url)
    run.reembed_s = run.took_s["reembed"] = switch_embedder(chosen.data_dir, settings)
    with stack_with(settings, run=run, folder=chosen.data_dir) as (stack, api):
        if "dense" in chosen.only:
            run.dense_size = measure_index_size(stack.database_url)
            with timed(run, "latency with vectors"):
                run.dense_latency = measure_latency(api, database_url=stack.database_url, requests=chosen.requests)
        if "dense" in chosen.only and run.index == "postgres":
            with timed(run, "dense recall"):
                run.dense = in_django(
                    "bench.scale.recall:measure_dense", stack.database_url, environment=stack.environment
                )


@contextmanager
def stack_with(settings: Mapping[str, str], *, run: Run, folder: Path) -> Iterator[tuple[Stack, SearchApi]]:
    """The embedded service on the data with these settings and the run's index, and a client of it."""
    with (
        index_of(run, settings, folder=folder) as of_index,
        settings_of_stack({**settings, **of_index}),
        embedded(folder, keep=True) as stack,
    ):
        api = SearchApi(stack.base_url, stack.api_key)
        try:
            yield stack, api
        finally:
            api.close()


@contextmanager
def index_of(run: Run, settings: Mapping[str, str], *, folder: Path) -> Iterator[dict[str, str]]:
    """The settings that lead to the index, which is filled before; what is measured of it is noted afterwards."""
    if run.index == "postgres":
        yield {}
        return
    chunks, fill_s, optimize_s = qdrant.fill(folder, settings)
    with qdrant.serving(folder) as server:
        yield qdrant.settings_of(server)
        run.filled[settings["KB_EMBEDDER"]] = qdrant.Filled(
            chunks, fill_s, optimize_s, disk=qdrant.disk_of(folder), memory=psutil.Process(server.pid).memory_info().rss
        )


@contextmanager
def timed(run: Run, part: str) -> Iterator[None]:
    started = time.monotonic()
    yield
    run.took_s[part] = round(time.monotonic() - started, 1)


def report(run: Run) -> None:
    """Print the tables of what was measured, and keep the figures as JSON."""
    print(f"# Scale of {run.started_at}, index in {run.index}, revision {run.machine['revision']}\n")
    shown: list[tuple[str, Any, Callable[[Any], str]]] = [
        ("Loading", run.loading, tables.loading),
        ("Index size", run.index_size, tables.index_size),
        ("Filling Qdrant's engine", run.filled, tables.filled),
        ("Latency over HTTP, offline default", run.latency, tables.latency),
        ("Searches a second in the largest topic", run.throughput, tables.throughput),
        ("First ten by the words against scoring every match", run.lexical, tables.lexical),
        ("Search beside a full-speed ingest, offline default", run.beside_ingest, tables.beside_ingest),
        ("Latency over HTTP with 384-dimension vectors", run.dense_latency, tables.latency),
        ("Dense recall against exact search", run.dense, tables.dense),
        ("Size with those vectors", run.dense_size, tables.index_size),
        ("How long each part took", run.took_s, tables.took),
    ]
    for title, measured, table in shown:
        if measured:
            section(title, table(measured))
    figures = dataclasses.asdict(run)
    if run.beside_ingest:
        del figures["beside_ingest"]["uploaded"]["sources"]
    keep(f"scale-{run.started_at}", figures)


if __name__ == "__main__":
    sys.exit(command.run(main))
