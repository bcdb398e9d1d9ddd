"""Staging, publishing and withdrawing."""

import pytest
from django.db import connection, transaction

from kb_project.errors import NotFound
from law.chunking.packing import ChunkDraft
from search.index import IndexContext, engine
from search.models import ChunkEmbedding, EmbeddingSpace
from search.retrieval import Scope, retrieve
from sources.models import Chunk, SourceKey
from tests.factories import first_topic, make_source, make_topic
from tests.search.corpus import add_source, index, passage, section

pytestmark = pytest.mark.django_db


def context(topic_id: int = 1, title: str = "") -> IndexContext:
    return IndexContext(topic_id=topic_id, kind="law", title=title)


def test_a_published_chunk_is_stored_as_it_was_drafted() -> None:
    draft = ChunkDraft(
        text="(א) הבנק ישלם", start=10, end=23, page=3, section="5א", heading="תשלום", path=("פרק א'", "סימן ב'")
    )
    source = add_source(draft, title="חוק הבנקים")
    chunk = Chunk.objects.get(source=source)
    assert (chunk.text, chunk.span_start, chunk.span_end, chunk.page) == ("(א) הבנק ישלם", 10, 23, 3)
    assert (chunk.section, chunk.heading, chunk.path) == ("5א", "תשלום", ["פרק א'", "סימן ב'"])
    assert chunk.topic_id == source.topic_id


def test_the_source_knows_how_many_chunks_it_has() -> None:
    source = add_source("one", "two", "three")
    source.refresh_from_db()
    assert source.chunk_count == 3


def test_every_chunk_has_a_vector_in_the_active_space() -> None:
    source = add_source("one", "two")
    space = EmbeddingSpace.objects.get(active=True)
    embeddings = ChunkEmbedding.objects.filter(chunk__source=source)
    assert {(row.space_id, row.topic_id, len(row.embedding)) for row in embeddings} == {
        (space.pk, source.topic_id, space.dimension)
    }
    assert len(embeddings) == 2


def test_publishing_again_replaces_the_chunks() -> None:
    source = add_source("the first text", "another text")
    index(source, [passage("only this text")])
    assert list(Chunk.objects.values_list("text", flat=True)) == ["only this text"]


def test_withdrawing_leaves_no_chunk_vector_or_key() -> None:
    kept = add_source("a bank pays interest")
    source = add_source("a bank takes deposits", title="Deposits Act")
    with transaction.atomic():
        engine().withdraw(source.pk)
        source.delete()
    engine().maintain()
    assert list(Chunk.objects.values_list("source_id", flat=True)) == [kept.pk]
    assert ChunkEmbedding.objects.count() == 1
    assert not SourceKey.objects.filter(source_id=source.pk).exists()


def test_deleting_source_row_takes_its_chunks_along_in_database() -> None:
    source = add_source("text")
    with connection.cursor() as cursor:
        cursor.execute("DELETE FROM kb_source WHERE id = %s", [source.pk])
    assert not Chunk.objects.exists()
    assert not ChunkEmbedding.objects.exists()


def test_a_source_deleted_meanwhile_is_not_published() -> None:
    source = make_source()
    with engine().stage([passage("text")], context=context()) as staged:
        source_id = source.pk
        source.delete()
        source.pk = source_id
        with pytest.raises(NotFound), transaction.atomic():
            engine().publish(staged, source=source)
    assert not Chunk.objects.exists()


def test_a_rolled_back_publication_leaves_the_old_chunks() -> None:
    source = add_source("old words")
    with (
        engine().stage([passage("new words")], context=context()) as staged,
        transaction.atomic(),
    ):
        engine().publish(staged, source=source)
        transaction.set_rollback(True)
    assert Chunk.objects.get().text == "old words"


def test_chunks_staged_for_another_topic_are_refused() -> None:
    source = make_source(topic=make_topic())
    with engine().stage([passage("text")], context=context()) as staged, pytest.raises(ValueError, match="topic"):
        engine().publish(staged, source=source)


@pytest.mark.django_db(transaction=True)
def test_publishing_outside_a_transaction_is_refused() -> None:
    source = make_source()
    with (
        engine().stage([passage("text")], context=context()) as staged,
        pytest.raises(transaction.TransactionManagementError),
    ):
        engine().publish(staged, source=source)


def test_staging_is_lazy_and_tells_how_far_it_is() -> None:
    told: list[int] = []
    drafts = (passage(f"text number {number}") for number in range(150))
    with engine().stage(drafts, context=context(), on_progress=told.append) as staged:
        assert told == [64, 128, 150]
        assert staged.count == 150


def test_nothing_to_stage_publishes_nothing() -> None:
    source = add_source("text")
    index(source, [])
    source.refresh_from_db()
    assert source.chunk_count == 0
    assert not Chunk.objects.exists()


def test_texts_with_null_and_broken_characters_are_indexed() -> None:
    add_source("bank\0deposit \ud800", title="a")
    assert retrieve("deposit", scope=Scope(topic_id=first_topic().pk)).hits


def test_a_title_that_is_the_passages_own_first_line_does_not_count_twice() -> None:
    text = "Deposits of minors"
    add_source(text, title=text)
    add_source(text, title="")
    hits = retrieve("deposits of minors", scope=Scope(topic_id=1), mode="lexical").hits
    assert len({round(hit.score, 3) for hit in hits}) == 1


def test_a_heading_of_prose_in_its_passage_counts_once() -> None:
    text = "Exit facility"
    add_source(section("", text, text), kind="circular", title="")
    add_source(text, kind="circular", title="")
    hits = retrieve("exit facility", scope=Scope(topic_id=1), mode="lexical").hits
    assert len({round(hit.score, 3) for hit in hits}) == 1


def test_a_heading_of_a_statute_counts_more_than_the_text() -> None:
    add_source(section("1", "Interest", "As agreed between the parties."), section("2", "Other", "Interest is due."))
    hits = retrieve("interest", scope=Scope(topic_id=1)).hits
    assert [hit.section for hit in hits] == ["1", "2"]
