"""Other ways to search the same chunks in the same database, beside the service on the same queries."""

import json
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tqdm import tqdm

from bench.metrics import CUTOFF, Percentiles, percentiles
from bench.scale.client import SearchApi
from bench.scale.database import in_django
from bench.scale.queries import ScaleQuery, queries_of_topic
from bench.scale.scopes import TopicSize, three_sizes, topics_by_size
from bench.scale.text_vectors import text_vector
from bench.stack import PROJECT, Stack

QUERIES = 60
ON_THE_FLY = 3  # queries for SearchRank without a stored vector: each reads the whole topic
NOT_INSTALLED = 3  # the exit code of the peer's program when its package is missing
SERVICE, SEARCH_RANK = "this service", "Django SearchRank"
PGVECTOR_STORE = "LlamaIndex PGVectorStore, hybrid"

Answers = Sequence[tuple[float, Sequence[Sequence[Any]]]]  # milliseconds; (source id, section) of each result


@dataclass(frozen=True, slots=True)
class PeerRow:
    """A system on one topic's queries; without figures `note` says why there are none."""

    topics: str
    chunks: int
    system: str
    took_ms: Percentiles
    recall: float = 0.0
    top1: float = 0.0
    note: str = ""

    @property
    def ours(self) -> bool:
        return self.system == SERVICE


def measure_peers(api: SearchApi, *, stack: Stack, python: str, queries: int = QUERIES) -> list[PeerRow]:
    """The largest and the middle topic. `python` is an interpreter in which the peers' packages are installed."""
    topics = topics_by_size(stack.database_url)
    chunks = sum(topic.chunks for topic in topics)
    filled_s = in_django("bench.scale.search_rank:fill", chunks, environment=stack.environment)
    print(f"SearchRank's table was filled in {filled_s:.0f} s", file=sys.stderr)
    sizes = three_sizes(topics)
    rows: list[PeerRow] = []
    for name in ("largest", "middle"):
        rows += _on_topic(sizes[name], name=name, api=api, stack=stack, python=python, count=queries)
    return rows


def _on_topic(topic: TopicSize, *, name: str, api: SearchApi, stack: Stack, python: str, count: int) -> list[PeerRow]:
    asked = queries_of_topic(stack.database_url, topic_id=topic.topic_id, count=count + count // 2)
    queries = [query for query in asked if query.gold][:count]
    texts = [query.text for query in queries]

    def row(system: str, answers: Answers, *, note: str = "") -> PeerRow:
        return _scored(queries, answers, system=system, topics=name, chunks=topic.chunks, note=note)

    _ours(api, queries, topic_id=topic.topic_id)  # all systems are asked twice, and the second time counts
    rows = [row(SERVICE, _ours(api, queries, topic_id=topic.topic_id))]
    for function, system, some in (
        ("stored", f"{SEARCH_RANK}, stored vectors", texts),
        ("made", f"{SEARCH_RANK}, vectors made on the fly", texts[:ON_THE_FLY]),
    ):
        answers = in_django(
            f"bench.scale.search_rank:{function}", some, topic_id=topic.topic_id, environment=stack.environment
        )
        rows.append(row(system, answers))
    answers, note = ask_pgvector_store(queries, topic_id=topic.topic_id, database_url=stack.database_url, python=python)
    return [*rows, row(PGVECTOR_STORE, answers, note=note)]


def _ours(api: SearchApi, queries: Sequence[ScaleQuery], *, topic_id: int) -> Answers:
    answers = []
    for query in tqdm(queries, desc=SERVICE, unit="query"):
        started = time.perf_counter()
        found = api.search_with({"query": query.text, "topic_id": topic_id, "limit": CUTOFF})
        took_ms = (time.perf_counter() - started) * 1000
        answers.append((took_ms, [(hit["source"]["id"], hit["section"]) for hit in found["results"]]))
    return answers


def ask_pgvector_store(
    queries: Sequence[ScaleQuery], *, topic_id: int, database_url: str, python: str
) -> tuple[Answers, str]:
    """The peer's program in its own interpreter, with the service's vectors of the queries."""
    task = {
        "database_url": database_url,
        "topic_id": topic_id,
        "limit": CUTOFF,
        "queries": [{"text": query.text, "vector": text_vector(query.text).tolist()} for query in queries],
    }
    done = subprocess.run(
        [python, "-m", "bench.scale.pgvector_store"],
        cwd=PROJECT,
        input=json.dumps(task),
        stdout=subprocess.PIPE,
        text=True,
    )
    if done.returncode == NOT_INSTALLED:
        return [], f"not installed in {python}: pip install -r requirements-bench.txt, see docs/scale.md"
    done.check_returncode()
    return json.loads(done.stdout.splitlines()[-1]), ""


def _scored(
    queries: Sequence[ScaleQuery], answers: Answers, *, system: str, topics: str, chunks: int, note: str
) -> PeerRow:
    recalls, firsts = [], []
    for query, (_, results) in zip(queries, answers, strict=False):
        found = [(source_id, section) for source_id, section in results]
        recalls.append(query.gold in found)
        firsts.append(found[:1] == [query.gold])
    return PeerRow(
        topics=topics,
        chunks=chunks,
        system=system,
        took_ms=percentiles([took_ms for took_ms, _ in answers]),
        recall=sum(recalls) / max(1, len(recalls)),
        top1=sum(firsts) / max(1, len(firsts)),
        note=note,
    )
