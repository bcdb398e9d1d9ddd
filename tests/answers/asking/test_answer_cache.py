"""Answers of models that are given again: to the same question about the same documents, for a while."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any
from uuid import uuid4

import pytest

from answers.asking import answer_cache
from answers.models import AnswerTrace
from sources.models import Source
from tests.answers.asking.asking import ask, ask_both
from tests.answers.writing.answerers.test_chat import SAID, answer_of, statement
from tests.answers.writing.answerers.test_claude import FINE
from tests.openai_server import OpenAIServer, in_settings
from tests.search.corpus import add_source

pytestmark = pytest.mark.django_db


@pytest.fixture
def chat(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[OpenAIServer]:
    settings.KB_ANSWER_CACHE_S = 60
    with in_settings(settings, monkeypatch, KB_ANSWERER="openai,extractive") as server:
        server.will_say(answer_of(statement(SAID, (1, FINE), (1, "no such words"))))
        yield server


@pytest.fixture
def question() -> str:
    """One that no run has asked."""
    return f"כמה ישלם המאחר בהחזרת ספר {uuid4().hex[:8]}?"


def test_an_answer_is_given_again_asked_or_streamed_and_costs_nothing(
    chat: OpenAIServer, law: Source, question: str
) -> None:
    first = ask(question, topic_id=1)
    again, events = ask_both(f" {question}", topic_id=1)
    assert len(chat.requests) == 1
    assert (first["usage"]["calls"], again["usage"]["calls"]) == (1, 0)
    own = {"id": "", "usage": 0, "took_ms": 0}
    assert {**first, **own} == {**again, **own}
    assert first["id"] != again["id"]
    assert "".join(data["text"] for name, data in events if name == "delta") == first["answer"]
    assert [data for name, data in events if name == "citation"] == first["citations"]
    assert [(trace.status, trace.provider, trace.calls) for trace in AnswerTrace.objects.order_by("id")] == [
        ("answered", "openai", 1),
        ("answered", "openai", 0),
        ("answered", "openai", 0),
    ]


def test_whatever_the_answer_was_made_from_makes_another(
    chat: OpenAIServer, law: Source, question: str, settings: Any
) -> None:
    calls = 0

    def assert_asked_anew(**more: Any) -> None:
        nonlocal calls
        for _ in range(2):
            assert ask(question, **more)["status"] == "answered"
        calls += 1
        assert len(chat.requests) == calls

    assert_asked_anew(topic_id=1)
    assert_asked_anew()
    assert_asked_anew(topic_id=1, kind="law")
    assert_asked_anew(topic_id=1, limit=1)
    law.topic.system_prompt_addendum = "ענה בקיצור."
    law.topic.save()
    assert_asked_anew(topic_id=1)
    Source.objects.filter(pk=law.pk).update(title="חוק הספריות החדש")
    assert_asked_anew(topic_id=1)
    add_source("החניה אסורה.", title="חוק אחר")
    assert_asked_anew(topic_id=1)
    settings.KB_LLM_MODEL = "another-model"
    assert_asked_anew(topic_id=1)


def test_what_another_answered_in_a_models_place_is_not_kept(chat: OpenAIServer, law: Source, question: str) -> None:
    chat.forget_promises()
    chat.will_say(status=401)
    assert ask(question)["fallback_from"] == "openai"
    chat.forget_promises()
    chat.will_say(answer_of(statement(SAID, (1, FINE))))
    assert ask(question)["fallback_from"] is None


def test_no_more_than_so_many_answers_and_bytes_are_kept(
    chat: OpenAIServer, law: Source, question: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(answer_cache, "_cache", replace(answer_cache._cache, most=2))
    for n in range(3):
        ask(f"{question} {n}")
    assert [ask(f"{question} {n}")["usage"]["calls"] for n in (2, 1, 0)] == [0, 0, 1]
    monkeypatch.setattr(answer_cache, "_cache", replace(answer_cache._cache, largest=10))
    assert [ask(f"{question} large")["usage"]["calls"] for _ in range(2)] == [1, 1]


def test_without_setting_and_without_redis_each_answer_is_made(
    chat: OpenAIServer, law: Source, question: str, settings: Any
) -> None:
    settings.KB_ANSWER_CACHE_S = 0
    assert [ask(question)["usage"]["calls"] for _ in range(2)] == [1, 1]
    settings.KB_ANSWER_CACHE_S, settings.REDIS_URL = 60, "redis://127.0.0.1:9/0"
    assert [ask(question)["usage"]["calls"] for _ in range(2)] == [1, 1]
