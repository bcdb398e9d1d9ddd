"""A segment that cannot be read is left out by who meets it, told once, and made again by the next gathering."""

import logging

import pytest

from search.embedders.spaces import active_space
from search.index.chunk_store import pending_sources
from search.index.postgres.segments import merge
from search.index.postgres.segments.damage import TRIES, read_again
from search.index.postgres.vectors.quantized_segments import complete
from search.models import FreshSource, Posting, Segment, SegmentCodes
from search.retrieval import Scope, retrieve
from sources.models import Chunk
from tests.factories import make_topic
from tests.integrity import all_found, damage
from tests.search.corpus import add_source

pytestmark = pytest.mark.django_db
CUT_MEMBERS = "UPDATE kb_segment SET source_ids = substr(source_ids, 1, 7) WHERE id = %s"
NO_MEMBERS = "UPDATE kb_segment SET chunk_ids = '' WHERE id = %s"
CUT_LISTS = "UPDATE kb_posting SET postings = substr(postings, 2) WHERE segment_id = %s"
PLACES_BEYOND = "UPDATE kb_posting SET postings = '\\xffff00' WHERE segment_id = %s"
UNREADABLE = pytest.mark.parametrize("statement", [CUT_MEMBERS, NO_MEMBERS, CUT_LISTS, PLACES_BEYOND])


def found(word: str, mode: str = "lexical", *, topic_id: int | None = 1) -> set[str]:
    return {hit.text for hit in retrieve(word, scope=Scope(topic_id=topic_id), mode=mode).hits}


def errors(caplog: pytest.LogCaptureFixture) -> list[str]:
    return [record.getMessage() for record in caplog.records if record.levelno == logging.ERROR]


@pytest.fixture
def two_segments(monkeypatch: pytest.MonkeyPatch) -> Segment:
    """The segment of "water of the river", beside one of "water of the well"."""
    monkeypatch.setattr(merge, "ABSORBED", 0)
    add_source("water of the river")
    [first] = Segment.objects.all()
    add_source("water of the well")
    assert Segment.objects.count() == 2
    return first


@UNREADABLE
def test_search_that_meets_damage_finds_rest_and_tells_it_once(
    two_segments: Segment, statement: str, caplog: pytest.LogCaptureFixture
) -> None:
    damage(statement, two_segments.pk)
    assert found("water") == {"water of the well"}
    assert found("water", topic_id=None) == {"water of the well"}
    [told] = errors(caplog)
    assert str(two_segments.pk) in told


@UNREADABLE
def test_what_a_search_left_out_is_gathered_anew(two_segments: Segment, statement: str) -> None:
    damage(statement, two_segments.pk)
    found("water")
    assert merge.merge_pending() == 1
    assert found("water") == {"water of the river", "water of the well"}
    assert not Segment.objects.filter(pk=two_segments.pk).exists()
    complete(active_space())
    assert all_found() == {}


@UNREADABLE
def test_damage_keeps_nothing_that_is_fresh_from_being_gathered(
    statement: str, caplog: pytest.LogCaptureFixture
) -> None:
    add_source("water of the river")
    [segment] = Segment.objects.all()
    damage(statement, segment.pk)
    add_source("water of the well")  # gathers, and would merge the two
    assert not FreshSource.objects.exists()
    assert len(errors(caplog)) == 1
    merge.merge_pending()
    assert found("water") == {"water of the river", "water of the well"}
    assert all_found() == {}


@UNREADABLE
def test_compaction_goes_past_damage_that_it_meets(two_segments: Segment, statement: str) -> None:
    Chunk.objects.all().delete()
    damage(statement, two_segments.pk)
    assert merge.compact() == 1
    merge.merge_pending()
    assert not Segment.objects.exists()


def test_only_what_is_damaged_is_gathered_anew(two_segments: Segment) -> None:
    [sound] = Segment.objects.exclude(pk=two_segments.pk)
    elsewhere = make_topic()
    add_source("water of the sea", topic=elsewhere)
    damage(CUT_MEMBERS, two_segments.pk)
    merge.make_again(two_segments.pk)
    assert [fresh.source.title for fresh in FreshSource.objects.all()] == [""]
    assert found("river") == {"water of the river"}
    merge.merge_pending()
    assert Segment.objects.filter(pk=sound.pk).exists()
    assert Segment.objects.filter(topic=elsewhere).count() == 1


def test_a_segment_that_is_gone_is_not_made_again(two_segments: Segment) -> None:
    two_segments.delete()
    Posting.objects.filter(segment_id=two_segments.pk).delete()
    merge.make_again(two_segments.pk)
    assert not FreshSource.objects.exists()


def test_unreadable_codes_are_dropped_told_once_and_remade(
    two_segments: Segment, caplog: pytest.LogCaptureFixture
) -> None:
    before = bytes(SegmentCodes.objects.get(segment=two_segments).codes)
    damage("UPDATE kb_segment_codes SET codes = substr(codes, 2) WHERE segment_id = %s", two_segments.pk)
    for _ in range(2):
        assert found("river", "semantic") == {"water of the river", "water of the well"}
    [told] = errors(caplog)
    assert str(two_segments.pk) in told
    assert complete(active_space()) == 1
    assert bytes(SegmentCodes.objects.get(segment=two_segments).codes) == before


def test_codes_are_not_made_of_members_that_cannot_be_read(two_segments: Segment) -> None:
    SegmentCodes.objects.all().delete()
    damage(CUT_MEMBERS, two_segments.pk)
    assert complete(active_space()) == 1
    assert [one.pk for one in Segment.objects.filter(damaged=True)] == [two_segments.pk]


def test_impacts_of_a_wrong_length_keep_no_other_chunk_from_its_own(two_segments: Segment) -> None:
    river, well = Chunk.objects.order_by("pk")
    damage("UPDATE kb_chunk SET impacts = substr(impacts, 2) WHERE id = %s", river.pk)
    for chunk in (river, well):
        pending_sources.mark_pending(chunk.source_id, topic_id=1)
    assert merge.merge_pending() == 2
    assert found("river") == {"water of the river"}
    assert found("well") == {"water of the well"}


def test_what_is_replaced_at_every_try_is_given_up() -> None:
    """An error of ours may be a LookupError too: it is to be seen, not to keep a search for ever."""
    tries = []

    def replaced() -> None:
        tries.append(1)
        raise KeyError

    with pytest.raises(KeyError):
        read_again(replaced)
    assert len(tries) == TRIES
