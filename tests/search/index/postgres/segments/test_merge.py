"""Segments: what is published is gathered, what is withdrawn goes, and concurrent work loses nothing."""

import threading
from collections.abc import Callable
from uuid import UUID

import numpy as np
import pytest
from django.db import connection, transaction

from kb_project.database.work_queue import try_lock
from search.index import IndexContext, engine
from search.index.chunk_store import pending_sources
from search.index.postgres.segments import candidates, merge
from search.index.postgres.segments import members as segment_members
from search.index.postgres.segments.lru_cache import LruCache
from search.index.postgres.segments.members import Members, chunk_ids_of, members, members_of
from search.index.postgres.segments.postings import decode_all
from search.models import FreshSource, Posting, Segment
from search.retrieval import Scope, retrieve
from sources.models import Chunk, Source
from tests.factories import make_topic
from tests.search.corpus import add_source, index, passage

TOPIC = Scope(topic_id=1)


def sizes() -> list[int]:
    return sorted(Segment.objects.values_list("chunks", flat=True))


def held() -> set[int]:
    return {chunk_id for ids in chunk_ids_of(1) for chunk_id in ids.tolist()}


def every_chunk() -> set[int]:
    return set(Chunk.objects.filter(topic_id=1).values_list("pk", flat=True))


def found(word: str) -> list[str]:
    return [hit.text for hit in retrieve(word, scope=TOPIC, mode="lexical").hits]


@pytest.mark.django_db
def test_the_lists_of_a_segment_are_those_of_its_chunks() -> None:
    add_source("water of the river", "tax on land", title="Water rates")
    add_source("a tax", kind="circular")
    [segment] = Segment.objects.all()
    chunk_ids, source_ids = members(segment.pk)
    lists = Posting.objects.filter(segment_id=segment.pk).values_list("term", "postings")
    postings = decode_all([(term, bytes(stored)) for term, stored in lists])
    for place, (chunk_id, source_id) in enumerate(zip(chunk_ids.tolist(), source_ids.tolist(), strict=True)):
        chunk = Chunk.objects.get(pk=chunk_id)
        mine = postings.places == place
        assert dict(zip(postings.terms[mine].tolist(), postings.codes[mine].tolist(), strict=True)) == dict(
            zip(chunk.term_ids, bytes(chunk.impacts), strict=True)
        )
        assert chunk.source_id == source_id
    assert not FreshSource.objects.exists()


