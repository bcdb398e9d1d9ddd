"""Expansion against a local server that speaks the Messages API: found, remembered, late, broken, unwanted."""

import json
import time
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest
from rest_framework.test import APIClient

from search.expansion.expand import cleaned, expand
from tests.anthropic_server import AnthropicServer, in_place_of_claude
from tests.search.corpus import add_source

TOPIC = 'צרכנות "והגנה" <b>'


@pytest.fixture
def claude(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[AnthropicServer]:
    with in_place_of_claude(settings, monkeypatch) as server:
        settings.KB_EXPANSION_TIMEOUT_S = 20.0  # the SDK is imported by the first call
        yield server


def a_query() -> str:
    """One that no run has asked before: what was found is remembered."""
    return f"ביטול עסקה {uuid4().hex[:8]}"


def test_a_query_is_expanded_with_the_name_of_its_topic_and_remembered(claude: AnthropicServer) -> None:
    claude.will_answer({"wordings": ["חזרה מהסכם", "החזר כספי"]})
    query = a_query()
    assert expand(query, topic_name=TOPIC) == ("חזרה מהסכם", "החזר כספי")
    assert expand(f"  {query} ", topic_name=TOPIC) == ("חזרה מהסכם", "החזר כספי")
    (request,) = claude.requests
    assert json.loads(request.body["messages"][0]["content"]) == {"topic": TOPIC, "query": query}
    expand(query, topic_name="אחר")
    assert len(claude.requests) == 2


@pytest.mark.django_db
def test_the_time_that_a_search_took_has_the_wait_for_its_wordings_in_it(claude: AnthropicServer) -> None:
    add_source("ביטול עסקה", title="חוק")
    claude.will_answer({"wordings": ["חזרה מהסכם"]}, delay_s=0.5)
    answer = APIClient().post("/kb/search", {"query": a_query()}, format="json").json()
    assert answer["expanded"] == ["חזרה מהסכם"]
    assert answer["took_ms"] >= 500


def test_a_late_answer_is_not_waited_for_and_the_provider_is_left_alone_for_a_while(
    claude: AnthropicServer, settings: Any
) -> None:
    claude.will_answer({"wordings": ["a"]})
    expand(a_query(), topic_name="")
    claude.forget_promises()
    claude.will_answer({"wordings": ["b"]}, delay_s=30)
    settings.KB_EXPANSION_TIMEOUT_S = 0.3
    started = time.monotonic()
    assert expand(a_query(), topic_name="") == ()
    assert time.monotonic() - started < 5
    asked = len(claude.requests)
    assert expand(a_query(), topic_name="") == ()
    assert len(claude.requests) == asked


@pytest.mark.parametrize(
    "answer",
    [
        {"content": "no JSON at all"},
        {"content": {"words": ["a"]}},
        {"content": "", "stop_reason": "refusal"},
        {"status": 429},
        {"status": 529},
        {"status": 400},
        {"content": {"wordings": ["a"]}, "cut": True},
    ],
)
def test_whatever_the_provider_does_the_plain_query_is_left(claude: AnthropicServer, answer: dict[str, Any]) -> None:
    claude.will_answer(**answer)
    assert expand(a_query(), topic_name="") == ()


def test_without_a_key_and_for_a_citation_nobody_is_asked(claude: AnthropicServer, settings: Any) -> None:
    claude.will_answer({"wordings": ["a"]})
    assert expand("סעיף 5 לחוק הספריות", topic_name="") == ()
    settings.ANTHROPIC_API_KEY = ""
    assert expand(a_query(), topic_name="") == ()
    assert claude.requests == []


def test_only_wordings_that_add_something_are_kept() -> None:
    wordings = ["The fine ", "fines the", "a late fee\0", "late  fee a", "", "!!", "x" * 500, "one", "two"]
    assert cleaned(wordings, query="the fine") == ("a late fee", "x" * 200, "one")


@pytest.mark.django_db
def test_a_search_finds_what_only_another_wording_names_and_says_so(claude: AnthropicServer) -> None:
    wanted = add_source("הצרכן רשאי לחזור בו מן ההסכם.")
    add_source("החניה אסורה.")
    query = a_query()
    claude.will_answer({"wordings": ["לחזור מן ההסכם"]})
    plain = APIClient().post("/kb/search", {"query": query, "expand": False}, format="json").json()
    assert (plain["results"], plain["expanded"]) == ([], [])
    answer = APIClient().post("/kb/search", {"query": query, "topic_id": 1}, format="json").json()
    assert answer["expanded"] == ["לחזור מן ההסכם"]
    assert [result["source"]["id"] for result in answer["results"]] == [wanted.pk]
