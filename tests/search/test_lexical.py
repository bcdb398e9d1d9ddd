"""Candidates of a query: common words are met together, and nothing that was asked for goes missing."""

from __future__ import annotations

import pytest

from search import candidates, lexical
from search.analysis import terms
from search.lexical import prepare, search
from search.models import Chunk
from search.scope import Scope
from tests.factories import make_topic
from tests.search.corpus import add_source

pytestmark = pytest.mark.django_db
TOPIC = Scope(topic_id=1)


@pytest.fixture
def few_expected(monkeypatch: pytest.MonkeyPatch) -> None:
    """So small a budget that the words of these tests count as common."""
    monkeypatch.setattr(candidates, "FEWEST_EXPECTED", 3)
    monkeypatch.setattr(candidates, "EXPECTED_OF_A_STEM", 1)


def texts() -> list[str]:
    """Ten passages with `water`, ten with `tax`, one with both."""
    return [*["water of the river"] * 10, *["tax on land"] * 10, "water and tax"]


def scores(query: str, scope: Scope, *, limit: int = 10) -> list[float]:
    return [round(score, 4) for _, score in search(prepare(terms(query), scope=scope), scope=scope, limit=limit)]


def held(found: list[tuple[int, float]]) -> list[str]:
    return list(Chunk.objects.filter(pk__in=[chunk_id for chunk_id, _ in found]).values_list("text", flat=True))


def test_common_words_bring_the_passage_that_holds_them_together_first(few_expected: None) -> None:
    add_source(*texts())
    found = scores("water tax", TOPIC, limit=1)
    assert len(found) == 1
    assert found[0] > scores("water", TOPIC)[0]


@pytest.mark.parametrize("limit", [1, 5, 21])
def test_where_too_few_hold_them_together_those_that_hold_one_follow(few_expected: None, limit: int) -> None:
    add_source(*texts())
    assert len(scores("water tax", TOPIC, limit=limit)) == limit


def test_those_that_hold_a_word_that_only_asks_do_not_take_the_place_of_the_others(few_expected: None) -> None:
    add_source(*texts(), "what could it be", "what could it do")
    found = search(prepare(terms("what could water and tax be"), scope=TOPIC), scope=TOPIC, limit=20)
    best = Chunk.objects.get(text="water and tax").pk
    assert found[0][0] == best
    assert sum("water" in text or "tax" in text for text in held(found)) >= 18


def test_a_passage_is_found_by_the_words_of_its_identifier_no_more_than_it_scores(few_expected: None) -> None:
    add_source("water of the river", kind="circular", identifier="tax-77")
    add_source("a tax")
    assert len(scores("tax", TOPIC)) == 1


def test_a_passage_scores_the_same_whether_it_was_found_or_asked_for() -> None:
    add_source(*texts(), "nothing of the kind")
    query = prepare(terms("water tax"), scope=TOPIC)
    every = list(Chunk.objects.values_list("pk", flat=True))
    asked = dict(lexical.scores(query, chunk_ids=every))
    found = dict(search(query, scope=TOPIC, limit=50))
    assert {chunk_id: score for chunk_id, score in asked.items() if score > 0} == pytest.approx(found)
    assert len(asked) == len(found) + 1


def test_a_budget_changes_which_passages_are_scored_and_no_score(
    few_expected: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_source(*texts())
    small = scores("water tax river", TOPIC, limit=21)
    monkeypatch.setattr(candidates, "FEWEST_EXPECTED", 10_000)
    assert small == scores("water tax river", TOPIC, limit=21)


def test_a_narrow_scope_finds_all_that_lie_in_it(few_expected: None) -> None:
    add_source(*texts())
    rare = add_source("water in a well", "nothing of the kind", "tax of a well", kind="circular")
    assert len(scores("water tax", Scope(topic_id=1, kinds=("circular",)))) == 2
    assert len(scores("water tax", Scope(topic_id=1, source_ids=(rare.pk,)))) == 2
    other = add_source("nothing of the kind")
    assert scores("water tax", Scope(topic_id=1, source_ids=(other.pk,))) == []


def test_a_scope_too_large_to_be_scored_whole_keeps_its_results(
    few_expected: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    add_source(*texts() * 3)
    add_source("water in a well", "nothing of the kind", "tax of a well", kind="circular")
    monkeypatch.setattr(lexical, "SCORED_WHOLE", 1)
    assert len(scores("water tax", Scope(topic_id=1, kinds=("circular",)))) == 2


def test_words_of_all_topics_are_met_in_each(few_expected: None) -> None:
    add_source(*texts())
    add_source(*texts(), topic=make_topic())
    assert len(scores("water tax", Scope(topic_id=None), limit=42)) == 42
    assert len(set(scores("water tax", Scope(topic_id=None), limit=2))) == 1


def test_a_passage_that_was_not_counted_yet_is_found(few_expected: None) -> None:
    add_source(*texts())
    add_source("a canal")
    assert len(scores("canal", TOPIC)) == 1
