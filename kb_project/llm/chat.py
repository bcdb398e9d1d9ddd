"""OpenAI's chat-completions API, as OpenAI, Azure, vLLM, Ollama, llama.cpp and LiteLLM speak it."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncGenerator, AsyncIterator, Iterator, Mapping
from contextlib import aclosing, asynccontextmanager, contextmanager
from typing import TYPE_CHECKING, Any

from kb_project.clients.http import is_retryable, trusted_certificates, wait_s
from kb_project.errors import ProviderError
from kb_project.llm import protocol
from kb_project.llm.options import LeftOut, with_options
from kb_project.llm.protocol import CHAT, BadRequest, Completion, ModelKey, ModelRequest, Usage
from kb_project.llm.spans import model_span, tokens
from kb_project.observability.tracing import Span

if TYPE_CHECKING:
    import httpx2  # slow to import, and only who asks a model needs it

PROVIDER = CHAT
DEFAULT_BASE_URL = "https://api.openai.com/v1"
MAX_REPLY_BYTES = 2 * 1024 * 1024  # bytes, of a whole stream too
MAX_MESSAGE_LENGTH = 2_000  # characters of an error that are looked at
CHARACTERS_OF_A_TOKEN = 3  # where the server does not count: fewer than English has, more than Hebrew
CUT = "connection"
"""`Completion.stop` of a stream that broke off."""
LAST: dict[str, Any] = {}
"""What stands for `[DONE]`: not every server says why it stopped before."""


class ChatModel:
    """A model behind `POST <base_url>/chat/completions`."""

    provider = PROVIDER

    def __init__(self, *, name: str, api_key: str = "", base_url: str = "") -> None:
        """`base_url` ends before `/chat/completions`. A server of one's own may need no key."""
        self.name = name
        self._base_url = (base_url or DEFAULT_BASE_URL).rstrip("/")
        self._headers = {"Authorization": f"Bearer {api_key}"} if api_key else {}

    @property
    def key(self) -> ModelKey:
        return ModelKey(PROVIDER, self.name, self._base_url)

    def load(self) -> None:
        trusted_certificates()

    async def complete(self, request: ModelRequest[Any], *, timeout_s: float, retries: int) -> Completion:
        ends = time.monotonic() + timeout_s
        with self._span(request) as span:
            try:
                async with (
                    asyncio.timeout(timeout_s),
                    self._asked(request, span, silence_s=timeout_s, retries=retries, ends=ends) as response,
                ):
                    whole = b"".join([part async for part in _bounded(response)])
            except TimeoutError as error:
                raise ProviderError(
                    f"The model gave no answer within {round(timeout_s, 1):g} seconds.", retryable=True
                ) from error
            with _unreadable():
                answer = json.loads(whole)
                choice = answer["choices"][0]
                text, refusal = choice["message"].get("content") or "", choice["message"].get("refusal")
                finish, usage = choice.get("finish_reason"), answer.get("usage")
                completion = _completion(request, text, finish, usage, is_refusal=refusal)
            span.set(tokens(completion.usage))
            return completion

    async def stream(
        self, request: ModelRequest[Any], *, silence_s: float, ends: float, retries: int
    ) -> AsyncGenerator[str | Completion]:
        """The texts of the answer as they come, and the whole last. Raises ProviderError.

        `silence_s` bounds each wait for the network. `ends`, of `time.monotonic()`, bounds the waits between retries.
        """
        text, finish, usage, refused = "", None, None, False
        with self._span(request) as span:
            async with (
                self._asked(request, span, silence_s=silence_s, retries=retries, ends=ends, is_stream=True) as response,
                aclosing(_events(response)) as events,
            ):
                async for event in events:
                    with _unreadable():
                        if error := event.get("error"):
                            raise ProviderError(_error_detail(200, error), retryable=True)
                        usage = event.get("usage") or usage
                        choice = (event.get("choices") or [{}])[0]
                        finish = choice.get("finish_reason") or finish or ("stop" if event is LAST else None)
                        delta = choice.get("delta") or {}
                        refused = refused or bool(delta.get("refusal"))
                        said = str(delta.get("content") or "")
                    if said:
                        text += said
                        yield said
            completion = _completion(request, text, finish or CUT, usage, is_refusal=refused)
            span.set(tokens(completion.usage))
        yield completion

    def _span(self, request: ModelRequest[Any]) -> Span:
        return model_span("chat", self.key, {"gen_ai.request.max_tokens": request.max_tokens})

    @asynccontextmanager
    async def _asked(
        self,
        request: ModelRequest[Any],
        span: Span,
        *,
        silence_s: float,
        retries: int,
        ends: float,
        is_stream: bool = False,
    ) -> AsyncIterator[httpx2.Response]:
        """The answer to the request, its body unread, with the options that the model takes."""
        import httpx2

        async with httpx2.AsyncClient(
            headers={**self._headers, **span.headers()},
            verify=await asyncio.to_thread(trusted_certificates),
            timeout=silence_s,
        ) as client:

            async def call(left_out: LeftOut) -> httpx2.Response:
                body = self._body(request, left_out, is_stream=is_stream)
                return await self._posted(client, body, retries=retries, ends=ends)

            def refusable(left_out: LeftOut) -> Mapping[str, str]:
                return _refusable(left_out, is_stream=is_stream)

            with _http_errors():
                response = await with_options(self.key, refusable, call)
                try:
                    yield response
                finally:
                    await response.aclose()

    async def _posted(
        self, client: httpx2.AsyncClient, body: Mapping[str, Any], *, retries: int, ends: float
    ) -> httpx2.Response:
        """Post, again while the server is busy and there is time for what it asks to wait."""
        import httpx2

        request = client.build_request("POST", f"{self._base_url}/chat/completions", json=body)
        for tries in range(retries + 1):
            response, pause_s = None, 0.0
            try:
                response = await client.send(request, stream=True)
                if response.status_code == 200:
                    return response
                error = await _refused(response)
                pause_s = wait_s(tries, response.headers.get("retry-after", ""))
            except httpx2.ConnectError as failure:
                error = ProviderError("The connection to the model's provider failed.", retryable=True)
                error.__cause__ = failure
                pause_s = wait_s(tries, "")
            if not error.retryable or tries == retries or time.monotonic() + pause_s > ends:
                raise error
            await asyncio.sleep(pause_s)
        raise AssertionError("unreachable: the last try returns or raises")

    def _body(self, request: ModelRequest[Any], left_out: LeftOut, *, is_stream: bool) -> dict[str, Any]:
        system = "\n\n".join([*request.system, protocol.in_words(request.form)])
        body: dict[str, Any] = {
            "model": self.name,
            "messages": [
                {"role": "system", "content": system},
                {"role": "user", "content": "\n\n".join(request.parts)},
            ],
            # The older name first: servers that do not know the newer one pass over it without a word.
            "max_completion_tokens" if "max_tokens" in left_out else "max_tokens": request.max_tokens,
        }
        if "temperature" not in left_out:
            body["temperature"] = 0  # quotes are to be copied, not varied
        if "json_schema" not in left_out:
            schema = {"name": request.form.__name__, "strict": True, "schema": protocol.strict_schema(request.form)}
            body["response_format"] = {"type": "json_schema", "json_schema": schema}
        elif "json_object" not in left_out:
            body["response_format"] = {"type": "json_object"}
        if is_stream:
            body["stream"] = True
            if "stream_options" not in left_out:
                body["stream_options"] = {"include_usage": True}
        return body


