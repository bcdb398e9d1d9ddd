"""Documents are found in a spelling that is not the one asked for."""

import pytest

from search.retrieval import Scope, retrieve
from search.retrieval.planning import parse_query
from tests.search.corpus import add_source, section


@pytest.mark.django_db
@pytest.mark.parametrize("query", ["רישיון לעסק", "רשיון לעסק"])
def test_a_document_in_either_spelling_is_found(query: str) -> None:
    old = add_source("רשיון יינתן לאחר תשלום אגרה.")
    new = add_source("רישיון יינתן לאחר תשלום אגרה.")
    add_source("אגרה תשולם במועד.")
    found = [hit.source.id for hit in retrieve(query, scope=Scope(topic_id=1)).hits]
    assert set(found) == {old.pk, new.pk}
    assert found[0] == (new.pk if "רישיון" in query else old.pk)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("full", "short"),
    [("רישיון", "רשיון"), ("ברישיונות", "ברשיונות"), ("תוכנית", "תכנית"), ("עניין", "ענין"), ("פיקדון", "פקדון")],
)
def test_full_and_short_spelling_are_alike_in_every_rank(full: str, short: str) -> None:
    add_source(section("1", f"{short} לסירה", "כל אדם יבקש."), title="חוק הנמלים")
    add_source(section("2", "הוראות", f"בלי {short} לסירה לא ישוט אדם."), title="חוק הים")
    add_source(section("3", "הוראות", "מי ששט ישלם."), title=f"חוק {short} לסירה")
    add_source(section("4", "סירה", f"הסירה תיבדק, ואז {full} יינתן."), title="חוק החוף")
    add_source("הסירה תיבדק פעם בשנה לפני החורף.", "דבר אחר לגמרי.")
    ranks = [
        [(hit.source.title, hit.text, hit.highlights, round(hit.coverage, 6)) for hit in found.hits]
        for found in (retrieve(f"{word} לסירה", scope=Scope(topic_id=1)) for word in (full, short))
    ]
    assert ranks[0] == ranks[1]
    assert len(ranks[0]) >= 4


@pytest.mark.django_db
@pytest.mark.parametrize("query", ["house of Abbé Guibourg", "house of abbé Guibourg", "maison de l'Abbé Guibourg"])
def test_a_name_is_found_with_and_without_an_elided_article(query: str) -> None:
    elided = add_source("The house of l’Abbé Guibourg is sold.")
    alone = add_source("The house of Abbé Guibourg is sold.")
    add_source("The house of a tenant is sold.")
    hits = retrieve(query, scope=Scope(topic_id=1)).hits
    assert {hit.source.id for hit in hits[:2]} == {elided.pk, alone.pk}
    for hit in hits[:2]:
        assert any("Abbé" in hit.text[start:end] for start, end in hit.highlights)


@pytest.mark.django_db
@pytest.mark.parametrize("query", ["notice to a coowner", "notice to a co-owner"])
def test_a_document_with_or_without_the_hyphen_is_found(query: str) -> None:
    parted = add_source("A notice is sent to every co-owner.")
    joined = add_source("A notice is sent to every coowner.")
    add_source("A notice is sent to every tenant.")
    found = [hit.source.id for hit in retrieve(query, scope=Scope(topic_id=1)).hits]
    assert set(found[:2]) == {parted.pk, joined.pk}


@pytest.mark.parametrize("mark", ["\xad", "\u200b", "\u2060", "\ufeff", "\u200e", "\u202b"])
def test_what_is_not_seen_in_a_query_parts_no_word(mark: str) -> None:
    for text in ("Mooring Tribunal", "ועדת הערר", "section 12A of the Mooring Act"):
        typed = "".join(letter + mark for letter in text)
        assert parse_query(typed) == parse_query(text)
