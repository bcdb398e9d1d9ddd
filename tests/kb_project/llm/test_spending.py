"""What models cost, by role and provider, and the budget of a topic and day."""

from typing import Any
from uuid import uuid4

import pytest

from kb_project.llm import spending
from kb_project.llm.protocol import Usage


@pytest.fixture
def topic() -> str:
    """A name that no run has counted for."""
    return f'"שכירות" {uuid4()}'


def totals(provider: str) -> dict[tuple[str, str], float]:
    return {
        (sample.name, sample.labels.get("kind", "")): sample.value
        for metric in spending.read()
        for sample in metric.samples
        if sample.labels["provider"] == provider
    }


def test_tokens_of_all_kinds_count_towards_the_topics_budget(topic: str, settings: Any) -> None:
    spending.count(Usage(1, 2, 3, 4, calls=1), role="answers", provider="anthropic", topic=topic)
    spending.count(Usage(10), role="expansion", provider="openai", topic=topic)  # no call: nothing
    assert spending.spent_today(topic) == 10
    for limit, spent in ((0, False), (11, False), (10, True)):
        settings.KB_LLM_DAILY_TOKENS = limit
        assert spending.is_spent(topic) is spent
    assert not spending.is_spent("another")


def test_totals_are_told_by_role_provider_and_kind(topic: str) -> None:
    provider = f"provider-{uuid4().hex[:6]}"
    for failed in (False, True):
        spending.count(Usage(5, 6, 7, 8, calls=1), role="answers", provider=provider, topic=topic, failed=failed)
    spending.count(Usage(), role="answers", provider=provider, topic=topic, failed=True)
    assert totals(provider) == {
        ("kb_llm_tokens_total", "input"): 10,
        ("kb_llm_tokens_total", "output"): 12,
        ("kb_llm_tokens_total", "cache_read"): 14,
        ("kb_llm_tokens_total", "cache_write"): 16,
        ("kb_llm_calls_total", ""): 2,
        ("kb_llm_failures_total", ""): 2,
    }


def test_redis_that_is_away_refuses_nothing(topic: str, settings: Any) -> None:
    settings.KB_LLM_DAILY_TOKENS = 1
    settings.REDIS_URL = "redis://127.0.0.1:9/0"
    spending.count(Usage(5, calls=1), role="answers", provider="anthropic", topic=topic)
    assert not spending.is_spent(topic)