def _refusable(left_out: LeftOut, *, is_stream: bool) -> dict[str, str]:
    options = {}
    if "json_schema" not in left_out:
        options["json_schema"] = r"response_format|json_schema|structured|guided|grammar"
    else:
        options["json_object"] = r"response_format|json_object"
    if is_stream:
        options["stream_options"] = r"stream_options|include_usage"
    options |= {"temperature": r"temperature", "max_tokens": r"max_tokens"}
    return {name: pattern for name, pattern in options.items() if name not in left_out}


async def _refused(response: httpx2.Response) -> ProviderError:
    try:
        whole = b"".join([part async for part in _bounded(response)]).decode("utf-8", "replace")
    finally:
        await response.aclose()
    try:
        said = json.loads(whole)
        error = said.get("error", said) if isinstance(said, dict) else None
    except ValueError:
        error = None
    detail = _error_detail(response.status_code, error)
    if response.status_code in (400, 422):
        return BadRequest(detail, message=whole[:MAX_MESSAGE_LENGTH])
    return ProviderError(detail, retryable=is_retryable(response.status_code))


def _error_detail(status: int, error: Any) -> str:
    """The sentence for an error. Of what the server says only its kind, which is a word."""
    kind = error.get("type") or error.get("code") if isinstance(error, dict) else None
    words = [str(status)] if status != 200 else []
    if isinstance(kind, str) and kind.isidentifier() and len(kind) <= 60:
        words.append(kind)
    return f"The model's provider answered with an error ({' '.join(words) or 'in the stream'})."


