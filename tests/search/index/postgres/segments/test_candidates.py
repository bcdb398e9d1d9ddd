"""Candidates: those that may be among the best, of as many segments as there are, and more where some are gone."""

import random

import numpy as np
import pytest

from law.words.analysis import terms
from search.index.postgres.segments import candidates, merge, posting_lists
from search.index.postgres.segments.candidates import SelectedChunks
from search.index.postgres.segments.members import mask_with, members
from search.models import Segment
from search.ranking import word_query
from search.ranking.word_query import QueryTerm
from sources.citations import title_matching
from sources.citations.title_matching import title_query
from sources.models import Chunk
from sources.scope import Scope
from tests.search.corpus import add_source
from tests.search.searching import by_words, weighed

pytestmark = pytest.mark.django_db
TOPIC = Scope(topic_id=1)


def query_terms(query: str) -> list[QueryTerm]:
    return list(weighed(query, TOPIC).terms)


def find(query: str, *, best: int, count: int = 200) -> SelectedChunks:
    return candidates.find(query_terms(query), topic_ids=[1], mask=None, best=best, count=count)


def five_and_thirty() -> tuple[set[int], set[int]]:
    """Five passages with a rare and a common word, thirty with the common one."""
    rare = add_source(*["water tax"] * 5)
    common = add_source(*["water of the river"] * 30)
    return (
        set(Chunk.objects.filter(source=rare).values_list("pk", flat=True)),
        set(Chunk.objects.filter(source=common).values_list("pk", flat=True)),
    )


def test_what_comes_to_far_less_than_the_last_that_is_wanted_is_left_out() -> None:
    rare, _ = five_and_thirty()
    found = find("water tax", best=5)
    assert set(found.chunk_ids) == rare
    assert not found.complete


def test_what_comes_to_far_less_is_there_where_more_are_wanted() -> None:
    rare, common = five_and_thirty()
    found = find("water tax", best=6)
    assert set(found.chunk_ids) == rare | common
    assert found.complete


def test_there_are_never_more_than_asked_for() -> None:
    rare, _ = five_and_thirty()
    found = find("water tax", best=10, count=10)
    assert len(found.chunk_ids) == 10
    assert set(found.chunk_ids) >= rare
    assert not found.complete


def test_where_the_best_are_gone_those_that_come_to_far_less_are_found() -> None:
    rare, common = five_and_thirty()
    Chunk.objects.filter(pk__in=rare).delete()
    assert {chunk_id for chunk_id, _ in by_words("water tax", TOPIC, limit=5)} <= common
    assert len(by_words("water tax", TOPIC, limit=5)) == 5
    assert len(by_words("water tax", TOPIC, limit=100)) == 30


def test_where_all_are_gone_the_search_ends() -> None:
    five_and_thirty()
    Chunk.objects.all().delete()
    assert by_words("water tax", TOPIC, limit=5) == []


@pytest.mark.parametrize("count", [1, 7, 40, 1_000])
def test_the_highest_of_many_segments_are_those_of_one(count: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(merge, "ABSORBED", 0)
    dice = random.Random(count)
    words = ["water", "tax", "river", "land", "bank", "deposit", "minor", "well"]
    for _ in range(4):
        add_source(*(" ".join(dice.choices(words, k=dice.randrange(1, 12))) for _ in range(15)))
    assert Segment.objects.count() == 4
    query = [one for one in query_terms("river tax bank") if one.weight]
    weights = candidates.term_weights(query, topic_ids=[1])
    lists, _ = posting_lists.lists_of(weights, topic_ids=[1])
    scores: dict[int, float] = {}
    for segment in Segment.objects.all():
        chunk_ids, _ = members(segment.pk)
        held = {pair: stored[segment.pk] for pair, stored in lists.items() if segment.pk in stored}
        known = candidates.scores_of(held, len(chunk_ids), weights=weights)
        scores |= dict(zip(chunk_ids.tolist(), known.tolist(), strict=True))
    highest = sorted((value for value in scores.values() if value > 0), reverse=True)[:count]
    found = candidates._find(query, topic_ids=[1], mask=None, best=count, count=count)
    assert sorted((scores[chunk_id] for chunk_id in found.chunk_ids), reverse=True) == pytest.approx(highest)
    assert found.complete == (count >= sum(value > 0 for value in scores.values()))


def test_sources_outside_are_neither_found_nor_missed() -> None:
    inside = add_source("water tax", "nothing of the kind")
    add_source(*["water tax"] * 20)
    found = candidates.find(
        query_terms("water tax"), topic_ids=[1], mask=mask_with(np.array([inside.pk], np.int64)), best=5, count=200
    )
    assert found.chunk_ids == [Chunk.objects.get(source=inside, text="water tax").pk]
    assert found.complete


@pytest.mark.parametrize("most", [1, 2, 3])
def test_a_query_of_more_words_than_are_looked_up_is_answered(most: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """Also where the documents have another spelling of a word that is not looked up."""
    monkeypatch.setattr(word_query, "MAX_STEMS", most)
    add_source("רשיון בטחון תכנית בצוע")
    assert len(weighed("רישיון ביטחון תוכנית ביצוע", TOPIC).frequencies) == most
    assert len(by_words("רישיון ביטחון תוכנית ביצוע", TOPIC, limit=5)) == 1


def test_sources_too_short_to_be_named_do_not_take_the_place_of_others(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(title_matching, "MAX_TITLES", 3)
    for number in range(10):
        add_source("a notice", title=f"Water rates notice {number}", kind="circular")
    named = add_source("the first", "the second", title="Water rates order of the port", kind="circular")
    query = terms("dues under the water rates order of the port")
    assert [one.source_id for one in title_query(query, scope=TOPIC).fetch()(2)] == [named.pk]
