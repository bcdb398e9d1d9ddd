"""What models cost: tokens and calls of all processes, counted in Redis, and the budget of a topic and day.

Redis that does not answer counts nothing and refuses nothing: an answer is worth more than its count.
"""

import hashlib
import logging
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any

import redis
from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext as _
from prometheus_client.core import CounterMetricFamily
from prometheus_client.metrics_core import Metric

from kb_project.clients.redis_client import shared_memory
from kb_project.errors import Unavailable
from kb_project.llm.protocol import Usage

logger = logging.getLogger(__name__)

_TOTALS = "kb:llm:totals"
_DAY_KEPT_S = 2 * 24 * 3600


class BudgetSpent(Unavailable):
    """The topic has used the tokens of the day."""

    def __init__(self) -> None:
        super().__init__(
            _("The topic has used the %d tokens that models may cost it in a day. They are asked again from midnight.")
            % settings.KB_LLM_DAILY_TOKENS
        )


def count(usage: Usage, *, role: str, provider: str, topic: str, failed: bool = False) -> None:
    """Add what calls cost. `topic` is the topic's name, empty for all topics. `failed` says that they gave nothing."""
    if not (usage.calls or failed):
        return
    try:
        pipeline = shared_memory().pipeline(transaction=False)
        for kind, amount in {**asdict(usage), "failures": int(failed)}.items():
            pipeline.hincrby(_TOTALS, f"{role}|{provider}|{kind}", amount)
        key = _day_key(topic)
        pipeline.incrby(key, usage.tokens)
        pipeline.expire(key, _DAY_KEPT_S)
        pipeline.execute()
    except (redis.RedisError, OSError):
        logger.warning("Redis does not answer, so %d tokens are not counted", usage.tokens)


def is_spent(topic: str) -> bool:
    """Whether the topic's budget of today is used up. Calls that are under way are not counted yet."""
    return bool(settings.KB_LLM_DAILY_TOKENS) and spent_today(topic) >= settings.KB_LLM_DAILY_TOKENS


def spent_today(topic: str) -> int:
    """Tokens, of every role and provider. The day is that of TIME_ZONE."""
    try:
        return int(shared_memory().get(_day_key(topic)) or 0)
    except (redis.RedisError, OSError):
        logger.warning("Redis does not answer, so the budget of models is not looked at")
        return 0


def read() -> Iterator[Metric]:
    """Tokens, calls and failures since Redis began to count."""
    tokens = CounterMetricFamily("kb_llm_tokens", "Tokens that models cost.", labels=["role", "provider", "kind"])
    calls = CounterMetricFamily("kb_llm_calls", "Calls of models that were answered.", labels=["role", "provider"])
    failures = CounterMetricFamily(
        "kb_llm_failures", "Times that a provider failed, refused or was left out.", labels=["role", "provider"]
    )
    totals: dict[Any, Any] = shared_memory().hgetall(_TOTALS)
    for field, amount in sorted(totals.items()):
        role, provider, kind = field.decode().split("|")
        if kind == "calls":
            calls.add_metric([role, provider], int(amount))
        elif kind == "failures":
            failures.add_metric([role, provider], int(amount))
        else:
            tokens.add_metric([role, provider, kind.removesuffix("_tokens")], int(amount))
    yield from (tokens, calls, failures)


def _day_key(topic: str) -> str:
    """A name may be long and hold anything. A topic that is renamed begins its day anew."""
    name = hashlib.sha256(topic.encode()).hexdigest()[:16]
    return f"kb:llm:tokens:{timezone.localdate():%Y-%m-%d}:{name}"
