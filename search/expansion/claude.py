"""One short call of the Messages API for other wordings of a query."""

from __future__ import annotations

import asyncio
import hashlib
import json
import time
from pathlib import Path
from typing import TYPE_CHECKING

import pydantic
from django.conf import settings

from kb_project.clients.claude_client import open_client

if TYPE_CHECKING:
    from anthropic.types import Message

PROMPT = Path(__file__).with_name("prompt.md").read_text(encoding="utf-8")
PROMPT_VERSION = hashlib.sha256(PROMPT.encode()).hexdigest()[:12]
MAX_TOKENS = 512


class NoExpansion(Exception):
    """The provider failed, or was late."""


class NoWordings(NoExpansion):
    """The provider is well and gave this query no answer of the form asked for."""


class Wordings(pydantic.BaseModel):
    wordings: list[str]


def ask(query: str, *, topic_name: str, ends: float) -> list[str]:
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
