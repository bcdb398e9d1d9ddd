"""Latency of search: one client on one kept-alive connection, warmed up, mixed queries in a fixed order."""

import random
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import cycle, takewhile

from tqdm import tqdm

from bench.client import Api
from bench.datasets import Query
from bench.metrics import Percentiles, percentiles

WARM_UP = 50
REQUESTS = 1000
SEED = 20261120


@dataclass(frozen=True, slots=True)
class Latency:
    """`http_ms` is what the client waited, `server_ms` what the service says it took."""

    http_ms: Percentiles
    server_ms: Percentiles


def measure_latency(
    queries: Sequence[Query], *, api: Api, topic_id: int, until: Callable[[], bool] | None = None
) -> Latency:
    """With `until`, the queries are asked over and over for as long as it is false."""
    mixed = random.Random(SEED).sample(list(queries), min(len(queries), WARM_UP + REQUESTS))
    warm_up, timed = mixed[:WARM_UP], mixed[WARM_UP:] or mixed
    for query in warm_up:
        api.search(query.text, topic_id=topic_id)
    http_ms, server_ms = [], []
    rounds = timed if until is None else takewhile(lambda _: not until(), cycle(timed))
    for query in tqdm(rounds, desc="latency", unit="query"):
        started = time.perf_counter()
        answer = api.search(query.text, topic_id=topic_id)
        http_ms.append((time.perf_counter() - started) * 1000)
        server_ms.append(answer["took_ms"])
    return Latency(percentiles(http_ms), percentiles(server_ms))
