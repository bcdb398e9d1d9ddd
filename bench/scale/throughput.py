"""Searches a second: many clients at once, each of which asks the next as soon as it has an answer."""

import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from itertools import cycle, islice
from typing import Any

from bench.metrics import Percentiles, percentiles
from bench.scale.client import SearchApi
from bench.scale.latency import Case
from bench.stack import Stack

CLIENTS = (4, 16)
SECONDS, WARM_UP_S = 15.0, 3.0


@dataclass(frozen=True, slots=True)
class Throughput:
    """What so many clients got in how many seconds, and how long each answer took."""

    clients: int
    seconds: float
    took_ms: Percentiles

    @property
    def searches_per_s(self) -> float:
        return self.took_ms.count / self.seconds


def measure_throughput(stack: Stack, case: Case, *, seconds: float = SECONDS) -> list[Throughput]:
    """Searches of the case for each number of clients, after some that do not count."""
    bodies = [case.request(query) for query in case.queries]
    rows = []
    for clients in CLIENTS:
        _ask_all(stack, bodies, clients=clients, seconds=WARM_UP_S)
        took = _ask_all(stack, bodies, clients=clients, seconds=seconds)
        rows.append(Throughput(clients, seconds, percentiles(took)))
    return rows


def _ask_all(stack: Stack, bodies: Sequence[dict[str, Any]], *, clients: int, seconds: float) -> list[float]:
    """Milliseconds of each search."""

    def ask(client: int) -> list[float]:
        took, own = [], islice(cycle(bodies), client * len(bodies) // clients, None)
        with closing(SearchApi(stack.base_url, stack.api_key)) as api:
            until = time.perf_counter() + seconds
            while time.perf_counter() < until:
                took.append(api.timed(next(own))[1])
        return took

    with ThreadPoolExecutor(clients) as pool:
        return [one for took in pool.map(ask, range(clients)) for one in took]
