"""Claude over Anthropic's SDK: its client, what of a request its models may refuse, and its errors as ours."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING, Any, TypeVar

from kb_project.clients.http import is_retryable, trusted_certificates
from kb_project.errors import ProviderError
from kb_project.llm.options import LeftOut, with_options
from kb_project.llm.protocol import CLAUDE, BadRequest, Completion, ModelKey, ModelRequest, Usage, in_words
from kb_project.observability import tracing

if TYPE_CHECKING:
    from anthropic import AsyncAnthropic
    from anthropic.types import Message

T = TypeVar("T")
PROVIDER = CLAUDE
REFUSABLE = {
    "thinking": r"thinking",
    "effort": r"effort|output_config(?!\.)",
    "format": r"output.format|\bformat parameter|config\.format|json_schema|structured.output|output_config(?!\.)",
}
CACHED = {"type": "ephemeral"}
ENDS = ("end_turn", "stop_sequence")


def open_client(*, api_key: str, base_url: str, timeout_s: float, max_retries: int) -> AsyncAnthropic:
    """A client for one call, to be closed after it. `timeout_s` bounds each wait for the network, not the call.

    One for each call, because connections belong to an event loop. The first takes seconds, see `loaded`.
    """
    import anthropic

    return anthropic.AsyncAnthropic(
        api_key=api_key,
        base_url=base_url or None,
        timeout=timeout_s,
        max_retries=max_retries,
        open_telemetry=tracing.anthropic_options(),
        # The key and the documents go to the address of the settings and to no other that it may name.
        http_client=anthropic.DefaultAsyncHttpxClient(
            verify=trusted_certificates(), timeout=timeout_s, follow_redirects=False
        ),
    )


@cache
def load() -> None:
    """Import the SDK and read the trusted certificates, which takes longer than all else in opening a client."""
    import anthropic  # noqa: F401 - for whoever imports it next

    trusted_certificates()


async def loaded() -> None:
    """Wait until a client can be opened at once, while the event loop goes on."""
    if not load.cache_info().currsize:
        await asyncio.to_thread(load)


class Claude:
    """A model of Anthropic's."""

    provider = PROVIDER

    def __init__(self, *, name: str, api_key: str, base_url: str = "") -> None:
        self.name = name
        self._api_key, self._base_url = api_key, base_url

    @property
    def key(self) -> ModelKey:
        return ModelKey(PROVIDER, self.name, self._base_url)

    def load(self) -> None:
        load()

    def open(self, *, timeout_s: float, retries: int) -> AsyncAnthropic:
        """A client for one call. Raises ProviderError without a key."""
        if not self._api_key:
            raise ProviderError("ANTHROPIC_API_KEY is not set.", retryable=False)
        return open_client(api_key=self._api_key, base_url=self._base_url, timeout_s=timeout_s, max_retries=retries)

    async def with_accepted(self, options: tuple[str, ...], call: Callable[[LeftOut], Awaitable[T]]) -> T:
        """Call with those of the options that the model takes. Raises ProviderError."""

        def refusable(left_out: LeftOut) -> Mapping[str, str]:
            return {name: REFUSABLE[name] for name in options if name not in left_out}

        async def translated(left_out: LeftOut) -> T:
            with sdk_errors():
                return await call(left_out)

        return await with_options(self.key, refusable, translated)

    async def complete(self, request: ModelRequest[Any], *, timeout_s: float, retries: int) -> Completion:
        await loaded()
        try:
            # The client's own timeout is for one read from the socket. This one bounds the whole call.
            async with asyncio.timeout(timeout_s), self.open(timeout_s=timeout_s, retries=retries) as client:
                options = ("effort", "format", "thinking") if request.is_quick else ("effort", "format")
                message = await self.with_accepted(
                    options, lambda left_out: client.messages.create(**self._body(request, left_out))
                )
        except TimeoutError as error:
            raise ProviderError(
                f"The model gave no answer within {round(timeout_s, 1):g} seconds.", retryable=True
            ) from error
        return _completion(message)

    def _body(self, request: ModelRequest[Any], left_out: LeftOut) -> dict[str, Any]:
        import anthropic

        system = request.system
        config: dict[str, Any] = {}
        if "effort" not in left_out:
            config["effort"] = "low"
        if "format" not in left_out:
            config["format"] = {"type": "json_schema", "schema": anthropic.transform_schema(request.form)}
        else:
            system = (*system, in_words(request.form))
        body: dict[str, Any] = {
            "model": self.name,
            "max_tokens": request.max_tokens,
            "system": cached(system),
            "messages": [{"role": "user", "content": _user_turn(request.parts)}],
        }
        if config:
            body["output_config"] = config
        if request.is_quick and "thinking" not in left_out:
            body["thinking"] = {"type": "disabled"}
        return body


def cached(texts: tuple[str, ...]) -> list[dict[str, Any]]:
    """Blocks of text that the provider may keep up to their end: it does when they are long enough to pay."""
    blocks: list[dict[str, Any]] = [{"type": "text", "text": text} for text in texts]
    blocks[-1]["cache_control"] = CACHED
    return blocks


def _user_turn(parts: tuple[str, ...]) -> list[dict[str, Any]]:
    *kept, last = parts
    return [*(cached(tuple(kept)) if kept else []), {"type": "text", "text": last}]


def _completion(message: Message) -> Completion:
    return Completion(
        text="".join(block.text for block in message.content if block.type == "text"),
        usage=usage_of(message.usage),
        stop=None if message.stop_reason in ENDS else str(message.stop_reason),
        is_refusal=message.stop_reason == "refusal",
    )


def usage_of(usage: Any) -> Usage:
    """What a call cost by its message."""
    return Usage(
        input_tokens=usage.input_tokens,
        output_tokens=usage.output_tokens,
        cache_read_tokens=usage.cache_read_input_tokens or 0,
        cache_write_tokens=usage.cache_creation_input_tokens or 0,
        calls=1,
    )


@contextmanager
def sdk_errors() -> Iterator[None]:
    """Errors of the SDK, and of what is under it, as ProviderError. The SDK has been imported."""
    import anthropic
    import httpx2

    try:
        yield
    except anthropic.APIStatusError as error:
        # An error that ends a stream came with status 200.
        status = "" if error.status_code == 200 else f"{error.status_code} "
        detail = f"The model's provider answered with an error ({status}{error.type or ''}".rstrip() + ")."
        if error.status_code == 400:
            raise BadRequest(detail, message=error.message) from error
        retryable = error.status_code == 200 or is_retryable(error.status_code)
        raise ProviderError(detail, retryable=retryable) from error
    except (anthropic.APITimeoutError, httpx2.TimeoutException) as error:
        raise ProviderError("The model fell silent.", retryable=True) from error
    except (anthropic.APIError, httpx2.HTTPError) as error:
        raise ProviderError("The connection to the model's provider failed.", retryable=True) from error
    except ValueError as error:  # JSON, or a character, that is none: the SDK lets both through
        raise ProviderError("The model's provider answered with what cannot be read.", retryable=True) from error
