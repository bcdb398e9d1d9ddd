"""Search by meaning: by the codes of vectors the same is found as by comparing all."""

from typing import Any

import numpy as np
import pytest
from django.db import connection, transaction

from search.embedders.spaces import active_space
from search.index import IndexContext, engine
from search.index.chunk_store import similarities
from search.index.postgres.segments import merge
from search.index.postgres.segments.lru_cache import LruCache
from search.index.postgres.vectors import quantized_candidates, quantized_segments
from search.index.protocol import Vector
from search.models import Segment, SegmentCodes
from search.ranking.fusion import Ranking
from sources.models import Chunk
from sources.scope import Scope
from tests.factories import make_source, make_topic
from tests.search.corpus import add_source, passage
from tests.search.searching import nearest, vector_of

pytestmark = pytest.mark.django_db

WORDS = ["bank", "bridge", "deposit", "harbour", "pilot", "interest", "court", "appeal", "tax", "water"]
TOPIC = Scope(topic_id=1)


def texts(number: int, seed: int = 7) -> list[str]:
    random = np.random.default_rng(seed)
    return [" ".join(random.choice(WORDS, size=6)) for _ in range(number)]


def found(words: str, scope: Scope = TOPIC, *, limit: int) -> Ranking:
    return nearest(vector_of(words), scope, limit=limit).ranking


def exact(vector: Vector, scope: Scope = TOPIC, *, limit: int) -> dict[int, float]:
    return dict(similarities.exact(vector, space=active_space(), scope=scope, limit=limit))


@pytest.fixture
def _few_candidates(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every step leaves some out, as in a large topic."""
    monkeypatch.setattr(quantized_candidates, "ALIKE", 120)
    monkeypatch.setattr(quantized_candidates, "ALIKE_SHARE", 0.0)
    monkeypatch.setattr(quantized_candidates, "LIKELY_FOR_ONE", 2)
    monkeypatch.setattr(quantized_candidates, "CANDIDATES", 45)
    monkeypatch.setattr(quantized_candidates, "CANDIDATES_FOR_ONE", 1)


def test_the_nearest_come_first_with_their_similarity() -> None:
    add_source(*texts(50))
    order = [similarity for _, similarity in found("bank deposit interest", limit=10)]
    assert len(order) == 10
    assert order == sorted(order, reverse=True)
    assert all(-1.01 <= similarity <= 1.01 for similarity in order)


def test_equally_near_passages_come_by_number() -> None:
    source = add_source(*["The bank pays interest."] * 40)
    numbers = sorted(source.chunks.values_list("pk", flat=True))
    with connection.cursor() as cursor:  # an update moves the rows to the end of the table, as a restore may
        cursor.execute("UPDATE kb_chunk_embedding SET topic_id = topic_id WHERE chunk_id = ANY(%s)", [numbers[:20]])
    assert [number for number, _ in found("bank", limit=10)] == numbers[:10]


def test_a_passage_is_as_near_whether_it_was_found_or_asked_for() -> None:
    add_source(*texts(20))
    query = vector_of("bank deposit")
    every = exact(query, limit=20)
    answer = nearest(query, TOPIC, limit=1, chunk_ids=[*every, 10**9])
    assert answer.similarities == pytest.approx(every)
    [(best, similarity)] = answer.ranking
    assert answer.similarities[best] == similarity == max(every.values())


def test_a_passage_is_judged_while_there_are_no_codes_too() -> None:
    add_source(*texts(20))
    query, chunk_ids = vector_of("bank deposit"), list(Chunk.objects.values_list("pk", flat=True))
    expected = nearest(query, TOPIC, limit=3, chunk_ids=chunk_ids)
    SegmentCodes.objects.all().delete()
    assert nearest(query, TOPIC, limit=3, chunk_ids=chunk_ids) == expected


@pytest.mark.usefixtures("_few_candidates")
@pytest.mark.parametrize(
    "scope",
    [
        TOPIC,
        Scope(topic_id=1, kinds=("circular",)),
        Scope(topic_id=None),
        Scope(topic_id=None, kinds=("regulation", "circular")),
    ],
)
def test_codes_find_what_comparing_all_does(scope: Scope, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(merge, "ABSORBED", 0)  # so that there are several
    add_source(*texts(400))
    add_source(*texts(80, seed=8), kind="circular")
    add_source(*texts(30, seed=9), topic=make_topic())
    assert Segment.objects.count() == 3
    for words in ("bank deposit", "court appeal tax", "harbour"):
        worst = min(exact(vector_of(words), scope, limit=20).values()) - 1e-5
        ranking = found(words, scope, limit=20)
        assert len(ranking) == 20
        assert sum(similarity >= worst for _, similarity in ranking) >= 19


@pytest.mark.usefixtures("_few_candidates")
def test_a_filter_that_leaves_little_loses_no_results() -> None:
    add_source(*texts(600))
    add_source(*["water tax appeal"] * 12, kind="circular")
    assert len(found("bank deposit interest", Scope(topic_id=1, kinds=("circular",)), limit=12)) == 12


@pytest.mark.usefixtures("_few_candidates")
def test_no_result_is_missed_where_most_of_a_segment_is_gone() -> None:
    gone = add_source(*["bank deposit interest"] * 500)
    left = add_source(*["water tax appeal"] * 100)
    engine().withdraw(gone.pk)
    ranking = found("bank deposit interest", limit=40)
    assert len(ranking) == 40
    assert {number for number, _ in ranking} <= set(left.chunks.values_list("pk", flat=True))


def test_no_more_is_found_than_there_is() -> None:
    assert found("bank", limit=5) == []
    add_source(*texts(3))
    assert len(found("bank", limit=5)) == 3
    assert found("bank", Scope(topic_id=1, kinds=("circular",)), limit=5) == []


def test_what_is_in_no_segment_yet_is_found_too() -> None:
    add_source(*["water tax appeal"] * 5)
    sources = [make_source(kind=kind) for kind in ("law", "circular")]
    for source in sources:
        with engine().stage([passage("bank deposit")], context=IndexContext.of(source)) as staged, transaction.atomic():
            engine().publish(staged, source=source)
    ranking = found("bank deposit", limit=3)
    assert [number for number, _ in ranking[:2]] == [source.chunks.get().pk for source in sources]
    assert len(found("bank deposit", Scope(topic_id=1, kinds=("circular",)), limit=3)) == 1


def test_a_segment_that_is_replaced_during_a_search_is_looked_up_again(monkeypatch: pytest.MonkeyPatch) -> None:
    add_source(*texts(30))
    [old] = Segment.objects.all()
    real = quantized_segments.codes_of
    seen = []

    def replaced_at_first(segment_ids: list[Any], **options: Any) -> object:
        seen.append(list(segment_ids))
        if len(seen) == 1:
            merge._replace([old.pk], merge._living(old.pk), topic_id=1)
        return real(segment_ids, **options)

    monkeypatch.setattr(quantized_segments, "codes_of", replaced_at_first)
    monkeypatch.setattr(quantized_segments, "_kept", LruCache(most_bytes=0, size=lambda codes: codes.nbytes + 1))
    assert len(found("bank", limit=5)) == 5
    assert seen[0] == [old.pk] != seen[1]
