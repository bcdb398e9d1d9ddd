"""The answerer that asks a model over OpenAI's chat API: statements with quotes as JSON, each said once it is whole."""

import asyncio
import json
import time
from collections.abc import AsyncGenerator, Iterator
from contextlib import aclosing
from typing import Any

import pydantic
from pydantic_core import from_json

from answers.writing.answerers.claude import MAX_RETRIES, MAX_TOKENS
from answers.writing.answerers.prompts import QUOTING, passage_title, system_texts
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
from answers.writing.statements.draft import read_markers
from answers.writing.statements.support import is_whole
from kb_project.errors import ProviderError
from kb_project.llm.chat import ChatModel
from kb_project.llm.protocol import Completion, ModelRequest

END_OF_THOUGHTS = "</think>"
CUT_AT_LENGTH = "length"


class CitationOutput(pydantic.BaseModel):
    passage: int
    quote: str


class Statement(pydantic.BaseModel):
    text: str
    citations: list[CitationOutput]


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
        for piece in said.rest(is_complete=not part.stop):
            yield piece
        if part.stop:
            yield Truncated()


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
    """An answer that is still being written: a statement is said when the next one begins."""

    def __init__(self) -> None:
        self._written = ""
        self._done = 0  # statements that were said

    def more(self, part: str) -> Iterator[Piece]:
        self._written += storable(part)
        if len(self._written) > MAX_ANSWER_LENGTH:
            raise TooLong
        yield from self._say((self._statements(partial="on") or [])[:-1])

    def rest(self, *, is_complete: bool) -> Iterator[Piece]:
        """What is left at the end. Raises ProviderError when nothing was written in the form asked for."""
        statements = self._statements(partial="off" if is_complete else "on")
        if statements is None and is_complete:
            raise ProviderError("The model's answer does not have the form asked for.", retryable=False)
        yield from self._say(statements or [])

    def _say(self, statements: list[Any]) -> Iterator[Piece]:
        for statement in statements[self._done :]:
            yield from _pieces(statement)
            self._done += 1

    def _statements(self, *, partial: Any) -> list[Any] | None:
        """The statements so far, None where there are none yet. Fences and thoughts around them are passed over."""
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


def _pieces(statement: Any) -> Iterator[Piece]:
    """A statement, and what it claims: by its citations, or by a number of a passage that it has words of."""
    said = statement.get("text")
    text, numbers = read_markers(storable(said)) if isinstance(said, str) else ("", [])
    yield Text(text)
    citations = statement.get("citations")
    claims = [_claim(citation) for citation in (citations if isinstance(citations, list) else [])]
    cited = {claim.passage for claim in claims}
    yield from claims
    yield from (Claim(passage=number - 1, quote=text) for number in numbers if number - 1 not in cited)
    # Without a stop it would go on with the next statement, and so be supported by what supports that.
    yield Text(" " if is_whole(text) else "\n\n")
    yield StatementEnd()


def _claim(citation: Any) -> Claim:
    """What a citation claims. One of another form claims nothing that could be verified."""
    try:
        claim = CitationOutput.model_validate(citation)
    except pydantic.ValidationError:
        return Claim(passage=-1, quote="")
    return Claim(passage=claim.passage - 1, quote=storable(claim.quote))
