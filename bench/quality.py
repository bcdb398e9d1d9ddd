"""Search quality: ask every query of a set over HTTP and compare the first ten results with the gold."""

import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

from tqdm import tqdm

from bench.client import Api
from bench.datasets import DataSet, Query
from bench.load import LoadedSet
from bench.metrics import Percentiles, Scores, percentiles, score

Rank = Callable[[Query], Sequence[str]]


@dataclass(slots=True)
class Quality:
    """Scores by style of query, and how long the queries took."""

    scores: dict[str, Scores]
    latency_ms: Percentiles
    server_ms: Percentiles | None = None
    matches: dict[str, int] = field(default_factory=dict)


def measure(rank: Rank, queries: Iterable[Query], *, label: str) -> Quality:
    """Scores of any ranking function, one query at a time."""
    answers: dict[str, list[tuple[Sequence[str], frozenset[str]]]] = defaultdict(list)
    took_ms: list[float] = []
    for query in tqdm(list(queries), desc=label, unit="query"):
        started = time.perf_counter()
        ranked = rank(query)
        took_ms.append((time.perf_counter() - started) * 1000)
        answers[query.style].append((ranked, query.gold))
    return Quality({style: score(rows) for style, rows in answers.items()}, percentiles(took_ms))


def measure_service(dataset: DataSet, loaded: LoadedSet, *, api: Api, queries: Sequence[Query]) -> Quality:
    """Scores of the service itself; a result of a source that is not the set's counts as a miss."""
    server_ms: list[float] = []
    matches: Counter[str] = Counter()

    def rank(query: Query) -> list[str]:
        answer = api.search(query.text, topic_id=loaded.topic_id)
        server_ms.append(answer["took_ms"])
        matches.update(result["match"] for result in answer["results"][:1])
        return [
            dataset.unit(loaded.sources[source_id], result["section"] or "")
            if (source_id := result["source"]["id"]) in loaded.sources
            else ""
            for result in answer["results"]
        ]

    quality = measure(rank, queries, label=f"{dataset.name}: search")
    quality.server_ms = percentiles(server_ms)
    quality.matches = dict(matches)
    return quality
