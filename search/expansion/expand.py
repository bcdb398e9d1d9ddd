"""Expanding a query within a small budget of time: remembered, never waited for, never a reason to fail."""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Iterable
from dataclasses import dataclass

import redis

from kb_project.clients.redis_client import shared_memory
from kb_project.database.connections import release
from kb_project.llm.protocol import LanguageModel
from kb_project.llm.roles import EXPANSION
from kb_project.observability.metrics import EXPANSIONS
from search.citations import find_references
from search.expansion.wordings import PROMPT_VERSION, Outcome, ask_in_order
from search.text.analysis import terms

logger = logging.getLogger(__name__)

MOST = 3
LONGEST = 200  # characters of one expansion
REMEMBERED_S = 7 * 24 * 3600


@dataclass(frozen=True, slots=True)
class Expansion:
    """Other wordings of a query, and where they come from or why there are none."""

    wordings: tuple[str, ...]
    outcome: Outcome


def expand(query: str, *, topic_name: str) -> tuple[str, ...]:
    """Up to three other wordings of a query, as `expansion_of` finds them."""
    return expansion_of(query, topic_name=topic_name).wordings


def expansion_of(query: str, *, topic_name: str) -> Expansion:
    """Up to three other wordings of a query; none for a citation, nor when no model of the chain gives any in time.

    `topic_name` is empty for a search in all topics. Waits for at most `KB_EXPANSION_TIMEOUT_S` seconds, without a
    database connection. Never raises. Every outcome is counted.
    """
    expansion = _expansion(" ".join(query.split()), topic_name)
    EXPANSIONS.labels(outcome=expansion.outcome.value).inc()
    return expansion


def _expansion(query: str, topic_name: str) -> Expansion:
    models = EXPANSION.models()
    if not models:
        return Expansion((), Outcome.OFF)
    if not query or find_references(query):
        return Expansion((), Outcome.NEEDLESS)
    key = _key(query, topic_name, models)
    if (remembered := _remembered(key)) is not None:
        return Expansion(remembered, Outcome.REMEMBERED)
    release()
    wordings, outcome = ask_in_order(models, query, topic_name=topic_name)
    found = cleaned(wordings, query=query)
    if outcome in (Outcome.MADE, Outcome.UNUSABLE):  # another time it would be the same
        _remember(key, found)
    return Expansion(found, outcome)


def cleaned(wordings: Iterable[str], *, query: str) -> tuple[str, ...]:
    """The wordings that add words to the query and to each other, cut to what is of use."""
    seen = {frozenset(term.stem for term in terms(query))}
    kept: list[str] = []
    for wording in wordings:
        text = " ".join(wording.replace("\0", " ").split())[:LONGEST].strip()
        stems = frozenset(term.stem for term in terms(text))
        if stems and stems not in seen and len(kept) < MOST:
            seen.add(stems)
            kept.append(text)
    return tuple(kept)


def _key(query: str, topic_name: str, models: Iterable[LanguageModel]) -> str:
    parts = json.dumps([PROMPT_VERSION, [[model.provider, model.name] for model in models], topic_name, query])
    return f"kb:expansion:{hashlib.sha256(parts.encode()).hexdigest()}"


def _remembered(key: str) -> tuple[str, ...] | None:
    try:
        text = shared_memory().get(key)
    except (redis.RedisError, OSError):
        return None
    return tuple(json.loads(text)) if text else None


def _remember(key: str, found: tuple[str, ...]) -> None:
    try:
        shared_memory().set(key, json.dumps(found, ensure_ascii=False), ex=REMEMBERED_S)
    except (redis.RedisError, OSError):
        logger.warning("Redis does not answer, so an expansion is not remembered")
