"""A word that nobody has is taken for one that documents have, and that is said."""

from typing import Any

import pytest

from search.retrieval import Retrieval, Scope, retrieve
from tests.factories import first_topic, make_source
from tests.search.corpus import add_source, publish

pytestmark = pytest.mark.django_db
TOPIC = Scope(topic_id=1)


def corrected(found: Retrieval) -> list[tuple[str, str]]:
    return [(one.word, one.to) for one in found.corrected]


@pytest.mark.parametrize(
    ("query", "meant", "marked"),
    [
        ("Tenent of a flat", "tenant of a flat", ["tenant", "flat"]),
        ("flat deopsit", "flat deposit", ["deposit", "flat"]),
        ("החזרת הפיקדום", "החזרת הפיקדון", ["הפיקדון"]),
    ],
)
def test_a_misspelt_word_finds_and_marks_the_right_one(query: str, meant: str, marked: list[str]) -> None:
    add_source("The tenant pays a deposit for the flat.", "השוכר ישלם את הפיקדון במועד.", "Boats may be hired.")
    found = retrieve(query, scope=TOPIC)
    assert found.corrected_query == meant
    hit = found.hits[0]
    assert [hit.text[start:end] for start, end in hit.highlights if hit.text[start:end] in marked] == marked
    assert not set(found.expanded) & {one.to for one in found.corrected}


@pytest.mark.parametrize(
    ("query", "options"),
    [
        ("tenant", {}),
        ("tenants", {}),
        ('"tenent"', {}),
        ("section 5 of the Tenent Act", {}),
        ("tenent", {"synonyms": False}),
        ("tenent", {"mode": "semantic"}),
        ("giraffe", {}),
        ("boat", {}),
    ],
)
def test_other_words_are_left_alone(query: str, options: dict[str, Any]) -> None:
    add_source("The tenant pays.", "Coats may be hired.")
    assert corrected(retrieve(query, scope=TOPIC, **options)) == []


def test_of_several_words_the_commonest_is_meant() -> None:
    add_source("A contrast.", "A contract.", "Another contract is made.")
    assert corrected(retrieve("contraxt", scope=TOPIC)) == [("contraxt", "contract")]


def test_a_word_of_a_document_that_is_not_counted_yet_is_right() -> None:
    add_source("A contrast is made.")
    publish(make_source(topic=first_topic()), "The contract of a muscle.")
    found = retrieve("contract", scope=TOPIC)
    assert found.hits[0].text == "The contract of a muscle."
    assert corrected(found) == []
