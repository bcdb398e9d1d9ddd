"""Retrieval as its callers see it."""

from collections.abc import Callable
from typing import Any

import pytest
from django.db import transaction

from kb_project.errors import Invalid
from labels import assign
from search.index import engine
from search.retrieval import MAX_QUERY_LENGTH, Match, Mode, QueryVariant, Scope, reading, retrieve
from search.retrieval.retrieving import TRIES
from tests.factories import make_label
from tests.search.corpus import add_source, index, passage, section

pytestmark = pytest.mark.django_db

TOPIC = Scope(topic_id=1)


def test_the_passage_with_more_of_the_query_comes_first() -> None:
    add_source("הבנק רשאי לגבות ריבית", "הבנק ישיב את הפיקדון לבעליו עם ריבית", "דבר אחר לגמרי")
    hits = retrieve("השבת הפיקדון עם ריבית", scope=TOPIC).hits
    assert [hit.text for hit in hits] == ["הבנק ישיב את הפיקדון לבעליו עם ריבית", "הבנק רשאי לגבות ריבית"]
    assert [hit.rank for hit in hits] == [1, 2]
    assert hits[0].score > hits[1].score > 0


def test_another_form_of_the_word_is_found() -> None:
    add_source("ההסכמים ייחתמו בידי השרים")
    assert retrieve("הסכם השר", scope=TOPIC).hits


def test_highlights_are_the_words_of_the_text_that_matched() -> None:
    text = 'בנק ישראל: "הַפִּקָּדוֹן" של לקוח; הפיקדון.'
    add_source(text)
    (hit,) = retrieve("הפיקדון של לקוחות", scope=TOPIC).hits
    assert hit.text == text
    assert [text[start:end] for start, end in hit.highlights] == ["הַפִּקָּדוֹן", "לקוח", "הפיקדון"]


def test_function_words_are_marked_only_if_alone() -> None:
    add_source("the king of the hill")
    (hit,) = retrieve("of the king", scope=TOPIC).hits
    assert [hit.text[start:end] for start, end in hit.highlights] == ["king"]
    (hit,) = retrieve("of the", scope=TOPIC).hits
    assert [hit.text[start:end] for start, end in hit.highlights] == ["of", "the"] or len(hit.highlights) == 3


def test_a_word_of_the_title_is_marked_unless_the_query_names_the_act() -> None:
    title = "חוק הגנה על פיקדונות שכירות, התשפ״ד–2024"
    add_source(section("7", "השבה", "המשכיר ישיב את הפיקדון לשוכר."), title=title, kind="law")
    (hit,) = retrieve("פיקדון", scope=TOPIC).hits
    assert [hit.text[start:end] for start, end in hit.highlights] == ["הפיקדון"]
    (hit,) = retrieve("סעיף 7 לחוק הגנה על פיקדונות שכירות, שוכר", scope=TOPIC).hits
    assert [hit.text[start:end] for start, end in hit.highlights] == ["לשוכר"]


def test_coverage_says_how_much_of_the_query_a_passage_holds() -> None:
    add_source("bank deposits", "bank", title="")
    full, half = retrieve("bank deposits", scope=TOPIC).hits
    assert full.coverage == pytest.approx(1.0)
    assert 0 < half.coverage < 1


def test_a_hit_says_how_near_its_meaning_is_where_the_embedder_was_asked() -> None:
    add_source("bank deposits", "bank")
    assert [hit.similarity for hit in retrieve("bank deposits", scope=TOPIC, mode="lexical").hits] == [None, None]
    near, far = retrieve("bank deposits", scope=TOPIC, mode="semantic").hits
    assert near.similarity == pytest.approx(1.0, abs=0.01)
    assert far.similarity is not None
    assert near.similarity is not None
    assert far.similarity < near.similarity


def test_an_expansion_counts_as_coverage() -> None:
    add_source("bank deposits")
    (hit,) = retrieve("savings accounts", scope=TOPIC, expansions=[QueryVariant("bank deposits")], synonyms=False).hits
    assert hit.coverage == pytest.approx(1.0)
    assert hit.highlights == ()


def test_a_passage_is_judged_by_the_sentence_that_may_answer() -> None:
    add_source("bank deposits are insured", "my money in the bank is a lot of money")
    question = "is my money in the bank safe"
    first, second = retrieve(
        question, scope=TOPIC, expansions=[QueryVariant("deposits insured", is_sentence=True)]
    ).hits
    assert (first.text, first.coverage) == ("bank deposits are insured", pytest.approx(1.0))
    assert second.coverage == 0


def test_a_hit_says_where_it_comes_from() -> None:
    source = add_source(section("5א", "תשלום", "הבנק ישלם"), title="חוק הבנקים", identifier="ח-1", kind="law")
    label = make_label("בנקאות")
    assign.add(source, [label], by="test")
    (hit,) = retrieve("תשלום", scope=TOPIC).hits
    assert (hit.section, hit.heading, hit.page) == ("5א", "תשלום", 1)
    assert (hit.source.title, hit.source.identifier, hit.source.kind) == ("חוק הבנקים", "ח-1", "law")
    assert [(card.id, card.slug, card.name) for card in hit.source.labels] == [(label.pk, label.slug, label.name)]


