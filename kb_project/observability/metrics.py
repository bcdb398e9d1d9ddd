"""Metrics for Prometheus: what the web processes count, and what apps read from the database at each scrape.

HTTP requests and searches are counted by each web process, in files that its siblings on the machine can read
(`PROMETHEUS_MULTIPROC_DIR`), so that whichever is asked tells the sum. Memory and connections are told by process.
All else is derived from rows when it is asked for: jobs and their events, traces of answers, integrity runs. Workers
are not scraped and write no counters: whichever process is asked gives the same figures, and a restart loses none.
"""

import contextlib
import logging
import os
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path

import psutil
from django.conf import settings
from django.db import connection
from django.utils.module_loading import autodiscover_modules
from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, PlatformCollector
from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily
from prometheus_client.exposition import choose_encoder
from prometheus_client.metrics_core import Metric
from prometheus_client.multiprocess import MultiProcessCollector, mark_process_dead

from kb_project.observability import METRICS_DIRECTORY

logger = logging.getLogger(__name__)

SECONDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0)
METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
Read = Callable[[], Iterable[Metric]]

REGISTRY = CollectorRegistry()
PLATFORM = PlatformCollector(registry=None)
REQUESTS = Counter("kb_http_requests", "Requests that were answered.", ["route", "method", "status"], registry=REGISTRY)
REQUEST_SECONDS = Histogram(
    "kb_http_request_duration_seconds",
    "Time to the end of the answer, streams included.",
    ["route"],
    buckets=SECONDS,
    registry=REGISTRY,
)
SEARCH_SECONDS = Histogram(
    "kb_search_duration_seconds",
    "Time of a retrieval, whether searched, asked or called by an agent.",
    ["mode"],
    buckets=SECONDS,
    registry=REGISTRY,
)
EXPANSIONS = Counter(
    "kb_query_expansions", "Queries, by where other wordings of them came from.", ["outcome"], registry=REGISTRY
)
FOLLOW_UPS = Counter(
    "kb_follow_ups",
    "Follow-up questions, by whether a model put them so that they stand alone.",
    ["outcome"],
    registry=REGISTRY,
)
RERANKINGS = Counter(
    "kb_rerankings", "Searches with a reranker, by what became of the re-ranking.", ["outcome"], registry=REGISTRY
)
POOL = Gauge(
    "kb_db_pool_connections",
    "Database connections of the web processes.",
    ["state"],
    registry=REGISTRY,
    multiprocess_mode="livesum",
)
POOL_WAITING = Gauge(
    "kb_db_pool_waiting", "Requests that wait for a connection.", registry=REGISTRY, multiprocess_mode="livesum"
)
READS = Counter(
    "kb_reads",
    "Requests that may be read from a standby, by the server that they were read from.",
    ["on"],
    registry=REGISTRY,
)
REPLICA_LAG = Gauge(
    "kb_replica_lag_seconds",
    "For how long at most the primary had what a standby has not.",
    ["standby"],
    registry=REGISTRY,
    multiprocess_mode="livemax",
)
_reads: dict[str, Read] = {}


@cache
def _load() -> None:
    """Have the module `metrics` of each app register what it reads. Only processes that are scraped need it."""
    autodiscover_modules("metrics")


def observe_request(*, method: str, route: str, status: int, seconds: float) -> None:
    """Count an answered request. `route` is the name of its path, of which there are only so many."""
    REQUESTS.labels(route=route, method=method if method in METHODS else "other", status=str(status)).inc()
    REQUEST_SECONDS.labels(route=route).observe(seconds)
    _note_pool()


def register(name: str, read: Read) -> None:
    """Add what an app reads from the database at each scrape, for its module `metrics`. Replaces its namesake."""
    _reads[name] = read


def exposition(accept: str = "") -> tuple[bytes, str]:
    """All metrics in the format that the Accept header asks for, and its content type.

    What cannot be read is left out, logged, and counted in `kb_metrics_unreadable`.
    """
    if _shared_directory():
        forget_ended_processes()
    encode, content_type = choose_encoder(accept)
    return encode(_Everything()), content_type


class _Everything(CollectorRegistry):
    """What the web processes counted, then what is read now."""

    def collect(self) -> Iterator[Metric]:
        yield from PLATFORM.collect()
        if path := _shared_directory():
            yield from MultiProcessCollector(None, path).collect()
        else:
            yield from REGISTRY.collect()
        unreadable = GaugeMetricFamily("kb_metrics_unreadable", "Parts of the metrics that could not be read.")
        failed = 0
        _load()
        for name, read in _reads.items():
            try:
                yield from list(read())
            except Exception:  # a scrape gives what it can: above all while the database is away
                failed += 1
                logger.warning("The metrics of %s could not be read", name, exc_info=True)
        unreadable.add_metric([], failed)
        yield unreadable


def _shared_directory() -> str:
    return os.environ.get(METRICS_DIRECTORY, "")


def web_processes() -> list[psutil.Process]:
    """The web processes of this server that are alive, this one among them."""
    alive = [psutil.Process()]
    for pid in _counted_pids() - {os.getpid()}:
        with contextlib.suppress(psutil.NoSuchProcess):
            process = psutil.Process(pid)
            ended = process.status() == psutil.STATUS_ZOMBIE  # and nobody has collected it yet
            if process.ppid() == os.getppid() and not ended:
                alive.append(process)
    return sorted(alive, key=lambda process: process.pid)


def forget_ended_processes() -> None:
    """What a process tells only while it lives, as of its connections, goes with it. What it counted stays."""
    for pid in _counted_pids() - {process.pid for process in web_processes()}:
        mark_process_dead(pid, _shared_directory())


def _counted_pids() -> set[int]:
    path = _shared_directory()
    return {int(file.stem.rpartition("_")[2]) for file in Path(path).glob("*_[0-9]*.db")} if path else set()


def _processes() -> Iterator[Metric]:
    """The names that Prometheus's clients give these, with the process as a label."""
    memory = GaugeMetricFamily("process_resident_memory_bytes", "Memory of a web process.", labels=["pid"])
    cpu = CounterMetricFamily("process_cpu_seconds", "Processor time of a web process.", labels=["pid"])
    started = GaugeMetricFamily("process_start_time_seconds", "When a web process was started.", labels=["pid"])
    for process in web_processes():
        with contextlib.suppress(psutil.NoSuchProcess), process.oneshot():
            label, times = [str(process.pid)], process.cpu_times()
            memory.add_metric(label, process.memory_info().rss)
            cpu.add_metric(label, times.user + times.system)
            started.add_metric(label, process.create_time())
    yield from (memory, cpu, started)


def _note_pool() -> None:
    """Put down how this process's connections are used, for whichever process is asked."""
    if settings.DB_POOL_SIZE:
        stats = connection.pool.get_stats()  # type: ignore[attr-defined]  # of the PostgreSQL backend
        idle, size = stats.get("pool_available", 0), stats.get("pool_size", 0)
        in_use, free, limit = _pool_gauges()
        in_use.set(size - idle)
        free.set(idle)
        limit.set(stats.get("pool_max", 0))
        POOL_WAITING.set(stats.get("requests_waiting", 0))


@cache
def _pool_gauges() -> tuple[Gauge, Gauge, Gauge]:
    return POOL.labels(state="in_use"), POOL.labels(state="idle"), POOL.labels(state="limit")


register("processes", _processes)
