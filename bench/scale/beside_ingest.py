"""Search while laws come in at full speed, against the same searches on the idle service."""

import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import closing
from dataclasses import dataclass
from itertools import cycle
from multiprocessing import get_context
from pathlib import Path

from bench.client import Api
from bench.datasets import DataSet, Document
from bench.load import LoadedSet, ensure_topic, load
from bench.metrics import Percentiles, percentiles
from bench.scale.client import SearchApi
from bench.scale.laws import Corpus, read_corpus
from bench.scale.queries import ScaleQuery, queries_of_topic
from bench.scale.scopes import three_sizes, topics_by_size
from bench.stack import Stack
from bench.stored import count_chunks

SLUG = "ingest-beside-search"  # not one of the topics that are searched
PLACE = 1_000  # in the numbering of topics, so that its laws are in no other
LAWS = 1_200
IDLE_REQUESTS = 400
WARM_UP = 50


@dataclass(frozen=True, slots=True)
class BesideIngest:
    """Latencies in the largest topic, idle and during the ingest, and how the ingest itself went."""

    chunks: int
    idle: Percentiles
    during: Percentiles
    uploaded: LoadedSet
    new_chunks: int

    @property
    def chunks_per_s(self) -> float:
        return self.new_chunks / self.uploaded.seconds if self.uploaded.seconds else 0.0


def measure_beside_ingest(api: SearchApi, *, stack: Stack, root: Path) -> BesideIngest:
    """Ask, upload and ask on until the last job is at rest."""
    largest = three_sizes(topics_by_size(stack.database_url))["largest"]
    queries = queries_of_topic(stack.database_url, topic_id=largest.topic_id, count=IDLE_REQUESTS + WARM_UP)
    with closing(Api(stack.base_url, stack.api_key)) as admin:
        topic_id = ensure_topic(SLUG, name="Ingest beside search", api=admin)
        before = count_chunks(stack.database_url, topic_id=topic_id)
        documents = _documents(read_corpus(root), start=before, count=LAWS)
        _ask(api, queries[:WARM_UP], topic_id=largest.topic_id)
        idle = _ask(api, queries[WARM_UP:], topic_id=largest.topic_id)
        during: list[float] = []
        again = cycle(queries)
        # From a process of its own, that takes no time from who asks.
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            uploading = pool.submit(_upload, documents, stack.base_url, stack.api_key, topic_id)
            while not admin.count_jobs(topic_id=topic_id, status="processing") and not uploading.done():
                time.sleep(0.1)
            while not uploading.done():
                during += _ask(api, [next(again)], topic_id=largest.topic_id)
    return BesideIngest(
        chunks=largest.chunks,
        idle=percentiles(idle),
        during=percentiles(during),
        uploaded=uploading.result(),
        new_chunks=count_chunks(stack.database_url, topic_id=topic_id) - before,
    )


def _upload(documents: list[Document], base_url: str, api_key: str, topic_id: int) -> LoadedSet:
    """Upload as fast as documents are taken, until the last job is at rest."""
    with closing(Api(base_url, api_key)) as api:
        laws = DataSet(SLUG, "Made laws", tuple(documents))
        return load(laws, api=api, topic_id=topic_id)


def _ask(api: SearchApi, queries: Sequence[ScaleQuery], *, topic_id: int) -> list[float]:
    """Milliseconds of each."""
    return [api.timed({"query": query.text, "topic_id": topic_id, "limit": 10})[1] for query in queries]


def _documents(corpus: Corpus, *, start: int, count: int) -> list[Document]:
    """Laws made before the clock starts; those of an earlier run are others."""
    documents = []
    for number in range(start, start + count):
        outline = corpus.outline(PLACE, number, most_sections=10**6)
        name = f"law-{number:06}.txt"
        documents.append(
            Document(
                filename=name,
                content=corpus.text(PLACE, number, outline=outline),
                kind=outline.kind,
                unit=name,
                title=outline.title,
                published_at=outline.published_at.isoformat() if outline.published_at else "",
            )
        )
    return documents
