"""Searches while some passages have vectors and others none: what has none is judged by what is known of it."""

import json
import zlib
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from django.test import override_settings

from answers.writing.protocol import AnswerStatus
from kb_project.clients.redis_client import shared_memory
from search.embedders import vector_notes
from search.index import engine, using
from search.index.qdrant.client import client
from search.index.qdrant.engine import QdrantIndex
from search.models import ChunkEmbedding, VectorWork
from search.retrieval import QueryVariant, Scope, retrieve
from search.retrieval.listing import Group, Listing
from search.similar import near_duplicates
from sources.models import Chunk
from tests.answers.asking.asking import ask
from tests.factories import make_topic
from tests.qdrant_server import QdrantServer
from tests.rerank_server import TEI, RerankServer
from tests.search.corpus import add_source
from tests.search.embedders.stub import Service
from tests.search.index.filling import fill, forget_failures, openai, service

pytestmark = pytest.mark.django_db
__all__ = ["forget_failures", "openai", "service"]  # fixtures

BEST = "Whoever holds a fishing licence pays the fee in March."
QUERY = "Who pays the fee for a fishing licence?"
SUBJECTS = {"fishing": 1, "licence": 2, "fee": 3}
OTHERS = [f"The licence of boat {number} is kept by its holder." for number in range(40)]
BOATS = [f"Boat {number} sails north." for number in range(40)]
TOPIC = Scope(topic_id=1)


def vector(text: str) -> list[float]:
    """Nearer the more subjects are shared, with what is the text's own."""
    made = np.random.default_rng(zlib.crc32(text.encode())).normal(0, 0.1, 32)
    made[0] = 2.0
    for word, place in SUBJECTS.items():
        made[place] += word in text
    return [float(one) for one in made]


@pytest.fixture(params=["postgres", "qdrant"])
def index(request: pytest.FixtureRequest) -> Iterator[None]:
    if request.param == "postgres":
        yield
        return
    client.cache_clear()
    with QdrantServer(api_key="secret") as server:
        named = override_settings(KB_INDEX="qdrant", KB_QDRANT_URL=server.url, KB_QDRANT_API_KEY="secret")
        with named, using(QdrantIndex()):
            engine().maintain()
            yield
    client.cache_clear()


@pytest.fixture
def vectors(index: None, openai: Any, service: Service, monkeypatch: pytest.MonkeyPatch) -> list[ChunkEmbedding]:
    """Those of the best passage, of eighty others of its topic, and of another topic."""

    def answer(request: dict[str, Any]) -> bytes:
        made = [{"index": index, "embedding": vector(text)} for index, text in enumerate(request["input"])]
        return json.dumps({"data": made}).encode()

    monkeypatch.setattr(service, "answer", answer)
    openai()
    add_source(BEST, kind="law")
    add_source(*OTHERS, *BOATS, kind="law")
    add_source(*(f"A levy on land {number}." for number in range(30)), topic=make_topic())
    fill()
    engine().maintain()
    return list(ChunkEmbedding.objects.all())


def only(*texts: str, among: list[ChunkEmbedding]) -> None:
    """Have the passages that hold one of the texts have their vectors, and no others."""
    held = {pk for pk, text in Chunk.objects.values_list("pk", "text") if any(one in text for one in texts)}
    ChunkEmbedding.objects.all().delete()
    VectorWork.objects.all().delete()
    ChunkEmbedding.objects.bulk_create(row for row in among if row.chunk_id in held)
    if len(held) < len(among):
        vector_notes.note_all()


STATES: dict[str, tuple[str, ...]] = {
    "all": ("",),
    "others alone": ("boat", "Boat", "levy"),
    "few others": ("boat 7", "Boat 9", "levy on land 3."),
    "the best alone": ("fishing",),
    "none": (),
}
WAYS: dict[str, Callable[[], list[str]]] = {
    "one topic": lambda: texts(scope=TOPIC),
    "all topics": lambda: texts(scope=Scope(topic_id=None)),
    "a filter": lambda: texts(scope=Scope(topic_id=1, kinds=("law",))),
    "several wordings": lambda: texts(scope=TOPIC, expansions=[QueryVariant("price of a fishing permit")]),
    "a sentence": lambda: texts(scope=TOPIC, expansions=[QueryVariant("A fishing licence costs a fee.", True)]),
    "words of which most are unknown": lambda: texts("דמי fishing licence אגרה שנתית", scope=TOPIC),
    "no question": lambda: texts("fee fishing licence", scope=TOPIC),
    "by meaning": lambda: texts(scope=TOPIC, mode="semantic"),
    "a list": lambda: texts(scope=TOPIC, listing=Listing(facets=True)),
    "documents": lambda: texts(scope=TOPIC, listing=Listing(group=Group.DOCUMENT)),
    "a list by meaning": lambda: texts(scope=TOPIC, mode="semantic", listing=Listing(facets=True)),
}


def texts(query: str = QUERY, **options: Any) -> list[str]:
    return [hit.text for hit in retrieve(query, **options).hits]


def test_the_best_passage_comes_first_whatever_has_a_vector(vectors: list[ChunkEmbedding]) -> None:
    for state, having in STATES.items():
        only(*having, among=vectors)
        for way, search in WAYS.items():
            assert search()[:1] == [BEST], (way, state)


def test_a_question_is_answered_whatever_has_a_vector(vectors: list[ChunkEmbedding]) -> None:
    for state, having in STATES.items():
        only(*having, among=vectors)
        answer = ask(QUERY)
        assert answer["status"] == AnswerStatus.ANSWERED, state
        assert [one["quote"] for one in answer["citations"]] == [BEST], state


def test_a_reranker_gets_the_best_passage_whatever_has_a_vector(vectors: list[ChunkEmbedding], settings: Any) -> None:
    with RerankServer(TEI, score=lambda query, text: -float(text == BEST)) as server:
        settings.KB_RERANKER, settings.KB_RERANKER_URL, settings.KB_RERANKER_TIMEOUT_S = "http", server.url, 60.0
        settings.KB_RERANKER_PASSAGES = 2
        for state, having in STATES.items():
            only(*having, among=vectors)
            assert texts(scope=TOPIC)[1] == BEST, (state, "it was one of two, and is the second by the reranker")
    shared_memory().flushdb()  # nobody is left alone


def test_near_duplicates_are_found_whatever_has_a_vector(vectors: list[ChunkEmbedding]) -> None:
    law = "\n".join(OTHERS)
    copy = Chunk.objects.get(text=OTHERS[0]).source_id
    for having in STATES.values():
        only(*having, among=vectors)
        assert copy in near_duplicates(law, topic_id=1, least=0.4)