@pytest.mark.django_db
def test_small_segments_are_merged_and_large_ones_left(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(merge, "MAX_PLACES", 30)
    for _ in range(12):
        add_source(*["water of the river"] * 5)
    assert sum(sizes()) == 60
    assert len(sizes()) <= 4
    assert max(sizes()) <= 30
    assert held() == every_chunk()
    assert len(found("water")) == 10


@pytest.mark.django_db
def test_what_comes_in_by_ones_leaves_few_segments() -> None:
    for number in range(40):
        add_source(f"water of river {number}")
    assert len(sizes()) <= 3
    assert held() == every_chunk()


@pytest.mark.django_db
def test_source_with_more_chunks_than_segment_holds_is_divided(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(merge, "MAX_PLACES", 10)
    add_source(*(f"water {number}" for number in range(25)))
    assert sizes() == [5, 10, 10]
    assert found("water 24")[0] == "water 24"


@pytest.mark.django_db
def test_source_published_again_is_found_by_its_new_words_alone() -> None:
    source = add_source("water of the river", "tax on land")
    index(source, [passage("a canal")])
    assert (found("canal"), found("water")) == (["a canal"], [])


@pytest.mark.django_db
def test_what_is_withdrawn_goes_from_the_lists_when_it_is_much() -> None:
    add_source(*["water of the river"] * 30)
    gone = add_source(*["tax on land"] * 10)
    with transaction.atomic():
        engine().withdraw(gone.pk)
    assert merge.compact() == 1
    assert sizes() == [30]
    assert held() == every_chunk()
    assert len(found("water")) == 10
    with transaction.atomic():
        engine().withdraw(Source.objects.exclude(pk=gone.pk).get().pk)
    assert merge.compact() == 1
    assert sizes() == []
    assert not Posting.objects.exists()


@pytest.mark.django_db
def test_a_segment_of_which_little_is_gone_is_left() -> None:
    add_source(*["water of the river"] * 30)
    [before] = Segment.objects.values_list("pk", flat=True)
    Chunk.objects.filter(seq=3).delete()
    assert merge.compact() == 0
    assert list(Segment.objects.values_list("pk", flat=True)) == [before]


@pytest.mark.django_db
def test_chunks_whose_impacts_are_damaged_are_found() -> None:
    source = add_source("water of the river")
    Chunk.objects.update(impacts=b"")
    pending_sources.mark_pending(source.pk, topic_id=1)
    merge.merge_pending()
    assert found("river") == ["water of the river"]


@pytest.mark.django_db
def test_source_without_chunks_does_not_keep_the_others_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(merge, "GATHERED_AT_ONCE", 1)
    empty, full = add_source("tax"), add_source("water of the river")
    Chunk.objects.filter(source=empty).delete()
    for source in (empty, full):
        pending_sources.mark_pending(source.pk, topic_id=1)
    assert merge.merge_pending() == 1
    assert not FreshSource.objects.exists()


@pytest.mark.django_db
def test_a_topic_is_gathered_apart() -> None:
    add_source("water of the river")
    add_source("water of the well", topic=make_topic())
    assert sizes() == [1, 1]
    assert Segment.objects.values("topic_id").distinct().count() == 2


@pytest.mark.django_db
def test_a_segment_that_is_gone_is_not_replaced_again() -> None:
    add_source("water of the river")
    [old] = Segment.objects.all()
    members_of([old.pk])
    merge._replace([old.pk], merge._living(old.pk), topic_id=1)
    assert members_of([old.pk])
    with pytest.raises(LookupError, match="is gone"):
        members(old.pk)
    assert not merge._compact(old.pk, topic_id=1)
    assert sizes() == [1]


@pytest.mark.django_db
def test_a_segment_replaced_during_a_read_is_read_again(monkeypatch: pytest.MonkeyPatch) -> None:
    add_source("water of the river")
    [old] = Segment.objects.all()
    asked = []

    def replaced_at_first(segment_ids: list[UUID]) -> list[Members]:
        asked.extend(segment_ids)
        if len(asked) == 1:
            merge._replace([old.pk], merge._living(old.pk), topic_id=1)
        return members_of(segment_ids)

    monkeypatch.setattr(candidates, "members_of", replaced_at_first)
    monkeypatch.setattr(segment_members, "_kept", LruCache(most_bytes=0, size=lambda members: members.size))
    assert found("river") == ["water of the river"]
    assert asked[0] == old.pk != asked[-1]


def run(*steps: Callable[[], object]) -> None:
    threads = [threading.Thread(target=step) for step in steps]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(timeout=60)
        assert not thread.is_alive()


@pytest.mark.django_db(transaction=True)
def test_what_is_published_again_while_it_is_gathered_stays_fresh() -> None:
    """The gathering reads the old chunks; if it took the note of the new ones with it, no search would find them."""
    with engine().stage([passage("water")], context=IndexContext(topic_id=1, kind="law", title="")) as staged:
        source = Source.objects.create(topic_id=1, kind="law", title="")
        with transaction.atomic():
            engine().publish(staged, source=source)
    published, gathered = threading.Event(), threading.Event()

    def republish() -> None:
        try:
            with (
                engine().stage([passage("a canal")], context=IndexContext(topic_id=1, kind="law", title="")) as again,
                transaction.atomic(),
            ):
                engine().publish(again, source=source)
                published.set()
                assert gathered.wait(60)
        finally:
            connection.close()

    def gather() -> None:
        try:
            assert published.wait(60)
            merge.merge_pending()
        finally:
            gathered.set()
            connection.close()

    run(republish, gather)
    assert found("canal") == ["a canal"]
    assert merge.merge_pending() == 1
    assert found("canal") == ["a canal"]
    assert found("water") == []


@pytest.mark.django_db(transaction=True)
def test_one_process_gathers_at_a_time_and_searches_go_on() -> None:
    add_source("water of the river")
    pending_sources.mark_pending(Source.objects.get().pk, topic_id=1)
    counts: list[int] = []

    def gather() -> None:
        try:
            counts.append(merge.merge_pending())
        finally:
            connection.close()

    with transaction.atomic():
        assert try_lock(merge.GATHER_LOCK)
        run(gather)
    assert counts == [0]
    assert found("river") == ["water of the river"]
    assert merge.merge_pending() == 1
    assert np.concatenate(list(chunk_ids_of(1))).size >= 1
