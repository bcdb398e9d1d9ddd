"""Expanding a query within a small budget of time: remembered, never waited for, never a reason to fail."""

from __future__ import annotations

import hashlib
import json
import logging
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as Late

import redis
from django.conf import settings

from kb_project.clients.redis_client import quick_client
from kb_project.database.connections import release
from search.citations import find_references
from search.expansion import claude
from search.text.analysis import terms

logger = logging.getLogger(__name__)

MOST = 3
LONGEST = 200  # characters of one expansion
REMEMBERED_S = 7 * 24 * 3600
AWAY_S = 30.0  # how long a provider that failed or was late is not asked again: no search should wait for it twice
_away_until = 0.0
# One that is late goes on in its thread, so that the next query finds the SDK loaded.
_pool = ThreadPoolExecutor(max_workers=8, thread_name_prefix="expansion")


def expand(query: str, *, topic_name: str) -> tuple[str, ...]:
    """Up to three other wordings of a query; none without a key, for a citation, or when there is no answer in time.

    `topic_name` is empty for a search in all topics. Waits for at most `KB_EXPANSION_TIMEOUT_S` seconds, without a
    database connection. Never raises.
    """
    global _away_until
    query = " ".join(query.split())
    if not settings.ANTHROPIC_API_KEY or not query or find_references(query):
        return ()
    key = _key(query, topic_name)
    if (remembered := _remembered(key)) is not None:
        return remembered
    if time.monotonic() < _away_until:
        return ()
    release()
    ends = time.monotonic() + settings.KB_EXPANSION_TIMEOUT_S
    asking = _pool.submit(claude.ask, query, topic_name=topic_name, ends=ends)
    try:
        wordings = asking.result(timeout=max(0.0, ends - time.monotonic()))
    except claude.NoWordings as error:  # one query's affair: the next may be asked
        logger.warning("The query was not expanded: %s", error)
        _remember(key, ())
        return ()
    except (claude.NoExpansion, Late) as error:
        logger.warning("The query was not expanded: %s", error or "no answer in time")
        _away_until = time.monotonic() + AWAY_S
        return ()
    except Exception:  # whatever a library raises, the plain query is searched for all the same
        logger.exception("The query was not expanded")
        _away_until = time.monotonic() + AWAY_S
        return ()
    found = cleaned(wordings, query=query)
    _remember(key, found)
    return found


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


def _key(query: str, topic_name: str) -> str:
    parts = json.dumps([claude.PROMPT_VERSION, settings.KB_EXPANSION_MODEL, topic_name, query])
    return f"kb:expansion:{hashlib.sha256(parts.encode()).hexdigest()}"


def _remembered(key: str) -> tuple[str, ...] | None:
    try:
        text = quick_client(settings.REDIS_URL, timeout_s=0.5).get(key)
    except (redis.RedisError, OSError):
        return None
    return tuple(json.loads(text)) if text else None


def _remember(key: str, found: tuple[str, ...]) -> None:
    try:
        quick_client(settings.REDIS_URL, timeout_s=0.5).set(key, json.dumps(found, ensure_ascii=False), ex=REMEMBERED_S)
    except (redis.RedisError, OSError):
        logger.warning("Redis does not answer, so an expansion is not remembered")
