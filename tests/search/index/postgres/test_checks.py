"""Damage in the search index is found by object, and mended without touching what is right."""

import pytest
from django.db import connection

from search.index import IndexContext, engine
from search.index.chunk_store import pending_sources
from search.index.filling import fill_for
from search.index.postgres import checks
from search.index.postgres.segments import merge
from search.index.postgres.vectors import quantization
from search.models import ChunkEmbedding, EmbeddingSpace, FreshSource, Segment, SegmentCodes
from search.retrieval import Scope, retrieve
from sources.models import Chunk, SourceKey
from tests.factories import make_source, make_topic
from tests.integrity import all_found, damage, found, mended
from tests.search.corpus import add_source, passage, section

pytestmark = pytest.mark.django_db


def test_a_freshly_built_index_is_in_order_gathered_or_not() -> None:
    add_source("a bank pays interest", "another", title='חוק הבנקים, התשמ"א–1981', identifier='ע"א 1234/05')
    source = make_source(title="Deposits Act")
    with engine().stage([passage("the bank")], context=IndexContext.of(source)) as staged:
        engine().publish(staged, source=source)
    assert FreshSource.objects.exists()
    assert all_found() == {}


def test_chunks_of_no_source_are_found_and_deleted() -> None:
    kept, lost = add_source("a bank pays interest"), add_source("a bank", "a river")
    damage("DELETE FROM kb_source_key WHERE source_id = %s", lost.pk)
    damage("DELETE FROM kb_source WHERE id = %s", lost.pk)
    assert found("orphan_chunks") == {f"source {lost.pk}": "There is no such source, but there are chunks of it: 2."}
    outcome = mended("orphan_chunks")
    assert (outcome.found, outcome.repaired, outcome.remaining) == (1, 1, 0)
    assert [chunk.source_id for chunk in Chunk.objects.all()] == [kept.pk]
    assert all_found() == {}


def test_a_wrong_chunk_count_is_found_and_counted_again() -> None:
    source = add_source("one", "two")
    add_source("three")
    damage("UPDATE kb_source SET chunk_count = 1 WHERE id = %s", source.pk)
    assert found("chunk_counts") == {f"source {source.pk}": "It has 2 chunks and says 1."}
    assert mended("chunk_counts").remaining == 0
    source.refresh_from_db()
    assert source.chunk_count == 2


def test_vectors_of_no_chunk_are_found_and_deleted() -> None:
    add_source("bank")
    lost = add_source("river")
    chunk_id = Chunk.objects.get(source=lost).pk
    damage("DELETE FROM kb_chunk WHERE id = %s", chunk_id)
    assert found("orphan_embeddings") == {
        f"chunk {chunk_id}": "There is no such chunk, but there are vectors of it: 1."
    }
    assert mended("orphan_embeddings").remaining == 0
    assert ChunkEmbedding.objects.count() == 1


def test_a_vector_in_a_wrong_topic_is_found_and_moved() -> None:
    chunk_id = Chunk.objects.get(source=add_source("bank")).pk
    other = make_topic()
    damage("UPDATE kb_chunk_embedding SET topic_id = %s", other.pk)
    assert found("orphan_embeddings") == {
        f"chunk {chunk_id}": f"Its vector is filed under topic {other.pk}; the chunk is in topic 1."
    }
    assert mended("orphan_embeddings").remaining == 0
    assert ChunkEmbedding.objects.get().topic_id == 1


def test_chunks_without_a_vector_are_found_and_noted() -> None:
    source = add_source("bank", "river", title="A title")
    add_source("sea")
    vectors = dict(ChunkEmbedding.objects.values_list("chunk_id", "embedding"))
    damage("DELETE FROM kb_chunk_embedding WHERE chunk_id IN (SELECT id FROM kb_chunk WHERE source_id = %s)", source.pk)
    assert found("chunks_without_embedding") == {
        f"source {source.pk}": "Its chunks without a vector that searches use: 2."
    }
    assert mended("chunks_without_embedding").remaining == 0
    assert not found("chunks_without_embedding"), "they are noted"
    fill_for(60)
    again = dict(ChunkEmbedding.objects.values_list("chunk_id", "embedding"))
    assert again == vectors


def test_a_vector_in_a_space_that_searches_do_not_use_does_not_count() -> None:
    source = add_source("bank")
    old = EmbeddingSpace.objects.create(provider="hashing", model="older", dimension=512)
    damage("UPDATE kb_chunk_embedding SET space_id = %s", old.pk)
    assert list(found("chunks_without_embedding")) == [f"source {source.pk}"]


