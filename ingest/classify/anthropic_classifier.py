"""The classifier that asks Claude, with a schema for the answer and one deadline for everything."""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Callable, Coroutine, Iterable
from concurrent.futures import ThreadPoolExecutor
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pydantic

from ingest.classify.proposal import (
    FIELDS,
    ClassificationFailed,
    DocumentHead,
    LabelName,
    RawEvidence,
    RawProposal,
    unwanted,
)
from kb_project.clients import claude_client
from sources import fields
from sources.kinds import Kind

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic
    from anthropic.types import Message

PROVIDER = "anthropic"
PROMPT = Path(__file__).with_name("prompt.md").read_text(encoding="utf-8")
PROMPT_VERSION = hashlib.sha256(PROMPT.encode()).hexdigest()[:12]
MAX_TOKENS = 8192  # what the model thinks before it answers counts too
MAX_RETRIES = 2  # by the SDK, which heeds Retry-After; then `ingest.classify.stage` tries again
LOOK_EVERY_S = 0.25  # how often `is_unwanted` is asked

KindName = StrEnum("KindName", [(kind.name, kind.value) for kind in Kind])  # type: ignore[misc]
FieldName = StrEnum("FieldName", [(name.upper(), name) for name in FIELDS])  # type: ignore[misc]


class LabelAnswer(pydantic.BaseModel):
    slug: str | None = None
    name: str | None = None


class EvidenceAnswer(pydantic.BaseModel):
    field: FieldName
    page: int | None = None
    quote: str


_VALUES: dict[str, Any] = {
    field.name: ((KindName if field.type is fields.FieldType.KIND else str) | None, None) for field in fields.FIELDS
}
Answer: type[pydantic.BaseModel] = pydantic.create_model(
    "Answer",
    __doc__=(
        "The schema of the answer. Lengths and dates are left to `suggestions`: here they would cost the whole answer."
    ),
    **_VALUES,
    labels=(list[LabelAnswer], []),
    evidence=(list[EvidenceAnswer], []),
)


class _DetachedThreads(ThreadPoolExecutor):
    """Threads for DNS look-ups, which cannot be cancelled. The call ends without waiting for them."""

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        super().shutdown(wait=False, cancel_futures=True)


class AnthropicClassifier:
    """One call of the Messages API for each document."""

    def __init__(self, *, api_key: str, model: str, base_url: str = "") -> None:
        claude_client.load()  # here, because it takes seconds, and only workers with a key need it
        self._api_key, self._model, self._base_url = api_key, model, base_url

    def classify(self, document: DocumentHead, *, deadline_s: float, is_unwanted: Callable[[], bool]) -> RawProposal:
        """Ask Claude, within `deadline_s` seconds, retries of the SDK included."""
        import anthropic
        import httpx2

        try:
            message = asyncio.run(self._ask(document, deadline_s=deadline_s, is_unwanted=is_unwanted))
        except ClassificationFailed:
            raise
        except TimeoutError as error:
            raise ClassificationFailed(
                f"The classifier gave no answer within {round(deadline_s, 1):g} seconds.", retryable=True
            ) from error
        except anthropic.APIStatusError as error:
            raise ClassificationFailed(
                f"The classifier's provider answered with HTTP status {error.status_code}.",
                retryable=error.status_code in (408, 409, 429) or error.status_code >= 500,
            ) from error
        except (anthropic.APIConnectionError, httpx2.HTTPError) as error:
            raise ClassificationFailed("The connection to the classifier's provider failed.", retryable=True) from error
        except Exception as error:  # any other error also sends the document to review
            raise ClassificationFailed(
                f"The call of the classifier failed ({type(error).__name__}).", retryable=False
            ) from error
        return self._proposal(_answer(message))

    async def _ask(self, document: DocumentHead, *, deadline_s: float, is_unwanted: Callable[[], bool]) -> Message:
        asyncio.get_running_loop().set_default_executor(_DetachedThreads(thread_name_prefix="look-up"))
        # The client's own timeout is for one read from the socket. This one bounds the whole call.
        async with (
            asyncio.timeout(deadline_s),
            claude_client.open_client(
                api_key=self._api_key, base_url=self._base_url, timeout_s=deadline_s, max_retries=MAX_RETRIES
            ) as client,
        ):
            return await _while_wanted(self._call(client, document), is_unwanted)

    async def _call(self, client: AsyncAnthropic, document: DocumentHead) -> Message:
        import anthropic

        return await client.messages.create(
            model=self._model,
            max_tokens=MAX_TOKENS,
            system=[{"type": "text", "text": PROMPT, "cache_control": {"type": "ephemeral"}}],
            output_config={
                "effort": "low",
                "format": {"type": "json_schema", "schema": anthropic.transform_schema(Answer)},
            },
            messages=[{"role": "user", "content": request_text(document)}],
        )

    def _proposal(self, answer: pydantic.BaseModel) -> RawProposal:
        given = answer.model_dump(mode="json")
        labels, evidence = given.pop("labels"), given.pop("evidence")
        return RawProposal(
            provider=PROVIDER,
            model=self._model,
            prompt_version=PROMPT_VERSION,
            **given,
            labels=tuple(LabelName(slug=label["slug"] or "", name=label["name"] or "") for label in labels),
            evidence=tuple(RawEvidence(**item) for item in evidence),
        )


