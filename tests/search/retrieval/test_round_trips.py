"""What a search needs to know first is asked in one round trip, and each way of searching reads it right."""

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from psycopg.pq import PipelineStatus
from rest_framework.test import APIClient

from law.citations.parsing import ParsedQuery
from search.embedders.spaces import active_space
from search.index import engine
from search.index.chunk_store import scoring
from search.retrieval import Match, QueryVariant, Scope, retrieve
from search.retrieval.listing import Listing
from sources.citations import resolve
from tests.search.citing import law
from tests.search.corpus import add_source

pytestmark = pytest.mark.django_db
TOPIC = Scope(topic_id=1)


def statements(query: str, *, scope: Scope = TOPIC, **options: Any) -> list[tuple[str, bool]]:
    """The statements of a search, each with whether others are on their way with it."""
    seen = []

    def watch(execute: Callable[..., Any], sql: str, *rest: Any) -> Any:
        seen.append((sql, connection.connection.pgconn.pipeline_status == PipelineStatus.ON))
        return execute(sql, *rest)

    with connection.execute_wrapper(watch):
        retrieve(query, scope=scope, **options)
    return seen


@pytest.mark.parametrize("expansions", [(), ("tax of the river",), ("tax", "a levy", "dues")])
def test_counts_titles_and_provider_are_read_in_one_round_trip(expansions: tuple[str, ...]) -> None:
    active_space()
    add_source("water of the river", "tax on land")
    retrieve("water", scope=TOPIC)  # reads the synonyms
    asked = statements("water and land", expansions=tuple(map(QueryVariant, expansions)))
    together = [sql for sql, pipelined in asked if pipelined]
    assert len(together) == 3 + len(expansions)
    assert asked[: len(together)] == [(sql, True) for sql in together]
    once = ("kb_source_key", "kb_embedding_space", "kb_synonym", "kb_topic t")
    for table, times in (("octet_length", 1 + len(expansions)), *((table, 1) for table in once)):
        assert sum(table in sql for sql in together) == sum(table in sql for sql, _ in asked) == times


def test_titles_in_a_query_that_cites_are_read_in_that_round_trip() -> None:
    law("חוק המים")
    asked = statements("סעיף 2 לחוק המים")
    assert sum("kb_source_key" in sql for sql, pipelined in asked if pipelined) == 1
    assert sum("title_start = ANY" in sql for sql, _ in asked) == 2  # then the act that it means


def test_sources_under_a_filter_are_read_once_in_that_round_trip() -> None:
    active_space()
    add_source("water of the river", kind="law")
    add_source("water of the sea", kind="regulation")
    engine().maintain()
    filtered = replace(TOPIC, kinds=("law",))
    statements("water", scope=filtered)  # reads the synonyms
    asked = [(sql, pipelined) for sql, pipelined in statements("water", scope=filtered) if "sum(s.chunk_count)" in sql]
    assert [pipelined for _, pipelined in asked] == [True]
    assert [hit.source.kind for hit in retrieve("water", scope=filtered).hits] == ["law"]


def test_passages_chosen_among_sources_of_a_filter_are_not_asked_for_these_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(scoring, "SCORED_WHOLE", 0)
    active_space()
    add_source("water of the river", kind="law")
    engine().maintain()
    [chosen] = [sql for sql, _ in statements("water", scope=replace(TOPIC, kinds=("law",))) if "%(chosen)s" in sql]
    assert chosen.count("scope_source") == chosen.partition("UNION")[2].count("scope_source") > 0


@pytest.mark.parametrize("topic", [{"topic_id": 1}, {}])
@pytest.mark.parametrize("query", ["water and land", "What is the tax on land?"])
def test_an_ordinary_search_makes_at_most_seven_statements(topic: dict[str, int], query: str) -> None:
    active_space()
    add_source("water of the river", "tax on land")
    engine().maintain()
    body = {"query": query, **topic}
    APIClient().post("/kb/search", body, format="json")  # what segments hold is remembered from now on
    with CaptureQueriesContext(connection) as asked:
        found = APIClient().post("/kb/search", body, format="json").json()
    assert found["results"]
    assert len(asked) <= 7, [one["sql"] for one in asked]


def test_texts_among_which_a_definition_is_are_read_once() -> None:
    active_space()
    add_source("A levy is what is paid for water.", "The levy is paid in May.", "No levy is paid for wells.")
    asked = [sql for sql, _ in statements("What is a levy?")]
    assert sum(bool(re.search(r"\btext\b[^;]*FROM kb_chunk\b", sql)) for sql in asked) == 1


def test_a_plain_listing_without_a_phrase_asks_nothing_more() -> None:
    active_space()
    add_source("water of the river", "tax on land")
    statements("water")  # what segments hold is remembered from now on
    assert statements('water of צה"ל', listing=Listing()) == statements('water of צה"ל')
    assert len(statements("water", listing=Listing(facets=True))) <= len(statements("water")) + 4


def test_a_search_before_there_is_a_space_makes_one() -> None:
    add_source("water of the river")
    assert [hit.text for hit in retrieve("water", scope=TOPIC).hits] == ["water of the river"]


def test_a_topic_that_nothing_was_published_in_has_no_results() -> None:
    assert retrieve("water of the river", scope=TOPIC, expansions=(QueryVariant("tax"),)).hits == ()


@pytest.mark.parametrize(
    ("query", "asked"),
    [
        ("water of the river", []),
        ("סעיף 2 לחוק המים", []),
        ("חוק המים", []),
        ("סעיף 90 לחוק המים", ["kb_provision"]),
        ("סעיף 2 לחוק העונשין", ["title_stems @>", "title_stems @>", "title_stems &&"]),  # whole, in part, nearest
        ("מים ביוב", ["title_stems @>"]),
    ],
)
def test_what_is_missing_or_named_in_part_costs_a_look_up_each(query: str, asked: list[str]) -> None:
    law("חוק המים")
    law("חוק מים וביוב")
    sql = [one for one, _ in statements(query)]
    marks = ("kb_provision", "title_stems @>", "title_stems &&")
    assert list(filter(None, (next((mark for mark in marks if mark in one), "") for one in sql))) == asked


def test_titles_of_a_query_whose_act_is_not_here_are_read_once() -> None:
    law("חוק המים")
    asked = [sql for sql, _ in statements("סעיף 2 לחוק העונשין, חוק המים") if "title_start = ANY" in sql]
    assert sum("s.aliases, s.chunk_count" in sql for sql in asked) == 2  # anywhere in the query, and behind the section


def test_a_citation_is_the_same_whether_the_titles_were_asked_before_or_not() -> None:
    source = law("חוק המים")
    query = "חוק המים סעיף 2"
    alone = resolve(ParsedQuery(query), scope=TOPIC)
    [hit, *_] = retrieve(query, scope=TOPIC).hits
    assert alone.chunk_ids[0] == hit.chunk_id
    assert (hit.source.id, hit.match) == (source.pk, Match.CITATION)
