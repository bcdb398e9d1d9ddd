"""Search by words: the posting lists bring what scoring every passage would, and nothing goes missing."""

import random
from collections.abc import Iterator

import pytest
from django.db import connection

from search.index import engine
from search.index.chunk_store import scoring
from search.index.postgres.segments import candidates, merge
from search.models import FreshSource, Segment
from search.ranking.fusion import Ranking
from sources.models import Chunk
from sources.scope import Scope
from tests.factories import make_topic
from tests.search.corpus import add_source
from tests.search.searching import by_words, weighed

pytestmark = pytest.mark.django_db
TOPIC = Scope(topic_id=1)


@pytest.fixture(autouse=True, params=["gathered", "fresh"])
def _where(request: pytest.FixtureRequest) -> Iterator[None]:
    """Every test goes by posting lists, and again by what no posting list has yet, as another process is at them."""
    other = connection.copy()
    if request.param == "fresh":
        with other.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_lock(%s)", [merge.GATHER_LOCK])
    yield
    with other.cursor() as cursor:  # closing the connection would free it a moment later
        cursor.execute("SELECT pg_advisory_unlock_all()")
    other.close()
    assert Segment.objects.exists() == (request.param == "gathered")
    assert FreshSource.objects.exists() == (request.param == "fresh")


def texts() -> list[str]:
    """Ten passages with `water`, ten with `tax`, one with both."""
    return [*["water of the river"] * 10, *["tax on land"] * 10, "water and tax"]


def scores(query: str, scope: Scope, *, limit: int = 10) -> list[float]:
    return [round(score, 4) for _, score in by_words(query, scope, limit=limit)]


def held(found: Ranking) -> list[str]:
    return list(Chunk.objects.filter(pk__in=[chunk_id for chunk_id, _ in found]).values_list("text", flat=True))


def test_common_words_bring_the_passage_that_holds_them_together_first() -> None:
    add_source(*texts())
    found = scores("water tax", TOPIC, limit=1)
    assert len(found) == 1
    assert found[0] > scores("water", TOPIC)[0]


@pytest.mark.parametrize("limit", [1, 5, 21, 50])
def test_where_too_few_hold_them_together_those_that_hold_one_follow(limit: int) -> None:
    add_source(*texts())
    assert len(scores("water tax", TOPIC, limit=limit)) == min(limit, 21)


def test_words_that_only_ask_take_no_place_of_others() -> None:
    add_source(*texts(), "what could it be", "what could it do")
    found = by_words("what could water and tax be", TOPIC, limit=20)
    best = Chunk.objects.get(text="water and tax").pk
    assert found[0][0] == best
    assert sum("water" in text or "tax" in text for text in held(found)) >= 18


def test_words_of_an_identifier_find_no_more_than_they_score() -> None:
    add_source("water of the river", kind="circular", identifier="tax-77")
    add_source("a tax")
    assert len(scores("tax", TOPIC)) == 1


def test_passage_scores_same_whether_it_was_found_or_asked_for() -> None:
    add_source(*texts(), "nothing of the kind")
    every = list(Chunk.objects.values_list("pk", flat=True))
    asked = dict(engine().scores(weighed("water tax", TOPIC), chunk_ids=every))
    found = dict(by_words("water tax", TOPIC, limit=50))
    assert {chunk_id: score for chunk_id, score in asked.items() if score > 0} == pytest.approx(found)
    assert len(asked) == len(found) + 1


@pytest.mark.parametrize("seed", range(4))
def test_first_are_those_that_scoring_every_passage_puts_first(seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With as many candidates as results: then each must be right."""
    monkeypatch.setattr(scoring, "CANDIDATES", 1)
    dice = random.Random(seed)
    words = ["water", "tax", "river", "land", "bank", "deposit", "minor", "well", "canal", "port"]
    for kind in ("law", "circular"):
        add_source(
            *(" ".join(dice.choices(words, k=dice.randrange(3, 40))) for _ in range(60)), kind=kind, title="Port"
        )
    query = weighed("river tax of the bank", TOPIC)
    every = dict(engine().scores(query, chunk_ids=list(Chunk.objects.values_list("pk", flat=True))))
    tenth = sorted(every.values(), reverse=True)[9]
    found = by_words("river tax of the bank", TOPIC, limit=10)
    assert [score for _, score in found] == sorted((every[chunk_id] for chunk_id, _ in found), reverse=True)
    assert sum(score >= tenth - 1e-6 for _, score in found) >= 9


def test_with_few_postings_read_the_most_telling_words_decide(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(candidates, "MAX_POSTINGS", 1)
    add_source(*texts() * 20, "a well of water")
    assert "a well of water" in held(by_words("water well", TOPIC, limit=1))
    assert len(scores("water well", TOPIC, limit=300)) == 221


def test_a_narrow_scope_finds_all_that_lie_in_it() -> None:
    add_source(*texts())
    rare = add_source("water in a well", "nothing of the kind", "tax of a well", kind="circular")
    assert len(scores("water tax", Scope(topic_id=1, kinds=("circular",)))) == 2
    assert len(scores("water tax", Scope(topic_id=1, source_ids=(rare.pk,)))) == 2
    other = add_source("nothing of the kind")
    assert scores("water tax", Scope(topic_id=1, source_ids=(other.pk,))) == []


def test_a_scope_too_large_to_be_scored_whole_keeps_its_results(monkeypatch: pytest.MonkeyPatch) -> None:
    add_source(*texts() * 3)
    add_source("water in a well", "nothing of the kind", "tax of a well", kind="circular")
    monkeypatch.setattr(scoring, "SCORED_WHOLE", 1)
    monkeypatch.setattr(scoring, "CANDIDATES", 1)
    assert len(scores("water tax", Scope(topic_id=1, kinds=("circular",)))) == 2


def test_words_of_all_topics_are_met_in_each() -> None:
    add_source(*texts())
    add_source(*texts(), topic=make_topic())
    assert len(scores("water tax", Scope(topic_id=None), limit=42)) == 42
    assert len(set(scores("water tax", Scope(topic_id=None), limit=2))) == 1


def test_a_passage_that_was_not_counted_yet_is_found() -> None:
    add_source(*texts())
    add_source("a canal")
    assert len(scores("canal", TOPIC)) == 1


def test_what_is_gone_does_not_take_the_place_of_what_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scoring, "CANDIDATES", 3)
    best = add_source(*["water water tax tax"] * 30)
    add_source(*texts())
    Chunk.objects.filter(source=best).delete()
    assert len(scores("water tax", TOPIC, limit=20)) == 20