def test_a_withdrawn_source_is_not_found_any_more() -> None:
    source = add_source("bank deposits", title="Deposits Act")
    with transaction.atomic():
        engine().withdraw(source.pk)
        source.delete()
    for mode in Mode:
        assert not retrieve("section 1 of the Deposits Act bank", scope=TOPIC, mode=mode).hits


def while_a_search_runs(monkeypatch: pytest.MonkeyPatch, happens: Callable[[], object], *, times: int) -> list[int]:
    """Have something happen when the passages of a search are chosen and not yet read; the list grows with each."""
    reads: list[int] = []
    read_hits = reading.read_hits

    def read(*chosen: Any, **options: Any) -> object:
        reads.append(len(reads))
        if len(reads) <= times:
            happens()
        return read_hits(*chosen, **options)

    monkeypatch.setattr(reading, "read_hits", read)
    return reads


@pytest.mark.parametrize(
    ("query", "mode"),
    [("חוזר 12/2024", "hybrid"), ("פיקדון", "hybrid"), ("פיקדון", "lexical"), ("השבת הפיקדון", "semantic")],
)
def test_a_source_that_is_indexed_anew_during_a_search_is_found(
    query: str, mode: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = add_source("הבנק ישיב את הפיקדון", title="חוזר בנקים", identifier="חוזר 12/2024")
    text = "השבת הפיקדון בידי הבנק"
    reads = while_a_search_runs(monkeypatch, lambda: index(source, [passage(text)]), times=1)
    (hit,) = retrieve(query, scope=TOPIC, mode=mode).hits
    assert (hit.source.id, hit.text, len(reads)) == (source.pk, text, 2)


def test_next_best_take_place_of_what_is_deleted_during_search(monkeypatch: pytest.MonkeyPatch) -> None:
    doomed = add_source("bank deposits of the bank", "bank deposits")
    left = add_source("bank deposits and much else", "what else there is of deposits")
    while_a_search_runs(monkeypatch, doomed.delete, times=1)
    hits = retrieve("bank deposits", scope=TOPIC, limit=2, mode="lexical").hits
    assert [(hit.rank, hit.source.id) for hit in hits] == [(1, left.pk), (2, left.pk)]


def test_a_search_ends_however_often_its_passages_are_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    source = add_source("bank deposits")
    reads = while_a_search_runs(monkeypatch, lambda: index(source, [passage("bank deposits")]), times=100)
    assert retrieve("bank deposits", scope=TOPIC).hits == ()
    assert len(reads) == TRIES


@pytest.mark.parametrize("mode", ["hybrid", "lexical", "semantic"])
def test_the_limit_is_kept_and_the_order_is_stable(mode: str) -> None:
    add_source(*["the same bank text"] * 12)
    ids = [[hit.chunk_id for hit in retrieve("bank", scope=TOPIC, limit=5, mode=mode).hits] for _ in range(2)]
    assert ids[0] == ids[1]
    assert len(ids[0]) == 5


def test_semantic_mode_finds_by_vectors_and_says_so() -> None:
    add_source("השבת פיקדונות ללקוחות", "תכנון ובנייה של גשרים")
    hits = retrieve("פיקדון של לקוח", scope=TOPIC, mode="semantic").hits
    assert hits[0].text == "השבת פיקדונות ללקוחות"
    assert {hit.match for hit in hits} == {Match.SEMANTIC}


def test_lexical_mode_never_returns_what_holds_no_word() -> None:
    add_source("bank deposits")
    assert retrieve("zebra", scope=TOPIC, mode="lexical").hits == ()


@pytest.mark.parametrize("query", ["", "   ", "\n\t", "\0", "a" * (MAX_QUERY_LENGTH + 1)])
def test_blank_and_overlong_queries_are_refused(query: str) -> None:
    with pytest.raises(Invalid):
        retrieve(query, scope=TOPIC)


@pytest.mark.parametrize(
    "query",
    [
        "?!",
        "'; DROP TABLE kb_chunk; --",
        "%s %(ids)s",
        "\ud800",
        "a\0b",
        "סעיף",
        "§",
        "(((",
        "a" * MAX_QUERY_LENGTH,
        "1 " * 900,
        "\u202e״׳",
    ],
)
def test_odd_queries_are_answered(query: str) -> None:
    add_source("bank deposits", title="Deposits Act")
    for mode in Mode:
        retrieve(query, scope=TOPIC, mode=mode)


def test_an_empty_index_has_no_hits() -> None:
    for mode in Mode:
        assert retrieve("סעיף 5 לחוק הבנקים", scope=TOPIC, mode=mode).hits == ()
