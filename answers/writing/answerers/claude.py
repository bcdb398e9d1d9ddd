"""The answerer that asks Claude: passages as search results with citations, the answer streamed."""

import asyncio
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from typing import Any

from answers.writing.answerers.prompts import passage_title, system_texts
from answers.writing.protocol import (
    MAX_ANSWER_LENGTH,
    AnswerRequest,
    Claim,
    Piece,
    Refused,
    StatementEnd,
    Text,
    TooLong,
    Truncated,
    storable,
)
from answers.writing.quotes.pieces import sentences
from answers.writing.quotes.verify import passage_label
from kb_project.errors import ProviderError
from kb_project.llm.claude import Claude, cached, loaded, sdk_errors, usage_of
from kb_project.llm.options import LeftOut
from kb_project.llm.protocol import Usage
from search.results import SearchHit

MAX_TOKENS = 4096
MAX_RETRIES = 2
CUT_AT_LENGTH = "max_tokens"
WHOLE = ("end_turn", "stop_sequence", CUT_AT_LENGTH)
"""Reasons for stopping that leave an answer; one that is cut keeps the citations it has."""


class ClaudeAnswerer:
    """One streamed call of the Messages API for each question."""

    def __init__(self, claude: Claude, *, stall_s: float) -> None:
        """`stall_s` bounds each silence of the model."""
        self.provider, self.model, self.key = claude.provider, claude.name, claude.key
        self._claude, self._stall_s = claude, stall_s

    async def answer(self, asked: AnswerRequest) -> AsyncGenerator[Piece]:
        """The answer in pieces. Raises ProviderError when the provider fails, is too slow, or stops half way."""
        deadline = asyncio.get_running_loop().time() + asked.timeout_s
        await loaded()
        try:
            with sdk_errors():
                async with self._claude.open(timeout_s=self._stall_s, retries=MAX_RETRIES) as client:
                    # Around each wait: one timeout around a `yield` would go off in whoever reads.
                    async with asyncio.timeout_at(deadline):
                        stream = await self._claude.with_accepted(
                            ("effort",),
                            lambda left_out: client.messages.create(**self._request(asked, left_out), stream=True),
                        )
                    async with stream, aclosing(_pieces(stream, asked)) as pieces:
                        while True:
                            async with asyncio.timeout_at(deadline):
                                piece = await anext(pieces, None)
                            if piece is None:
                                return
                            yield piece
        except TimeoutError as error:
            raise ProviderError("The model gave no whole answer in time.", retryable=True) from error

    def _request(self, asked: AnswerRequest, left_out: LeftOut) -> dict[str, Any]:
        results = [search_result(passage) for passage in asked.passages]
        request: dict[str, Any] = {
            "model": self.model,
            "max_tokens": MAX_TOKENS,
            "system": cached(system_texts(asked)),
            "messages": [{"role": "user", "content": [*results, {"type": "text", "text": asked.question}]}],
        }
        return request if "effort" in left_out else {**request, "output_config": {"effort": "low"}}


def search_result(passage: SearchHit) -> dict[str, Any]:
    """A passage as the API takes it, cut into sentences: the smallest thing that can be cited is one block."""
    return {
        "type": "search_result",
        "source": passage_label(passage),
        "title": passage_title(passage),
        "citations": {"enabled": True},
        "content": [{"type": "text", "text": passage.text[start:end]} for start, end in _blocks(passage)],
    }


def _blocks(passage: SearchHit) -> list[tuple[int, int]]:
    return [(start, end) for start, end in sentences(passage.text) if passage.text[start:end].strip()]


async def _pieces(stream: Any, asked: AnswerRequest) -> AsyncGenerator[Piece]:
    """The raw events: the SDK's own way of collecting a message costs more than all else of a stream."""
    claims: list[Claim] = []
    stop_reason = None
    is_whole = False
    written = 0
    said_tokens = 0  # counted anew by each event that tells it
    async for event in stream:
        match event.type:
            case "message_start":
                begun = usage_of(event.message.usage)
                said_tokens = begun.output_tokens
                yield begun
            case "content_block_delta" if event.delta.type == "text_delta":
                written += len(event.delta.text)
                if written > MAX_ANSWER_LENGTH:
                    raise TooLong
                yield Text(storable(event.delta.text))
            case "content_block_delta" if event.delta.type == "citations_delta":
                claims.append(_claim(event.delta.citation, asked))
            case "content_block_stop":  # its citations may have come before its text
                for claim in claims:
                    yield claim
                claims = []
                yield StatementEnd()
            case "message_delta":
                stop_reason = event.delta.stop_reason
                yield Usage(output_tokens=event.usage.output_tokens - said_tokens)
                said_tokens = event.usage.output_tokens
            case "message_stop":
                is_whole = True
    for piece in _of_the_end(stop_reason, is_whole=is_whole):
        yield piece


def _of_the_end(stop_reason: str | None, *, is_whole: bool) -> Iterator[Piece]:
    """What the reason of stopping tells. Raises ProviderError when the model stopped half way."""
    if is_whole and stop_reason == "refusal":
        yield Refused("the model refused")
    elif not is_whole or stop_reason not in WHOLE:
        raise ProviderError("The model stopped in the middle of its answer.", retryable=True)
    elif stop_reason == CUT_AT_LENGTH:
        yield Truncated()


def _claim(citation: Any, asked: AnswerRequest) -> Claim:
    """What a citation of the API claims. One of another kind than ours claims nothing that could be verified."""
    quote = storable(getattr(citation, "cited_text", None) or "")
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
    return Claim(passage=index, quote=quote, label=storable(citation.source or ""))
