"""The answerer that asks a model over OpenAI's chat API: statements with quotes as JSON, said as they are written."""

import asyncio
import json
import time
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from typing import Any

import pydantic
from pydantic_core import from_json

from kb_project.errors import ProviderError
from kb_project.llm.chat import ChatModel
from kb_project.llm.protocol import Completion, ModelRequest
from search.answers.claude import MAX_RETRIES, MAX_TOKENS
from search.answers.prompts import QUOTING, passage_title, system_texts
from search.answers.protocol import AnswerRequest, Claim, Piece, Refused, Text, storable

END_OF_THOUGHTS = "</think>"
CUT_AT_LENGTH = "length"
LONGEST_WRITTEN = 100_000  # characters, thoughts included: what was written is read anew with each word


class Citation(pydantic.BaseModel):
    passage: int
    quote: str


class Statement(pydantic.BaseModel):
    text: str
    citations: list[Citation]


class Statements(pydantic.BaseModel):
    """The form of an answer."""

    statements: list[Statement]


class ChatAnswerer:
    """One streamed call for each question."""

    def __init__(self, model: ChatModel, *, stall_s: float) -> None:
        """`stall_s` bounds each silence of the model."""
        self.provider, self.model, self.key = model.provider, model.name, model.key
        self._chat, self._stall_s = model, stall_s

    async def answer(self, asked: AnswerRequest) -> AsyncGenerator[Piece]:
        """The answer in pieces. Raises ProviderError when the provider fails, is too slow, or stops half way."""
        deadline = asyncio.get_running_loop().time() + asked.timeout_s
        said = _Said()
        stream = self._chat.stream(
            _request(asked), silence_s=self._stall_s, ends=time.monotonic() + asked.timeout_s, retries=MAX_RETRIES
        )
        try:
            async with aclosing(stream) as parts:
                while True:
                    async with asyncio.timeout_at(deadline):
                        part = await anext(parts)
                    if isinstance(part, Completion):
                        break
                    for piece in said.more(part):
                        yield piece
        except TimeoutError as error:
            raise ProviderError("The model gave no whole answer in time.", retryable=True) from error
        yield part.usage
        if part.is_refusal:
            yield Refused("the model refused")
            return
        if part.stop and part.stop != CUT_AT_LENGTH:
            raise ProviderError("The model stopped in the middle of its answer.", retryable=True)
        for piece in said.rest(is_whole=not part.stop):
            yield piece


def _request(asked: AnswerRequest) -> ModelRequest[Statements]:
    passages = [
        {"passage": number, "title": passage_title(passage), "text": passage.text}
        for number, passage in enumerate(asked.passages, start=1)
    ]
    return ModelRequest(
        system=(*system_texts(asked), QUOTING),
        parts=(f"Passages:\n{_json(passages)}", f"Question:\n{_json(asked.question)}"),
        form=Statements,
        max_tokens=MAX_TOKENS,
    )


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)


class _Said:
    """An answer that is still being written: its text is said at once, its claims when their statement is whole."""

    def __init__(self) -> None:
        self._written = ""
        self._done = 0  # statements whose claims were made
        self._shown = 0  # characters of the statement that comes next

    def more(self, part: str) -> Iterator[Piece]:
        self._written += storable(part)
        if len(self._written) > LONGEST_WRITTEN:
            raise ProviderError("The model's answer is longer than an answer can be.", retryable=False)
        statements = self._statements(partial="trailing-strings") or []
        for statement in statements[self._done : -1]:
            yield from self._whole(statement)
        if statements[self._done :]:
            yield from self._text(statements[-1])

    def rest(self, *, is_whole: bool) -> Iterator[Piece]:
        """What is left at the end. Raises ProviderError when nothing was written in the form asked for."""
        statements = self._statements(partial="off" if is_whole else "on")
        if statements is None and is_whole:
            raise ProviderError("The model's answer does not have the form asked for.", retryable=False)
        for statement in (statements or [])[self._done :]:
            yield from self._whole(statement)

    def _statements(self, *, partial: Any) -> list[Any] | None:
        """The statements so far, None where there are none yet; fences and thoughts around them are passed over."""
        after = self._written.rfind(END_OF_THOUGHTS) + 1
        start = self._written.find("{", after)
        if start < 0 or (not after and self._written.lstrip().startswith("<think>")):
            return None
        written = self._written[start:] if partial != "off" else self._written[start : self._written.rfind("}") + 1]
        try:
            found = from_json(written, allow_partial=partial)
        except ValueError:
            return None
        statements = found.get("statements") if isinstance(found, dict) else None
        return [one for one in statements if isinstance(one, dict)] if isinstance(statements, list) else None

    def _text(self, statement: Any) -> Iterator[Piece]:
        text = statement.get("text")
        if isinstance(text, str) and len(text) > self._shown:
            gap = " " if self._done and not self._shown else ""
            yield Text(gap + storable(text[self._shown :]))
            self._shown = len(text)

    def _whole(self, statement: Any) -> Iterator[Piece]:
        yield from self._text(statement)
        citations = statement.get("citations")
        for citation in citations if isinstance(citations, list) else []:
            yield _claim(citation)
        self._done, self._shown = self._done + 1, 0


def _claim(citation: Any) -> Claim:
    """What a citation claims; one of another form claims nothing that could be verified."""
    try:
        claim = Citation.model_validate(citation)
    except pydantic.ValidationError:
        return Claim(passage=-1, quote="")
    return Claim(passage=claim.passage - 1, quote=storable(claim.quote))
