"""Expanding a query within a small budget of time: remembered, never waited for, never a reason to fail."""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import time
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from concurrent.futures import TimeoutError as Late
from pathlib import Path
from typing import TYPE_CHECKING

import pydantic
import redis
from django.conf import settings

from kb_project.clients.claude_client import open_client
from kb_project.clients.redis_client import quick_client
from kb_project.database.connections import release
from search.citations import find_references
from search.text.analysis import terms

if TYPE_CHECKING:
    from anthropic.types import Message

logger = logging.getLogger(__name__)

PROMPT = Path(__file__).with_name("prompt.md").read_text(encoding="utf-8")
PROMPT_VERSION = hashlib.sha256(PROMPT.encode()).hexdigest()[:12]
MAX_TOKENS = 512
MOST = 3
LONGEST = 200  # characters of one expansion
REMEMBERED_S = 7 * 24 * 3600
AWAY_S = 30.0  # how long a provider that failed or was late is not asked again: no search should wait for it twice
_away_until = 0.0
# One that is late goes on in its thread, so that the next query finds the SDK loaded.
_pool = ThreadPoolExecutor(max_workers=8, thread_name_prefix="expansion")


class NoExpansion(Exception):
    """The provider failed, or was late."""


class NoWordings(NoExpansion):
    """The provider is well and gave this query no answer of the form asked for."""


class Wordings(pydantic.BaseModel):
    wordings: list[str]


def ask_claude(query: str, *, topic_name: str, ends: float) -> list[str]:
    """The wordings that Claude proposes before `ends` (of `time.monotonic()`). Raises NoExpansion."""
    import anthropic  # takes seconds to import, and only an installation with a key needs it
    import httpx2

    try:
        message = asyncio.run(_ask(query, topic_name=topic_name, seconds=ends - time.monotonic()))
    except TimeoutError as error:
        raise NoExpansion("no answer in time") from error
    except (anthropic.APIError, httpx2.HTTPError) as error:
        raise NoExpansion(f"the provider failed ({type(error).__name__})") from error
    text = "".join(block.text for block in message.content if block.type == "text")
    try:
        return Wordings.model_validate_json(text).wordings
    except pydantic.ValidationError as error:
        raise NoWordings("the answer has another form") from error


async def _ask(query: str, *, topic_name: str, seconds: float) -> Message:
    import anthropic

    request = json.dumps({"topic": topic_name, "query": query}, ensure_ascii=False)
    async with (
        asyncio.timeout(seconds),
        open_client(
            api_key=settings.ANTHROPIC_API_KEY,
            base_url=settings.ANTHROPIC_BASE_URL,
            timeout_s=max(0.1, seconds),
            max_retries=0,
        ) as client,
    ):
        return await client.messages.create(
            model=settings.KB_EXPANSION_MODEL,
            max_tokens=MAX_TOKENS,
            thinking={"type": "disabled"},
            system=[{"type": "text", "text": PROMPT, "cache_control": {"type": "ephemeral"}}],
            output_config={
                "effort": "low",
                "format": {"type": "json_schema", "schema": anthropic.transform_schema(Wordings)},
            },
            messages=[{"role": "user", "content": request}],
        )


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
    asking = _pool.submit(ask_claude, query, topic_name=topic_name, ends=ends)
    try:
        wordings = asking.result(timeout=max(0.0, ends - time.monotonic()))
    except NoWordings as error:  # one query's affair: the next may be asked
        logger.warning("The query was not expanded: %s", error)
        _remember(key, ())
        return ()
    except (NoExpansion, Late) as error:
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
    parts = json.dumps([PROMPT_VERSION, settings.KB_EXPANSION_MODEL, topic_name, query])
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
