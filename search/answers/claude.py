"""The answerer that asks Claude: passages as search results with citations, the answer streamed."""

import asyncio
import hashlib
import json
from collections.abc import AsyncGenerator
from contextlib import aclosing
from pathlib import Path
from typing import Any

from kb_project.clients.claude_client import loaded, open_client
from kb_project.errors import ProviderError
from search.answers.protocol import AnswerRequest, Claim, Piece, Refused, Text, Usage
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

    async def answer(self, asked: AnswerRequest) -> AsyncGenerator[Piece]:
        """The answer in pieces. Raises ProviderError when the provider fails, is too slow, or stops half way."""
        if not self._api_key:
            raise ProviderError("ANTHROPIC_API_KEY is not set.", retryable=False)
        deadline = asyncio.get_running_loop().time() + self._timeout_s
        await loaded()
        import anthropic
        import httpx2

        client = open_client(
            api_key=self._api_key, base_url=self._base_url, timeout_s=self._stall_s, max_retries=MAX_RETRIES
        )
        try:
            async with client:
                # Around each wait: one timeout around a `yield` would go off in whoever reads.
                async with asyncio.timeout_at(deadline):
                    stream = await client.messages.create(**self._request(asked), stream=True)
                async with stream, aclosing(_pieces(stream, asked)) as pieces:
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
        except (anthropic.APITimeoutError, httpx2.TimeoutException) as error:
            raise ProviderError("The model fell silent.", retryable=True) from error
        except (anthropic.APIError, httpx2.HTTPError) as error:
            raise ProviderError("The connection to the model's provider failed.", retryable=True) from error
        except ValueError as error:  # JSON, or a character, that is none: the SDK lets both through
            raise ProviderError("The model's provider answered with what cannot be read.", retryable=True) from error

    def _request(self, asked: AnswerRequest) -> dict[str, Any]:
        system: list[dict[str, Any]] = [{"type": "text", "text": PROMPT}]
        if asked.topic_name:
            system.append({"type": "text", "text": f"The topic is {json.dumps(asked.topic_name, ensure_ascii=False)}."})
        if asked.addendum.strip():
            system.append({"type": "text", "text": asked.addendum})
        system[-1]["cache_control"] = {"type": "ephemeral"}
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
        "content": [{"type": "text", "text": passage.text[start:end]} for start, end in _blocks(passage)],
    }


def _blocks(passage: Hit) -> list[tuple[int, int]]:
    return [(start, end) for start, end in sentences(passage.text) if passage.text[start:end].strip()]


async def _pieces(stream: Any, asked: AnswerRequest) -> AsyncGenerator[Piece]:
    """The raw events: the SDK's own way of collecting a message costs more than all else of a stream."""
    claims: list[Claim] = []
    input_tokens = 0
    stop_reason = None
    is_whole = False
    async for event in stream:
        match event.type:
            case "message_start":
                input_tokens = event.message.usage.input_tokens
            case "content_block_delta" if event.delta.type == "text_delta":
                yield Text(_storable(event.delta.text))
            case "content_block_delta" if event.delta.type == "citations_delta":
                claims.append(_claim(event.delta.citation, asked))
            case "content_block_stop":  # its citations may have come before its text
                for claim in claims:
                    yield claim
                claims = []
            case "message_delta":
                stop_reason = event.delta.stop_reason
                yield Usage(input_tokens, event.usage.output_tokens)
            case "message_stop":
                is_whole = True
    if refusal := _refusal(stop_reason if is_whole else None):
        yield refusal


def _refusal(stop_reason: str | None) -> Refused | None:
    """Whether the model refused. Raises ProviderError when it stopped half way."""
    if stop_reason == "refusal":
        return Refused("the model refused")
    if stop_reason not in WHOLE:
        raise ProviderError("The model stopped in the middle of its answer.", retryable=True)
    return None


def _claim(citation: Any, asked: AnswerRequest) -> Claim:
    """What a citation of the API claims; one of another kind than ours claims nothing that could be verified."""
    quote = _storable(getattr(citation, "cited_text", None) or "")
    if citation.type != "search_result_location":
        return Claim(passage=-1, quote=quote)
    index = citation.search_result_index
    if 0 <= index < len(asked.passages):
        passage = asked.passages[index]
        cited = _blocks(passage)[citation.start_block_index : citation.end_block_index]
        words = passage.text[cited[0][0] : cited[-1][1]] if cited else ""
        # The API joins several blocks in its own way; how it does must not make the quote another one.
        if "".join(quote.split()) == "".join(words.split()):
            quote = words
    return Claim(passage=index, quote=quote, label=_storable(citation.source or ""))


def _storable(text: str) -> str:
    """Text without what neither UTF-8 nor the database can hold: halves of characters, and NUL."""
    return text.replace("\0", "").encode("utf-8", "replace").decode()
