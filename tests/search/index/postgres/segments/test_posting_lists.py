"""Long posting lists are kept from search to search, and never longer than they are true."""

import random

import numpy as np
import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from law.words.analysis import terms
from law.words.term_weights import term_ids
from search.index import engine
from search.index.postgres.segments import merge, posting_lists
from search.index.postgres.segments.lru_cache import LruCache
from search.index.postgres.segments.posting_lists import TermLists
from search.index.postgres.segments.postings import TopicTerm
from search.models import Segment
from search.retrieval import retrieve
from sources.scope import Scope
from tests.factories import make_topic
from tests.search.corpus import add_source
from tests.search.searching import by_words, weighed
from topics.models import Topic

TOPIC = Scope(topic_id=1)


def kept(most_bytes: int) -> LruCache[TopicTerm, TermLists]:
    return LruCache(most_bytes=most_bytes, size=lambda lists: lists.size)


def test_a_term_without_lists_takes_room_too() -> None:
    assert TermLists(frozenset(), {}).size > 0


@pytest.fixture
def _every_list_is_long(db: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """With nothing kept before."""
    monkeypatch.setattr(posting_lists, "LONG", 1)
    monkeypatch.setattr(posting_lists, "_kept", kept(posting_lists.KEPT_BYTES))


@pytest.fixture
def other(_every_list_is_long: None) -> Topic:
    """Another topic, which has the sea as the first has the river."""
    topic = make_topic()
    add_source("water of the river")
    add_source("water of the sea", topic=topic)
    return topic


def found(query: str, scope: Scope = TOPIC, *, limit: int = 50) -> list[tuple[int, float]]:
    return list(by_words(query, scope, limit=limit))


def texts(query: str, scope: Scope = TOPIC) -> list[str]:
    return [hit.text for hit in retrieve(query, scope=scope, mode="lexical").hits]


@pytest.mark.usefixtures("_every_list_is_long")
def test_a_list_that_was_read_is_not_read_again() -> None:
    add_source("water of the river", "tax on land")
    query = weighed("water tax", TOPIC)
    before = engine().candidates(query, scope=TOPIC, limit=50)
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM kb_posting")  # as never happens: what is found now was kept
    assert engine().candidates(query, scope=TOPIC, limit=50) == before
    assert len(before) == 2


@pytest.mark.usefixtures("_every_list_is_long")
def test_one_round_trip_reads_what_a_cached_query_lacks() -> None:
    add_source("water of the river", "tax on land")
    found("water")
    with CaptureQueriesContext(connection) as asked:
        assert len(found("water tax")) == 2
    assert sum("kb_posting" in query["sql"] for query in asked) == 1  # they are counted and read at once


@pytest.mark.usefixtures("_every_list_is_long")
def test_what_is_published_after_a_list_was_kept_is_found() -> None:
    add_source("water of the river")
    assert texts("water") == ["water of the river"]
    add_source("water of the sea")
    assert sorted(texts("water")) == ["water of the river", "water of the sea"]


@pytest.mark.usefixtures("_every_list_is_long")
def test_what_comes_into_a_segment_of_its_own_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(merge, "ABSORBED", 0)
    for place in ("river", "sea", "well"):
        add_source(f"water of the {place}")
        assert f"water of the {place}" in texts("water")
    assert Segment.objects.count() == 3
    assert len(texts("water")) == 3


@pytest.mark.usefixtures("_every_list_is_long")
def test_a_withdrawn_chunk_is_not_found_in_any_segment() -> None:
    gone = add_source(*["water of the river"] * 5)
    add_source("water of the sea")
    assert len(texts("water")) == 6
    engine().withdraw(gone.pk)
    assert texts("water") == ["water of the sea"]
    assert merge.compact() == 1
    assert texts("water") == ["water of the sea"]


@pytest.mark.usefixtures("_every_list_is_long")
def test_a_word_that_no_list_had_is_found_when_one_has_it() -> None:
    add_source("water of the river")
    assert texts("canal") == []
    add_source("a canal")
    assert texts("canal") == ["a canal"]


def test_lists_that_were_kept_for_one_topic_do_not_serve_another(other: Topic) -> None:
    for _ in range(2):
        assert texts("water") == ["water of the river"]
        assert texts("water", Scope(topic_id=other.pk)) == ["water of the sea"]
        assert sorted(texts("water", Scope(topic_id=None))) == ["water of the river", "water of the sea"]


def test_ids_that_two_topics_share_bring_each_its_own_lists(other: Topic) -> None:
    """An id has 32 bits: over all topics two stems may well have the same."""
    [stem] = [term.stem_hash for term in terms("water")]
    term, same = (int(term_ids(np.array([stem], np.uint64), topic_id)[0]) for topic_id in (1, other.pk))
    with connection.cursor() as cursor:
        cursor.execute("UPDATE kb_posting SET term = %s WHERE term = %s", [term, same])
    topics = dict(Segment.objects.values_list("pk", "topic_id"))
    for _ in range(2):
        lists, _fresh = posting_lists.lists_of([(1, term), (other.pk, term)], topic_ids=[1, other.pk])
        for (topic_id, _term), stored in lists.items():
            assert {topics[segment_id] for segment_id in stored} == {topic_id}


@pytest.mark.usefixtures("_every_list_is_long")
def test_every_search_gives_the_same_whatever_was_kept_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(merge, "ABSORBED", 0)
    dice = random.Random(7)
    words = ["water", "tax", "river", "land", "bank", "deposit", "minor", "well"]
    for _ in range(4):
        add_source(*(" ".join(dice.choices(words, k=dice.randrange(2, 12))) for _ in range(20)))
        for _ in range(5):
            query = " ".join(dice.sample(words, 3))
            warm = found(query, limit=100)
            monkeypatch.setattr(posting_lists, "_kept", kept(0))
            assert found(query, limit=100) == warm
            monkeypatch.setattr(posting_lists, "_kept", kept(posting_lists.KEPT_BYTES))
            found(" ".join(dice.sample(words, 2)))
