"""The chain of answerers: the next one answers when one fails or refuses, in time, and the answer says so."""

import time
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

import pytest

from answers.models import AnswerTrace
from answers.writing.answerers import chain as chained
from kb_project.observability.metrics import exposition
from sources.models import Source
from tests.answers.asking.asking import ask, ask_both
from tests.answers.writing.answerers.test_chat import SAID, answer_of, statement
from tests.answers.writing.answerers.test_claude import FINE, QUESTION
from tests.anthropic_server import AnthropicServer, Block, cited
from tests.factories import make_topic
from tests.openai_server import OpenAIServer, in_settings
from tests.search.corpus import add_source

pytestmark = pytest.mark.django_db

NO_WAIT = {"retry-after-ms": "1", "retry-after": "0"}
OVERLOADED = "The model's provider answered with an error (529 overloaded_error)."


@pytest.fixture
def chat(claude: AnthropicServer, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[OpenAIServer]:
    """Claude first, then this server, then the documents' own sentences."""
    settings.KB_EXPANDER = "none"
    with in_settings(settings, monkeypatch, KB_ANSWERER="anthropic,openai,extractive") as server:
        server.will_say(answer_of(statement(SAID, (1, FINE))))
        yield server


def last_trace() -> AnswerTrace:
    return AnswerTrace.objects.all()[0]


def test_while_the_first_answers_no_other_is_asked(claude: AnthropicServer, chat: OpenAIServer, law: Source) -> None:
    claude.will_stream(Block("שקל.", [cited(0)]))
    answer, _ = ask_both(QUESTION)
    assert (answer["provider"], answer["fallback_from"], chat.requests) == ("anthropic", None, [])


@pytest.mark.parametrize(
    ("options", "why", "cost"),
    [
        ({"status": 529, "headers": NO_WAIT}, OVERLOADED, (0, 0)),
        ({"stop_reason": "refusal"}, "The model refused.", (100, 25)),
        ({"cut": True, "breaks_after": 3}, "The connection to the model's provider failed.", (100, 25)),
    ],
    ids=["it fails", "it refuses", "it breaks off"],
)
def test_the_next_answers_in_the_place_of_one_that_does_not(
    claude: AnthropicServer, chat: OpenAIServer, law: Source, options: dict[str, Any], why: str, cost: tuple[int, int]
) -> None:
    bad = Block("אלף. ", [cited(0, cited_text="אלף")])
    claude.will_stream(bad, Block("שקל. ", [cited(0)]), Block("כן. "), **options)
    answer, events = ask_both(QUESTION)
    assert (answer["status"], answer["answer"], answer["provider"]) == ("answered", f"{SAID} [1]", "openai")
    assert (answer["fallback_from"], answer["dropped_citations"]) == ("anthropic", 0)
    said_before = "cut" in options or "stop_reason" in options
    assert [data for name, data in events if name == "restart"] == [{"fallback_from": "anthropic"}] * said_before
    after = [name for name, _ in events].index("restart") if said_before else 0
    assert "".join(data["text"] for name, data in events[after:] if name == "delta") == answer["answer"]
    usage = answer["usage"]
    assert usage["calls"] == 1 + bool(cost[0])
    assert usage["input_tokens"] == 60 + cost[0]
    trace = last_trace()
    assert (trace.status, trace.provider, trace.fallback_from) == ("answered", "openai", "anthropic")
    assert trace.error == f"anthropic: {why}"
    assert 'kb_answer_fallbacks_last_hour{from="anthropic",to="openai"} 2.0' in exposition()[0].decode()


def test_when_every_model_fails_the_documents_speak(claude: AnthropicServer, chat: OpenAIServer, law: Source) -> None:
    claude.will_stream(status=529, headers=NO_WAIT)
    chat.forget_promises()
    chat.will_say(status=401)
    answer, _ = ask_both(QUESTION)
    assert (answer["provider"], answer["fallback_from"]) == ("extractive", "anthropic")
    assert FINE in answer["answer"]
    assert "openai: The model's provider answered with an error (401" in last_trace().error


def test_the_last_ones_failure_is_the_failure(
    claude: AnthropicServer, chat: OpenAIServer, law: Source, settings: Any
) -> None:
    settings.KB_ANSWERER = "openai,anthropic"
    claude.will_stream(status=529, headers=NO_WAIT)
    chat.forget_promises()
    chat.will_say("no JSON")
    problem, _ = ask_both(QUESTION)
    assert (problem["code"], problem["detail"]) == ("provider_error", OVERLOADED)
    assert last_trace().error == f"openai: The model's answer does not have the form asked for. {OVERLOADED}"


def test_models_share_the_time_and_a_slow_one_is_left_alone_for_a_while(
    claude: AnthropicServer, chat: OpenAIServer, law: Source, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    claude.will_stream(Block("שקל.", [cited(0)]))
    ask(QUESTION)  # imports the SDK
    claude.forget_promises()
    claude.will_stream(delay_s=60)
    monkeypatch.setattr(chained, "SLOW_S", 0.5)
    settings.KB_ANSWER_TIMEOUT_S = 6.0
    started = time.monotonic()
    assert ask(QUESTION)["provider"] == "openai"
    assert time.monotonic() - started > 2.9
    answer = ask(QUESTION)
    assert (answer["provider"], answer["fallback_from"]) == ("openai", "anthropic")
    assert "left alone" in last_trace().error
    settings.KB_ANSWERER = "anthropic"
    settings.KB_ANSWER_TIMEOUT_S = 0.2
    assert ask(QUESTION, status=502)["detail"] == "The model gave no whole answer in time.", "the last is always asked"


def test_a_spent_budget_costs_no_call_and_spares_other_topics(
    claude: AnthropicServer, chat: OpenAIServer, settings: Any
) -> None:
    spender, other = (make_topic(name=f"Libraries {uuid4()}") for _ in range(2))
    for topic in (spender, other):
        add_source(FINE, "החניה אסורה.", topic=topic, title="חוק הספריות")
    claude.will_stream(Block("שקל.", [cited(0)]))
    settings.KB_LLM_DAILY_TOKENS = 175  # what one answer costs
    assert ask(QUESTION, topic_id=spender.pk)["provider"] == "anthropic"
    answer, _ = ask_both(QUESTION, topic_id=spender.pk)
    assert (answer["provider"], answer["fallback_from"]) == ("extractive", "anthropic")
    assert (answer["usage"]["calls"], len(claude.streams), chat.requests) == (0, 1, [])
    assert "175 tokens" in last_trace().error
    settings.KB_ANSWERER = "anthropic,openai"
    problem, _ = ask_both(QUESTION, topic_id=spender.pk)
    assert (problem["status"], problem["code"]) == (503, "unavailable")
    assert problem["detail"].startswith("The topic has used the 175 tokens that models may cost it in a day.")
    assert ask(QUESTION, topic_id=other.pk)["provider"] == "anthropic"