async def _bounded(response: httpx2.Response) -> AsyncIterator[bytes]:
    """The body, which is an error when it grows too large."""
    size = 0
    async for part in response.aiter_bytes():
        size += len(part)
        if size > MAX_REPLY_BYTES:
            raise ProviderError("The model's provider sent more than an answer can be.", retryable=False)
        yield part


async def _events(response: httpx2.Response) -> AsyncGenerator[dict[str, Any]]:
    """The objects of a stream of server-sent events, up to `[DONE]` or its end."""
    waiting = b""
    async for part in _bounded(response):
        *lines, waiting = (waiting + part).split(b"\n")
        for line in lines:
            data = line.removeprefix(b"data:").strip()
            if data == line.strip():  # a comment, the name of an event, or the end of one
                continue
            if data == b"[DONE]":
                yield LAST
                return
            with _unreadable():
                yield dict(json.loads(data))


def _completion(
    request: ModelRequest[Any], text: str, finish: str | None, usage: Mapping[str, Any] | None, *, is_refusal: Any
) -> Completion:
    return Completion(
        text=text,
        usage=_usage(usage) if usage else _estimated(request, text),
        stop=None if finish in ("stop", None) else finish,
        is_refusal=bool(is_refusal) or finish == "content_filter",
    )


def _usage(usage: Mapping[str, Any]) -> Usage:
    """The API counts what a cache gave among the tokens of the prompt. Servers of one's own leave members out."""
    read = (usage.get("prompt_tokens_details") or {}).get("cached_tokens") or 0
    return Usage(
        input_tokens=max(0, (usage.get("prompt_tokens") or 0) - read),
        output_tokens=usage.get("completion_tokens") or 0,
        cache_read_tokens=read,
        calls=1,
    )


def _estimated(request: ModelRequest[Any], text: str) -> Usage:
    asked = sum(map(len, (*request.system, *request.parts)))
    return Usage(asked // CHARACTERS_OF_A_TOKEN, len(text) // CHARACTERS_OF_A_TOKEN, calls=1)


@contextmanager
def _unreadable() -> Iterator[None]:
    try:
        yield
    except (ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
        raise ProviderError("The model's provider answered with what cannot be read.", retryable=True) from error


@contextmanager
def _http_errors() -> Iterator[None]:
    import httpx2

    try:
        yield
    except httpx2.TimeoutException as error:
        raise ProviderError("The model fell silent.", retryable=True) from error
    except (httpx2.HTTPError, httpx2.InvalidURL) as error:
        raise ProviderError("The connection to the model's provider failed.", retryable=True) from error
