"""The answerer that asks Claude: passages as search results with citations, the answer streamed."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, aclosing
from importlib import import_module
from pathlib import Path
from typing import Any

from kb_project.errors import ProviderError
from search.answers.protocol import Asked, Claim, Piece, Refused, Text, Usage
from search.answers.sentences import sentences
from search.answers.verify import passage_label
from search.results import Hit

PROVIDER = "anthropic"
PROMPT = Path(__file__).with_name("prompt.md").read_text(encoding="utf-8")
PROMPT_VERSION = hashlib.sha256(PROMPT.encode()).hexdigest()[:12]
MAX_TOKENS = 4096
MAX_RETRIES = 2
WHOLE = ("end_turn", "stop_sequence", "max_tokens")
"""Reasons for stopping that leave an answer; one cut at `max_tokens` keeps the citations it has."""


class ClaudeAnswerer:
    """One streamed call of the Messages API for each question."""

    provider = PROVIDER

    def __init__(self, *, api_key: str, model: str, base_url: str = "", timeout_s: float, stall_s: float) -> None:
        """`timeout_s` bounds the whole answer, `stall_s` each silence within it."""
        self.model = model
        self._api_key, self._base_url = api_key, base_url
        self._timeout_s, self._stall_s = timeout_s, stall_s

    async def answer(self, asked: Asked) -> AsyncGenerator[Piece]:
        """The answer in pieces. Raises ProviderError when the provider fails, is too slow, or stops half way."""
        # Takes seconds the first time, and other streams must go on meanwhile.
        anthropic = await asyncio.to_thread(import_module, "anthropic")
        httpx2 = await asyncio.to_thread(import_module, "httpx2")
        deadline = asyncio.get_running_loop().time() + self._timeout_s
        client = anthropic.AsyncAnthropic(
            api_key=self._api_key, base_url=self._base_url or None, timeout=self._stall_s, max_retries=MAX_RETRIES
        )
        try:
            async with client, AsyncExitStack() as stack:
                # Around each wait, not around all: for how long the reader keeps us waiting is not the model's affair.
                async with asyncio.timeout_at(deadline):
                    stream = await stack.enter_async_context(client.messages.stream(**self._request(asked)))
                async with aclosing(_pieces(stream)) as pieces:
                    while True:
                        async with asyncio.timeout_at(deadline):
                            piece = await anext(pieces, None)
                        if piece is None:
                            return
                        yield piece
        except TimeoutError as error:
            raise ProviderError("The model gave no whole answer in time.", retryable=True) from error
        except anthropic.APIStatusError as error:
            raise ProviderError(
                f"The model's provider answered with an error ({error.type or error.status_code}).",
                retryable=error.status_code in (200, 408, 409, 429) or error.status_code >= 500,
            ) from error
        except (anthropic.APIError, httpx2.HTTPError) as error:
            raise ProviderError("The connection to the model's provider failed.", retryable=True) from error

    def _request(self, asked: Asked) -> dict[str, Any]:
        system = [{"type": "text", "text": PROMPT}]
        if asked.topic_name:
            system.append({"type": "text", "text": f"The topic is {json.dumps(asked.topic_name, ensure_ascii=False)}."})
        if asked.addendum.strip():
            system.append({"type": "text", "text": asked.addendum})
        system[-1]["cache_control"] = {"type": "ephemeral"}  # type: ignore[assignment]
        results = [search_result(passage) for passage in asked.passages]
        return {
            "model": self.model,
            "max_tokens": MAX_TOKENS,
            "output_config": {"effort": "low"},
            "system": system,
            "messages": [{"role": "user", "content": [*results, {"type": "text", "text": asked.question}]}],
        }


def search_result(passage: Hit) -> dict[str, Any]:
    """A passage as the API takes it, cut into sentences: the smallest thing that can be cited is one block."""
    source = passage.source
    title = " · ".join(part for part in (source.title, source.identifier, passage.section, passage.heading) if part)
    return {
        "type": "search_result",
        "source": passage_label(passage),
        "title": title or passage_label(passage),
        "citations": {"enabled": True},
        "content": [
            {"type": "text", "text": passage.text[start:end]}
            for start, end in sentences(passage.text)
            if passage.text[start:end].strip()
        ],
    }


async def _pieces(stream: Any) -> AsyncGenerator[Piece]:
    claims: list[Claim] = []
    async for event in stream:
        if event.type == "content_block_delta" and event.delta.type == "text_delta":
            yield Text(event.delta.text)
        elif event.type == "content_block_delta" and event.delta.type == "citations_delta":
            claims.append(_claim(event.delta.citation))
        elif event.type == "content_block_stop":  # its citations may have come before its text
            for claim in claims:
                yield claim
            claims = []
    message = await stream.get_final_message()
    yield Usage(message.usage.input_tokens, message.usage.output_tokens)
    if message.stop_reason == "refusal":
        yield Refused("the model refused")
    elif message.stop_reason not in WHOLE:
        raise ProviderError("The model stopped in the middle of its answer.", retryable=True)


def _claim(citation: Any) -> Claim:
    """What a citation of the API claims; one of another kind than ours claims nothing that could be verified."""
    if citation.type != "search_result_location":
        return Claim(passage=-1, quote=getattr(citation, "cited_text", "") or "")
    return Claim(passage=citation.search_result_index, quote=citation.cited_text, label=citation.source)
