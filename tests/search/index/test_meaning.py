"""What vectors that follow are worth to a search: joined with the words, and scaled by how they lie."""

import json
from typing import Any

import numpy as np
import pytest

from kb_project.errors import ProviderError
from search.index.spread import MIN_VECTORS
from search.models import VectorSpread
from search.ranking import fusion
from search.retrieval import Match, Scope, fusing, retrieve
from tests.factories import make_topic
from tests.search.corpus import add_source
from tests.search.embedders.stub import Service
from tests.search.index.filling import fill, forget_failures, openai, service

pytestmark = pytest.mark.django_db
__all__ = ["forget_failures", "openai", "service"]  # fixtures


TOPIC = Scope(topic_id=1)


def spread(topic_id: int | None = 1) -> VectorSpread:
    """Of a topic, or of all together."""
    return VectorSpread.objects.get(topic_id=topic_id) if topic_id else VectorSpread.objects.get(topic=None)


def test_hybrid_search_joins_words_and_meaning(openai: Any) -> None:
    openai()
    add_source("bank deposits", "bridges and tunnels")
    fill()
    hits = retrieve("bank deposits", scope=TOPIC).hits
    assert hits[0].match is Match.BOTH
    assert {hit.match for hit in hits} <= {Match.BOTH, Match.SEMANTIC}


def test_hybrid_search_goes_by_the_words_when_the_embedder_fails(openai: Any, service: Service) -> None:
    openai()
    add_source("bank deposits")
    fill()
    service.failures = [(500, {})]
    assert [hit.match for hit in retrieve("deposits", scope=TOPIC).hits] == [Match.LEXICAL]


def test_semantic_search_says_that_the_embedder_failed(openai: Any, service: Service) -> None:
    openai()
    add_source("bank deposits")
    fill()
    service.failures = [(500, {})]
    with pytest.raises(ProviderError):
        retrieve("deposits", scope=TOPIC, mode="semantic")


def test_vectors_of_two_models_are_never_compared(openai: Any, settings: Any) -> None:
    openai()
    add_source("bank deposits")
    fill()
    settings.KB_EMBEDDING_MODEL = "another-model"
    for mode in ("semantic", "hybrid"):
        hits = retrieve("deposits", scope=TOPIC, mode=mode).hits
        assert [(hit.match, hit.meaning) for hit in hits] == [("lexical", None)], "it goes by the words"


def test_the_spread_of_each_topic_is_measured_and_measured_again_when_it_grew(openai: Any) -> None:
    openai()
    add_source(*[f"bank number {number} of town {number % 7}" for number in range(40)])
    add_source("alone", topic=make_topic())
    fill()
    measured = [(one.topic_id, one.vectors, len(one.mean)) for one in VectorSpread.objects.order_by("vectors")]
    assert measured == [(1, 40, 32), (None, 41, 32)]
    assert 0 < spread().deviation < 1
    add_source("one more")
    fill()
    assert spread().vectors == 40
    add_source(*[f"river number {number}" for number in range(40)])
    fill()
    assert spread().vectors == 81


@pytest.fixture
def scaled(monkeypatch: pytest.MonkeyPatch) -> list[Any]:
    """The spreads by which searches scaled similarities, one of each."""
    spreads: list[Any] = []

    def watched(*given: Any, **named: Any) -> Any:
        spreads.append(named["spread"])
        return fusion.fuse_scores(*given, **named)

    monkeypatch.setattr(fusing, "fuse_scores", watched)
    return spreads


def test_a_passage_nearer_than_others_is_told_from_those_as_near_as_any(openai: Any, scaled: list[Any]) -> None:
    openai()
    add_source(*[f"the bank of the river {number} is wet" for number in range(40)], "deposits of money in a bank")
    fill()
    assert retrieve("money deposits", scope=TOPIC).hits[0].text == "deposits of money in a bank"
    assert scaled[0].deviation == spread().deviation
    retrieve("money deposits", scope=TOPIC, mode="semantic")
    assert scaled[1] is None


def test_all_topics_together_tell_what_is_near_in_several(openai: Any, scaled: list[Any]) -> None:
    openai()
    other = make_topic()
    add_source(*[f"the bank of the river {number} is wet" for number in range(40)])
    add_source(*[f"a bridge over the river {number}" for number in range(MIN_VECTORS)], topic=other)
    fill()
    together, alone = (spread(topic_id).deviation for topic_id in (None, other.pk))
    for scope in (Scope(topic_id=None), Scope(topic_id=None, within=(other.pk,)), Scope(topic_id=other.pk)):
        retrieve("wet bridge", scope=scope)
    assert [one.deviation for one in scaled] == [together, together, alone]


@pytest.mark.parametrize("topics", [1, 2])
def test_a_passage_is_no_nearer_for_being_in_the_language_of_the_query(
    topics: int, openai: Any, service: Service, monkeypatch: pytest.MonkeyPatch
) -> None:
    searched = 1 if topics == 1 else None
    subjects = {"bread": 1, "לחם": 1, "ship": 2, "ספינה": 2}

    def vector(text: str) -> list[float]:
        made = np.zeros(32)
        made[0] = 3 if text.isascii() else -3  # what its language counts, beside its subject
        made[[number for word, number in subjects.items() if word in text]] = 1
        return made.tolist()

    def answer(request: dict[str, Any]) -> bytes:
        made = [{"index": index, "embedding": vector(text)} for index, text in enumerate(request["input"])]
        return json.dumps({"data": made}).encode()

    monkeypatch.setattr(service, "answer", answer)
    openai()
    add_source(*[f"the baker sells bread {number}" for number in range(MIN_VECTORS)])
    fill()
    alone = spread(searched)
    assert (alone.between_languages, alone.deviation_across) == (None, None)
    hebrew = make_topic() if topics == 2 else None
    add_source("על הלחם הזה", *[f"ספינה {number}" for number in range(MIN_VECTORS)], topic=hebrew)
    fill()
    measured = spread(searched)
    assert measured.deviation_across is not None
    assert 0 < measured.deviation_across < measured.deviation
    VectorSpread.objects.update(deviation_across=None)  # as it was before it was measured
    fill()
    assert spread(searched).deviation_across == measured.deviation_across
    hits = retrieve("a ship", scope=Scope(topic_id=searched), mode="semantic", limit=MIN_VECTORS).hits
    assert all("ספינה" in hit.text for hit in hits)
    hits = retrieve("לחם", scope=Scope(topic_id=searched), mode="semantic", limit=MIN_VECTORS).hits
    assert sum("bread" in hit.text for hit in hits) >= MIN_VECTORS - 1
