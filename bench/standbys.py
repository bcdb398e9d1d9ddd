"""`python -m bench.standbys`: searches a second with no, one and two standbys, all servers on this machine.

So the figures tell what reading from standbys costs, not what further machines bring.
"""

import argparse
import random
import re
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import httpx2

from bench.client import Api
from bench.cluster import Cluster
from bench.datasets import DataSet, Query, load_set
from bench.latency import SEED
from bench.load import load, topic_for
from bench.metrics import Percentiles, percentiles
from bench.stack import Stack, running
from bench.tables import markdown

WARM_UP_S = 5.0
STANDBYS = (0, 1, 2)


@dataclass(frozen=True, slots=True)
class Round:
    """Searches of some clients with so many standbys. `on` counts them by the server that they were read from."""

    standbys: int
    searches: int
    seconds: float
    ms: Percentiles
    on: dict[str, int]


def arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m bench.standbys", description=__doc__)
    parser.add_argument("--data", type=Path, required=True, help="the folder of the data sets")
    parser.add_argument("--set", default="law", help="which of them (%(default)s)")
    parser.add_argument("--limit", type=int, default=150, help="about so many documents and queries (%(default)s)")
    parser.add_argument("--clients", type=int, default=4, help="that ask one after the other (%(default)s)")
    parser.add_argument("--seconds", type=float, default=20.0, help="of each round (%(default)s)")
    return parser.parse_args()


def main() -> None:
    chosen = arguments()
    dataset = load_set(chosen.set, root=chosen.data, limit=chosen.limit)
    with tempfile.TemporaryDirectory(prefix="kb-standbys-") as folder:
        cluster = Cluster(Path(folder) / "servers", standbys=max(STANDBYS)).start()
        try:
            rounds = [
                _round(count, Path(folder) / f"data{count}", cluster, dataset=dataset, chosen=chosen)
                for count in STANDBYS
            ]
        finally:
            cluster.stop()
    heads = ["standbys", "searches a second", "p50 ms", "p95 ms", "read from"]
    print(markdown(heads, [_row(one) for one in rounds]))


def _row(one: Round) -> Sequence[str]:
    read = ", ".join(f"{server} {count}" for server, count in sorted(one.on.items())) or "primary"
    rate = f"{one.searches / one.seconds:.0f}"
    return [str(one.standbys), rate, f"{one.ms.p50:.1f}", f"{one.ms.p95:.1f}", read]


def _round(count: int, data: Path, cluster: Cluster, *, dataset: DataSet, chosen: argparse.Namespace) -> Round:
    data.mkdir()
    urls = ",".join(standby.url for standby in cluster.standbys[:count])
    with running(data, DATABASE_URL=cluster.primary.url, DATABASE_REPLICA_URLS=urls) as stack:
        api = Api(stack.base_url, stack.api_key)
        topic_id = topic_for(dataset, api=api, stack=stack)
        load(dataset, api=api, topic_id=topic_id, connections=4)
        api.close()
        _search(stack, dataset.queries, topic_id=topic_id, clients=chosen.clients, seconds=WARM_UP_S)
        before = _reads(stack)
        ms = _search(stack, dataset.queries, topic_id=topic_id, clients=chosen.clients, seconds=chosen.seconds)
        on = {server: number - before.get(server, 0) for server, number in _reads(stack).items()}
    return Round(
        count, len(ms), chosen.seconds, percentiles(ms), {server: number for server, number in on.items() if number}
    )


def _search(stack: Stack, queries: Sequence[Query], *, topic_id: int, clients: int, seconds: float) -> list[float]:
    """Milliseconds of each search; every client asks the next when it has an answer."""

    def ask(client: int) -> list[float]:
        api, asked = Api(stack.base_url, stack.api_key, connections=1), random.Random(SEED + client)
        ms, until = [], time.perf_counter() + seconds
        while (began := time.perf_counter()) < until:
            api.search(asked.choice(queries).text, topic_id=topic_id)
            ms.append((time.perf_counter() - began) * 1000)
        api.close()
        return ms

    with ThreadPoolExecutor(clients) as pool:
        return [one for times in pool.map(ask, range(clients)) for one in times]


def _reads(stack: Stack) -> dict[str, int]:
    text = httpx2.get(f"{stack.base_url}/metrics", headers={"Authorization": f"Api-Key {stack.api_key}"}).text
    return {
        server: int(float(number)) for server, number in re.findall(r'^kb_reads_total\{on="(\w+)"\} (.+)$', text, re.M)
    }


if __name__ == "__main__":
    main()
