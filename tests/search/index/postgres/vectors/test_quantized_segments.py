"""Every segment has the codes of its chunks' vectors, as soon as there are vectors of all of them."""

from typing import Any
from uuid import uuid4

import numpy as np
import pytest
from django.core.management import call_command
from django.db import connection
from django.test.utils import CaptureQueriesContext

from search.embedders.spaces import active_space
from search.index import engine
from search.index.postgres.segments import merge
from search.index.postgres.segments.lru_cache import LruCache
from search.index.postgres.segments.members import members
from search.index.postgres.vectors import quantization, quantized_candidates, quantized_segments
from search.index.postgres.vectors.quantized_segments import complete
from search.models import ChunkEmbedding, EmbeddingSpace, Segment, SegmentCodes
from sources.models import Chunk
from sources.scope import Scope
from tests.factories import make_topic
from tests.search.corpus import add_source
from tests.search.searching import nearest, vector_of

pytestmark = pytest.mark.django_db


def texts(number: int, word: str = "water") -> list[str]:
    return [f"passage number {place} of {word} and tax" for place in range(number)]


def expected(segment: Segment, space: EmbeddingSpace) -> bytes:
    """The codes as they are when made one by one."""
    vectors = dict(ChunkEmbedding.objects.filter(space=space).values_list("chunk_id", "embedding"))
    ordered = [vectors.get(chunk_id) for chunk_id in members(segment.pk).chunk_ids.tolist()]
    rows = [np.zeros(space.dimension) if one is None else np.array(one) for one in ordered]
    return quantization.encode(np.array(rows, np.float32)).stored()


def all_are_right() -> bool:
    stored = list(SegmentCodes.objects.select_related("segment", "space"))
    assert {one.segment_id for one in stored} == set(Segment.objects.values_list("pk", flat=True))
    return all(bytes(one.codes) == expected(one.segment, one.space) for one in stored)


def test_a_segment_is_made_with_the_codes_of_its_vectors(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quantized_segments, "AT_ONCE", 4)
    add_source(*texts(9))
    add_source(*texts(3, "sea"), topic=make_topic())
    assert Segment.objects.count() == 2
    assert all_are_right()


def test_segments_that_are_merged_or_replaced_have_theirs_made_anew() -> None:
    gone = add_source(*texts(5))
    add_source(*texts(6, "sea"))
    assert Segment.objects.count() == 1
    assert all_are_right()
    engine().withdraw(gone.pk)
    assert merge.compact() == 1
    assert [one.chunks for one in Segment.objects.all()] == [6]
    assert all_are_right()


def test_a_segment_gets_its_codes_when_all_vectors_are_there() -> None:
    add_source(*texts(5))
    SegmentCodes.objects.all().delete()
    [embedding] = ChunkEmbedding.objects.filter(chunk_id=Chunk.objects.latest("pk").pk)
    ChunkEmbedding.objects.filter(pk=embedding.pk).delete()
    assert complete(active_space()) == 0
    embedding.save(force_insert=True)
    assert complete(active_space()) == 1
    assert complete(active_space()) == 0
    assert all_are_right()


def test_a_chunk_that_is_gone_keeps_no_segment_from_its_codes() -> None:
    gone = add_source(*texts(2))
    add_source(*texts(8, "sea"))
    engine().withdraw(gone.pk)
    SegmentCodes.objects.all().delete()
    assert complete(active_space()) == 1
    assert all_are_right()


def test_until_the_codes_are_there_all_vectors_are_compared(monkeypatch: pytest.MonkeyPatch) -> None:
    add_source(*texts(30))
    query = vector_of("water")
    coded = nearest(query, Scope(topic_id=1), limit=10)
    SegmentCodes.objects.all().delete()
    monkeypatch.setattr(quantized_candidates, "MAX_UNCODED", 1)
    with CaptureQueriesContext(connection) as asked:
        assert nearest(query, Scope(topic_id=1), limit=10) == coded
    assert not any("nearby" in one["sql"] for one in asked)


def test_another_model_has_codes_of_its_own(settings: Any) -> None:
    add_source(*texts(5))
    old = active_space()
    settings.KB_EMBEDDER, settings.KB_EMBEDDING_DIMENSION = "hashing", 64
    add_source(*texts(3, "sea"))
    call_command("reembed")
    space = active_space()
    assert space != old
    assert [one.space_id for one in SegmentCodes.objects.all()] == [space.pk]
    assert all_are_right()


def test_segments_without_codes_are_compared_beside_those_that_have_them(monkeypatch: pytest.MonkeyPatch) -> None:
    add_source(*texts(40))
    add_source(*texts(8, "sea"))
    query, scope = vector_of("water"), Scope(topic_id=1)
    coded = nearest(query, scope, limit=10)
    small = Segment.objects.order_by("chunks").first()
    SegmentCodes.objects.filter(segment=small).delete()
    with CaptureQueriesContext(connection) as asked:
        assert nearest(query, scope, limit=10) == coded
    assert any("nearby" in one["sql"] for one in asked)
    monkeypatch.setattr(quantized_candidates, "MAX_UNCODED", 1)
    with CaptureQueriesContext(connection) as asked:
        assert nearest(query, scope, limit=10) == coded
    assert not any("nearby" in one["sql"] for one in asked)


def test_codes_that_were_read_are_not_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    add_source(*texts(5))
    [segment] = Segment.objects.all()
    space = active_space()
    before = quantized_segments.codes_of([segment.pk], space=space)
    with CaptureQueriesContext(connection) as asked:
        quantized_segments.codes_of([segment.pk], space=space)
    assert len(asked) == 0
    monkeypatch.setattr(quantized_segments, "_kept", LruCache(most_bytes=0, size=lambda codes: 500 + codes.nbytes))
    again = quantized_segments.codes_of([segment.pk], space=space)
    assert np.array_equal(again[0].levels, before[0].levels)


def test_a_segment_that_is_gone_is_told() -> None:
    with pytest.raises(LookupError, match="without codes"):
        quantized_segments.codes_of([uuid4()], space=active_space())


def test_the_layout_is_of_the_topic_that_is_asked_for() -> None:
    other = make_topic()
    add_source(*texts(2))
    add_source(*texts(2), topic=other)
    space = active_space()
    [mine, its, both] = [quantized_segments.layout(space.pk, topic_ids=topics) for topics in ([1], [other.pk], None)]
    assert sorted([*mine.segment_ids, *its.segment_ids]) == sorted(both.segment_ids)
    assert len(mine.segment_ids) == 1
    assert (list(both.uncoded), both.uncoded_chunks) == ([], 0)
    SegmentCodes.objects.filter(segment_id=its.segment_ids[0]).delete()
    assert not quantized_segments.layout(space.pk, topic_ids=[1]).uncoded
    without = quantized_segments.layout(space.pk, topic_ids=None)
    assert (list(without.uncoded), without.uncoded_chunks) == (list(its.segment_ids), 2)