def test_chunks_in_no_space_are_found_and_the_check_makes_none() -> None:
    source = add_source("bank")
    damage("UPDATE kb_embedding_space SET active = false")
    assert list(found("chunks_without_embedding")) == [f"source {source.pk}"]
    assert not EmbeddingSpace.objects.filter(active=True).exists()


def test_missing_and_stale_citation_keys_are_found_and_written_anew() -> None:
    bare = add_source("text", title="Deposits Act", identifier="12/2020")
    stale = add_source("text", title="Rivers Act", identifier="13/2020")
    add_source("text", title="Lakes Act")
    keys = list(SourceKey.objects.order_by("pk").values())
    damage("DELETE FROM kb_source_key WHERE source_id = %s", bare.pk)
    damage("UPDATE kb_source_key SET identifiers = '{99/2020}' WHERE source_id = %s", stale.pk)
    assert found("citation_keys") == {
        f"source {bare.pk}": "Citations cannot find it: it has no keys for “\u2068Deposits Act\u2069”.",
        f"source {stale.pk}": "Citations find it by an older title or identifier than “\u2068Rivers Act\u2069”.",
    }
    assert mended("citation_keys").remaining == 0
    assert list(SourceKey.objects.order_by("pk").values()) == keys
    assert retrieve("13/2020", scope=Scope(topic_id=1)).hits[0].source.id == stale.pk


@pytest.mark.parametrize("change", ["title = 'Seas Act'", "identifier = '7/1999'"])
def test_a_title_or_identifier_changed_behind_the_keys_is_found(change: str) -> None:
    source = add_source("text", title="Rivers Act", identifier="13/2020")
    damage(f"UPDATE kb_source SET {change} WHERE id = %s", source.pk)
    assert list(found("citation_keys")) == [f"source {source.pk}"]
    assert mended("citation_keys").remaining == 0


def test_chunks_in_no_posting_list_are_found_and_gathered() -> None:
    source = add_source("a bank pays interest", "a river")
    other = add_source("a canal")
    Segment.objects.all().delete()
    pending_sources.mark_pending(other.pk, topic_id=other.topic_id)
    merge.merge_pending()
    assert found("unlisted_chunks") == {f"source {source.pk}": "Its chunks that searches by words cannot find: 2."}
    assert retrieve("river", scope=Scope(topic_id=1), mode="lexical").hits == ()
    assert mended("unlisted_chunks").remaining == 0
    assert len(retrieve("river", scope=Scope(topic_id=1), mode="lexical").hits) == 1
    merge.merge_pending()
    assert found("unlisted_chunks") == {}
    assert len(retrieve("river", scope=Scope(topic_id=1), mode="lexical").hits) == 1


def test_codes_that_are_not_one_for_each_vector_are_made_anew() -> None:
    add_source("water of the river", "tax on land")
    before = bytes(SegmentCodes.objects.get().codes)
    [segment] = Segment.objects.all()
    damage("UPDATE kb_segment_codes SET codes = substr(codes, 2)")
    assert found("unfit_codes") == {
        f"segment {segment.pk}": "In topic 1. Its codes are not one for each of its 2 vectors."
    }
    assert mended("unfit_codes").remaining == 0
    assert bytes(SegmentCodes.objects.get().codes) == before


def living_codes(number: int) -> tuple[list[list[int]], list[float]]:
    """Levels and scales of the first vectors."""
    stored = SegmentCodes.objects.get()
    codes = quantization.read(bytes(stored.codes), dimension=stored.space.dimension)
    return codes.levels[:number].tolist(), codes.scales[:number].tolist()


def test_codes_of_other_vectors_are_found_and_made_anew() -> None:
    add_source("water of the river", "tax on land", "a canal")
    gone = add_source("a bank")
    [segment] = Segment.objects.all()
    before = living_codes(3)
    Chunk.objects.filter(source=gone).delete()
    assert found("unfit_codes") == {}, "what is gone has no vector to compare with"
    damage("UPDATE kb_segment_codes SET codes = set_byte(codes, octet_length(codes) - 9, 200)")  # in a scale
    assert found("unfit_codes") == {
        f"segment {segment.pk}": "In topic 1. Its codes that are not those of their vectors: 1."
    }
    damage("UPDATE kb_segment_codes SET codes = overlay(codes PLACING %s FROM 3)", bytes(50))  # in the first levels
    assert list(found("unfit_codes").values()) == ["In topic 1. Its codes that are not those of their vectors: 2."]
    assert mended("unfit_codes").remaining == 0
    assert living_codes(3) == before