async def _while_wanted(call: Coroutine[Any, Any, Message], is_unwanted: Callable[[], bool]) -> Message:
    """Wait for the call. Cancel it as soon as `is_unwanted` is true."""
    task = asyncio.create_task(call)
    try:
        while not (await asyncio.wait([task], timeout=LOOK_EVERY_S))[0]:
            if is_unwanted():
                raise unwanted()
        return task.result()
    finally:
        task.cancel()


def _answer(message: Message) -> pydantic.BaseModel:
    """The parsed answer. The stop reason is checked first, because a truncated answer may still parse."""
    if message.stop_reason == "refusal":
        raise ClassificationFailed("The model refused to classify the document.", retryable=False)
    if message.stop_reason != "end_turn":
        raise ClassificationFailed(f"The model's answer is not whole ({message.stop_reason}).", retryable=False)
    text = "".join(block.text for block in message.content if block.type == "text")
    try:
        return Answer.model_validate_json(text)
    except pydantic.ValidationError as error:
        place = error.errors(include_url=False, include_input=False, include_context=False)[0]
        where = ".".join(str(part) for part in place["loc"]) or "the whole"
        raise ClassificationFailed(
            f"The model's answer does not have the form asked for ({where}: {place['type']}).", retryable=False
        ) from error


def request_text(document: DocumentHead) -> str:
    """The user turn: topic and existing labels, then the document between markers that it cannot contain.

    The code in the markers is a hash of the document, so no document can contain them.
    """
    code = hashlib.sha256(f"{document.filename}\0{document.text}".encode("utf-8", "replace")).hexdigest()[:16]
    return "\n".join(
        [
            f"Topic of the knowledge base: {_json(document.topic)}",
            "Existing labels:",
            *(_label_lines(document) or ["(none yet)"]),
            "",
            f"----- BEGIN UNTRUSTED DOCUMENT {code} -----",
            f"File name: {_json(document.filename)}",
            *_page_lines(document, code),
            f"----- END UNTRUSTED DOCUMENT {code} -----",
            "",
            "Propose the metadata of the document between the markers.",
        ]
    )


def _label_lines(document: DocumentHead) -> list[str]:
    return [_json({"slug": label.slug, "name": label.name}) for label in document.labels]


def _page_lines(document: DocumentHead, code: str) -> Iterable[str]:
    for page in document.pages:
        name = "TEXT, WITHOUT PAGE NUMBERS" if page.number is None else f"PAGE {page.number}"
        yield f"----- {name} {code} -----"
        yield page.text


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
