"""What a search needs to know first is asked in one round trip, and each way of searching reads it right."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from search.citations import resolve
from search.embedders.spaces import active_space
from search.retrieve import Match, Scope, retrieve
from tests.search.citing import law
from tests.search.corpus import add_source

pytestmark = pytest.mark.django_db
TOPIC = Scope(topic_id=1)


def statements(query: str, **options: object) -> list[str]:
    with CaptureQueriesContext(connection) as asked:
        retrieve(query, scope=TOPIC, **options)
    return [one["sql"] for one in asked]


@pytest.mark.parametrize("expansions", [(), ("tax of the river",), ("tax", "a levy", "dues")])
def test_statistics_titles_and_the_provider_are_read_in_one_statement(expansions: tuple[str, ...]) -> None:
    active_space()
    add_source("water of the river", "tax on land")
    asked = statements("water and land", expansions=expansions)
    [first] = [sql for sql in asked if "kb_topic_stat" in sql]
    assert "kb_source_key" in first
    assert "kb_embedding_space" in first
    assert sum("kb_source_key" in sql for sql in asked) == 1


def test_a_search_before_there_is_a_space_makes_one() -> None:
    add_source("water of the river")
    assert [hit.text for hit in retrieve("water", scope=TOPIC).hits] == ["water of the river"]


def test_a_topic_that_nothing_was_published_in_has_no_results() -> None:
    assert retrieve("water of the river", scope=TOPIC, expansions=("tax",)).hits == ()


def test_a_citation_is_the_same_whether_the_titles_were_asked_before_or_not() -> None:
    source = law("חוק המים")
    query = "חוק המים סעיף 2"
    alone = resolve(query, scope=TOPIC)
    [hit, *_] = retrieve(query, scope=TOPIC).hits
    assert alone.chunk_ids[0] == hit.chunk_id
    assert (hit.source.id, hit.match) == (source.pk, Match.CITATION)