def test_posting_lists_of_other_words_are_found_and_remade() -> None:
    add_source("a bank pays interest", "a river")
    gone = add_source("a canal")
    [segment] = Segment.objects.all()
    bank, river, canal = (set(chunk.term_ids) for chunk in Chunk.objects.order_by("pk"))
    [term] = river - bank - canal
    Chunk.objects.filter(source=gone).delete()
    assert found("segment_postings") == {}, "entries of what is gone are right to be there"
    name = f"segment {segment.pk}"
    sentence = (
        "In topic 1. Its chunks whose words are not those of the posting lists: {}. Lists that cannot be read: {}."
    )
    damage("UPDATE kb_posting SET postings = set_byte(postings, 2, 7) WHERE term = %s", term)  # its impact
    assert found("segment_postings") == {name: sentence.format(1, 0)}
    damage("UPDATE kb_posting SET postings = set_byte(postings, 1, 7) WHERE term = %s", term)  # its place
    assert found("segment_postings") == {name: sentence.format(1, 1)}
    damage("INSERT INTO kb_posting (segment_id, term, postings) VALUES (%s, 1, '\\x000005')", segment.pk)
    assert found("segment_postings") == {name: sentence.format(2, 1)}
    assert mended("segment_postings").remaining == 0
    assert len(retrieve("river", scope=Scope(topic_id=1), mode="lexical").hits) == 1
    merge.merge_pending()
    assert found("segment_postings") == {}
    assert len(retrieve("river", scope=Scope(topic_id=1), mode="lexical").hits) == 1


def test_many_lists_and_chunks_are_compared_part_by_part(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checks, "CHUNKS_AT_ONCE", 2)
    monkeypatch.setattr(checks, "LISTS_AT_ONCE", 3)
    source = add_source(*(f"water of river {number} and bank {number * 7}" for number in range(9)))
    assert found("segment_postings") == found("segment_members") == {}
    damage("UPDATE kb_chunk SET impacts = set_byte(impacts, 0, 1) WHERE source_id = %s AND seq IN (1, 8)", source.pk)
    [sentence] = found("segment_postings").values()
    assert "posting lists: 2." in sentence


def test_members_of_other_chunks_are_found_and_remade() -> None:
    add_source("a bank pays interest", "a river")
    [segment] = Segment.objects.all()
    name = f"segment {segment.pk}"
    damage("UPDATE kb_segment SET source_ids = set_byte(source_ids, 7, 1)")
    assert found("segment_members") == {name: "In topic 1. Its chunks that it gives to another source: 1."}
    damage("UPDATE kb_segment SET chunks = 3")
    assert found("segment_members") == {name: "In topic 1. Its members cannot be read: some are cut off."}
    assert mended("segment_members").remaining == 0
    assert merge.merge_pending() == 2
    assert all_found() == {}


def test_chunks_of_before_there_were_impacts_are_found_and_weighed() -> None:
    law = add_source(section("5", "Interest", "a bank pays interest"), title="Deposits Act", identifier="DA")
    add_source("a bank pays interest", title="Circular", kind="circular")
    before = dict(Chunk.objects.values_list("pk", "impacts"))
    damage("CREATE TEMPORARY TABLE weights ON COMMIT DROP AS SELECT id, terms FROM kb_chunk")
    damage("UPDATE kb_chunk SET impacts = '', terms = '{1:2}/1000000000'")
    assert list(found("chunks_without_impacts")) == [f"source {law.pk}", f"source {law.pk + 1}"]
    assert mended("chunks_without_impacts").remaining == 0
    assert dict(Chunk.objects.values_list("pk", "impacts")) == before
    with connection.cursor() as cursor:
        cursor.execute("SELECT max(c.terms <-> w.terms) FROM kb_chunk c JOIN weights w USING (id)")
        assert cursor.fetchone()[0] == pytest.approx(0, abs=1e-4)
    assert merge.merge_pending() == 2
    assert all_found() == {}


@pytest.mark.parametrize(
    "change", ["terms = '{}/1000000000'", "terms = '{}/1000000000', term_ids = '{}', impacts = ''"]
)
def test_chunks_whose_words_are_gone_are_found_and_weighed(change: str) -> None:
    source = add_source("a bank pays interest", "a river", "– – –")
    before = list(Chunk.objects.order_by("pk").values_list("pk", "impacts", "term_ids"))
    assert before[2][2] == [], "a passage without a word is as it should be"
    damage(f"UPDATE kb_chunk SET {change} WHERE seq = 1")
    assert found("chunks_without_impacts") == {
        f"source {source.pk}": "Its chunks of which is not known what each word says: 1."
    }
    assert mended("chunks_without_impacts").remaining == 0
    assert list(Chunk.objects.order_by("pk").values_list("pk", "impacts", "term_ids")) == before
    merge.merge_pending()
    assert len(retrieve("river", scope=Scope(topic_id=1), mode="lexical").hits) == 1
    assert all_found() == {}
