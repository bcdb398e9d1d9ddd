"""Long posting lists are kept from search to search, and never longer than they are true."""

from __future__ import annotations

import random

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from search.index import withdraw
from search.index.postgres import lexical
from search.index.postgres.lexical import prepare
from search.index.postgres.segments import candidates, gathering, posting_lists
from search.index.postgres.segments.lru_cache import Kept
from search.index.postgres.segments.posting_lists import TermLists
from search.index.postgres.segments.postings import TopicTerm
from search.models import Chunk, Segment
from search.retrieve import retrieve
from search.scope import Scope
from search.text.analysis import terms
from tests.factories import make_topic
from tests.search.corpus import add_source
from topics.models import Topic

TOPIC = Scope(topic_id=1)


def kept(most_bytes: int) -> Kept[TopicTerm, TermLists]:
    return Kept(most_bytes=most_bytes, size=lambda lists: lists.size)


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
    return lexical.search(prepare(terms(query), scope=scope), scope=scope, limit=limit)


def texts(query: str, scope: Scope = TOPIC) -> list[str]:
    return [hit.text for hit in retrieve(query, scope=scope, mode="lexical").hits]


@pytest.mark.usefixtures("_every_list_is_long")
def test_a_list_that_was_read_is_not_read_again() -> None:
    add_source("water of the river", "tax on land")
    before = found("water tax")
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM kb_posting")  # as never happens: what is found now was kept
    assert found("water tax") == before
    assert len(before) == 2


@pytest.mark.usefixtures("_every_list_is_long")
def test_one_round_trip_reads_what_is_missing_of_a_query_of_which_much_is_kept() -> None:
    add_source("water of the river", "tax on land")
    found("water")
    with CaptureQueriesContext(connection) as asked:
        assert len(found("water tax")) == 2
    assert sum("kb_posting" in query["sql"] for query in asked) == 1


@pytest.mark.usefixtures("_every_list_is_long")
def test_what_is_published_after_a_list_was_kept_is_found() -> None:
    add_source("water of the river")
    assert texts("water") == ["water of the river"]
    add_source("water of the sea")
    assert sorted(texts("water")) == ["water of the river", "water of the sea"]


@pytest.mark.usefixtures("_every_list_is_long")
def test_what_comes_into_a_segment_of_its_own_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gathering, "ABSORBED", 0)
    for place in ("river", "sea", "well"):
        add_source(f"water of the {place}")
        assert f"water of the {place}" in texts("water")
    assert Segment.objects.count() == 3
    assert len(texts("water")) == 3


@pytest.mark.usefixtures("_every_list_is_long")
def test_what_is_withdrawn_is_not_found_before_and_after_its_segment_is_replaced() -> None:
    gone = add_source(*["water of the river"] * 5)
    add_source("water of the sea")
    assert len(texts("water")) == 6
    withdraw(gone.pk)
    assert texts("water") == ["water of the sea"]
    assert gathering.compact() == 1
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


def test_ids_that_two_topics_share_bring_the_lists_of_both(other: Topic) -> None:
    """An id has 32 bits: over all topics two stems may well have the same."""
    mine, its = (prepare(terms("water"), scope=Scope(topic_id=topic_id)) for topic_id in (1, other.pk))
    [[(_, term)]], [[(_, same)]] = mine.ids.values(), its.ids.values()
    with connection.cursor() as cursor:
        cursor.execute("UPDATE kb_posting SET term = %s WHERE term = %s", [term, same])
    query = candidates.Wanted(ids=[(1, term), (other.pk, term)], worth=1.0, frequency=2)
    chunks = set(Chunk.objects.values_list("pk", flat=True))
    for _ in range(2):
        assert set(candidates.find([query], topic_id=None, inside=None, best=10, count=10).chunk_ids) == chunks


@pytest.mark.usefixtures("_every_list_is_long")
def test_every_search_gives_the_same_whatever_was_kept_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gathering, "ABSORBED", 0)
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
