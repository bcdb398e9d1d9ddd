"""Expansion against a local server that speaks the Messages API: found, remembered, late, broken, unwanted."""

import json
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from uuid import uuid4

import pytest
from rest_framework.test import APIClient

from kb_project.llm import quick
from kb_project.observability.metrics import EXPANSIONS
from law.citations.parsing import ParsedQuery
from search.expansion import expand as languages
from search.expansion import variants
from search.expansion.expand import cleaned, expand, expansion_of
from search.expansion.variants import ExpansionOutcome, Wordings
from tests.anthropic_server import AnthropicServer, in_place_of_claude
from tests.factories import first_topic
from tests.kb_project.llm.pauses import end_pauses
from tests.openai_server import OpenAIServer, in_settings
from tests.search.corpus import add_source
from tests.waiting import wait_until
from topics.models import Topic

TOPIC = 'צרכנות "והגנה" <b>'

pytestmark = pytest.mark.django_db


@pytest.fixture
def claude(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[AnthropicServer]:
    with in_place_of_claude(settings, monkeypatch) as server:
        settings.KB_EXPANSION_TIMEOUT_S = 60.0  # the SDK is imported by the first call
        yield server


@pytest.fixture
def chat(claude: AnthropicServer, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[OpenAIServer]:
    """The second of the chain, behind Claude."""
    with in_settings(settings, monkeypatch, KB_EXPANDER="anthropic,openai") as server:
        server.will_say({"wordings": ["החזר כספי"]})
        yield server


def outcomes(searches: int) -> Counter[ExpansionOutcome]:
    """Of so many queries at once."""
    with ThreadPoolExecutor(searches) as pool:
        asked = [pool.submit(expansion_of, ParsedQuery(a_query()), topic=None) for _ in range(searches)]
        return Counter(one.result().outcome for one in asked)


def until_asked_again() -> None:
    """Nothing that was asked is under way any more, and the pause is over."""
    wait_until(lambda: variants._calls._turns._value == quick.AT_ONCE)
    end_pauses()


def counted(outcome: ExpansionOutcome) -> float:
    return EXPANSIONS.labels(outcome=outcome.value)._value.get()


def said(query: str, topic: str = "") -> tuple[str, ...]:
    """The other wordings of a query, in a topic of that name or in all."""
    return tuple(wording.text for wording in expand(ParsedQuery(query), topic=Topic(name=topic) if topic else None))


def a_query() -> str:
    """One that no run has asked before: what was found is remembered."""
    return f"ביטול עסקה {uuid4().hex[:8]}"


def test_a_query_is_expanded_with_the_name_of_its_topic_and_remembered(claude: AnthropicServer) -> None:
    claude.will_answer({"wordings": ["חזרה מהסכם", "החזר כספי"]})
    query = a_query()
    assert said(query, TOPIC) == ("חזרה מהסכם", "החזר כספי")
    assert said(f"  {query} ", TOPIC) == ("חזרה מהסכם", "החזר כספי")
    (request,) = claude.requests
    (part,) = request.body["messages"][0]["content"]
    assert json.loads(part["text"]) == {"topic": TOPIC, "languages": [], "query": query}
    said(query, "אחר")
    assert len(claude.requests) == 2


def test_time_that_search_took_has_wait_for_its_wordings_in_it(claude: AnthropicServer) -> None:
    add_source("ביטול עסקה", title="חוק")
    claude.will_answer({"wordings": ["חזרה מהסכם"]}, delay_s=0.5)
    answer = APIClient().post("/kb/search", {"query": a_query()}, format="json").json()
    assert answer["expanded"] == ["חזרה מהסכם"]
    assert answer["took_ms"] >= 500


def test_one_search_at_a_time_waits_for_a_hanging_provider(
    claude: AnthropicServer, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    claude.will_answer({"wordings": ["a"]})
    assert outcomes(1) == {ExpansionOutcome.MADE: 1}, "and the SDK is imported"
    claude.forget_promises()
    claude.will_answer({"wordings": ["b"]}, delay_s=30)
    settings.KB_EXPANSION_TIMEOUT_S = 3.0
    monkeypatch.setattr(quick, "GRACE_S", 0.2)
    monkeypatch.setattr(quick, "PAUSE_S", 600.0)
    late = counted(ExpansionOutcome.LATE)
    assert outcomes(20) == {ExpansionOutcome.LATE: quick.AT_ONCE, ExpansionOutcome.BUSY: 20 - quick.AT_ONCE}
    assert counted(ExpansionOutcome.LATE) == late + quick.AT_ONCE
    assert outcomes(20) == {ExpansionOutcome.LEFT_ALONE: 20}
    until_asked_again()
    assert outcomes(20) == {ExpansionOutcome.LATE: 1, ExpansionOutcome.LEFT_ALONE: 19}
    claude.forget_promises()
    claude.will_answer({"wordings": ["c"]})
    until_asked_again()
    assert outcomes(1) == outcomes(1) == {ExpansionOutcome.MADE: 1}


@pytest.mark.parametrize(
    "answer",
    [{"status": 529}, {"content": "", "stop_reason": "refusal"}, {"content": "no JSON"}, {"content": {}, "cut": True}],
)
def test_another_model_expands_in_place_of_one_that_does_not(
    claude: AnthropicServer, chat: OpenAIServer, answer: dict[str, Any]
) -> None:
    claude.will_answer(**answer)
    assert said(a_query()) == ("החזר כספי",)


def test_models_share_the_wait_and_the_late_one_is_left_alone(
    claude: AnthropicServer, chat: OpenAIServer, settings: Any
) -> None:
    claude.will_answer({"wordings": ["a"]})
    said(a_query())  # imports the SDK
    claude.forget_promises()
    claude.will_answer({"wordings": ["a"]}, delay_s=30)
    settings.KB_EXPANSION_TIMEOUT_S = 6.0
    started = time.monotonic()
    for _ in range(2):
        assert said(a_query()) == ("החזר כספי",)
    assert time.monotonic() - started >= 3.0
    assert len(claude.requests) == 2


def test_model_that_takes_no_thinking_option_expands_all_same(claude: AnthropicServer) -> None:
    claude.refuses = ("thinking", "effort")
    claude.will_answer({"wordings": ["a"]})
    for _ in range(2):
        assert said(a_query()) == ("a",)
    assert len(claude.requests) == 4, "three for the first"


def test_a_topic_without_tokens_left_has_the_plain_query(claude: AnthropicServer, settings: Any) -> None:
    claude.will_answer({"wordings": ["a"]})
    topic = f"{TOPIC} {uuid4()}"
    settings.KB_LLM_DAILY_TOKENS = 100
    assert said(a_query(), topic) == ("a",)
    assert said(a_query(), topic) == ()
    assert said(a_query(), f"{topic} 2") == ("a",), "another topic has"
    assert len(claude.requests) == 2


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
    assert said(a_query()) == ()


def test_without_a_key_and_for_a_citation_nobody_is_asked(claude: AnthropicServer, settings: Any) -> None:
    claude.will_answer({"wordings": ["a"]})
    assert said("סעיף 5 לחוק הספריות") == ()
    settings.KB_EXPANDER = "none"
    assert said(a_query()) == ()
    settings.KB_EXPANDER, settings.ANTHROPIC_API_KEY = "", ""
    assert said(a_query()) == ()
    assert claude.requests == []


def test_only_wordings_that_add_something_are_kept() -> None:
    given = ["The fine ", "fines the", "a late fee\0", "late  fee a", "", "!!", "x" * 500, "one", "two"]
    kept = cleaned(Wordings(wordings=given, hypothetical="A fine is paid.\0 " * 50), query="the fine")
    assert [wording.text for wording in kept] == ["a late fee", "x" * 200, "one", ("A fine is paid. " * 25).strip()]
    assert [wording.is_sentence for wording in kept] == [False, False, False, True]
    assert cleaned(Wordings(wordings=[], hypothetical="the fines"), query="the fine") == ()


def test_wordings_are_asked_for_in_languages_of_the_documents(claude: AnthropicServer) -> None:
    for number in range(12):
        add_source("הצרכן רשאי לחזור בו.", title=f"חוק {number}")
    for number in range(2):
        add_source("A consumer may withdraw.", title=f"כללים {number}")
    languages._languages_of.cache_clear()
    claude.will_answer(
        {"wordings": ["ביטול", "חזרה", "פיצוי", "refund", "withdrawal"], "hypothetical": "הצרכן יקבל החזר."}
    )
    found = expand(ParsedQuery(f"Can I get my money back {a_query()}?"), topic=first_topic())
    (part,) = claude.requests[0].body["messages"][0]["content"]
    assert json.loads(part["text"])["languages"] == ["he", "en"]
    assert [wording.text for wording in found][-2:] == ["withdrawal", "הצרכן יקבל החזר."]


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
