"""Search quality: ask every query of a set over HTTP and compare the first ten results with the gold."""

import time
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass

from tqdm import tqdm

from bench.client import Api
from bench.datasets import DataSet, Query
from bench.load import LoadedSet
from bench.metrics import Percentiles, Scores, percentiles, score


@dataclass(slots=True)
class Quality:
    """Scores by style of query, and how long the queries took."""

    scores: dict[str, Scores]
    latency_ms: Percentiles


def measure_service(dataset: DataSet, loaded: LoadedSet, *, api: Api, queries: Sequence[Query]) -> Quality:
    """Scores of the service; a result of a source that is not the set's counts as a miss."""
    answers: dict[str, list[tuple[Sequence[str], frozenset[str]]]] = defaultdict(list)
    took_ms = []
    for query in tqdm(queries, desc=f"{dataset.name}: search", unit="query"):
        started = time.perf_counter()
        answer = api.search(query.text, topic_id=loaded.topic_id)
        took_ms.append((time.perf_counter() - started) * 1000)
        ranked = [
            dataset.unit(loaded.sources[source_id], result["section"] or "")
            if (source_id := result["source"]["id"]) in loaded.sources
            else ""
            for result in answer["results"]
        ]
        answers[query.style].append((ranked, query.gold))
    scores = {style: score(rows) for style, rows in answers.items()}
    return Quality(scores, percentiles(took_ms))
