"""OpenAI's chat API as its servers speak it: each taken as it is, and each failure told in a sentence."""

import asyncio
import time
from collections.abc import Callable
from typing import Any

import pydantic
import pytest

from kb_project.errors import ProviderError
from kb_project.llm import chat, options
from kb_project.llm.chat import ChatModel
from kb_project.llm.protocol import Completion, ModelRequest, UnusableAnswer, Usage, parsed
from tests.openai_server import LLAMA_CPP, OLLAMA, OPENAI, REASONING, VLLM, Dialect, OpenAIServer

SAID = {"wordings": ["דמי איחור", "late fee"], "title": "x"}
NO_WAIT = {"retry-after": "0"}


class Form(pydantic.BaseModel):
    wordings: list[str] = []
    title: str | None = None


REQUEST = ModelRequest(system=("Reword.",), parts=("The topic.", "The query."), form=Form, max_tokens=50)


@pytest.fixture(autouse=True)
def nothing_learned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(options, "_left_out", {})


def model(server: OpenAIServer, **changes: str) -> ChatModel:
    key = "test-key" if server.dialect.needs_key else ""
    return ChatModel(**{"name": "a-model", "api_key": key, "base_url": server.url, **changes})


def whole(asked: ChatModel, *, timeout_s: float = 10.0) -> Completion:
    return asyncio.run(asked.complete(REQUEST, timeout_s=timeout_s, retries=1))


def streamed(asked: ChatModel, *, timeout_s: float = 10.0) -> Completion:
    """The end of a stream whose parts make up its text."""

    async def read() -> Completion:
        parts: list[str | Completion] = []
        stream = asked.stream(REQUEST, silence_s=timeout_s, ends=time.monotonic() + timeout_s, retries=1)
        async for part in stream:
            parts.append(part)
        *texts, end = parts
        assert isinstance(end, Completion)
        assert "".join(map(str, texts)) == end.text
        return end

    return asyncio.run(read())


BOTH = pytest.mark.parametrize("call", [whole, streamed])


@pytest.mark.parametrize(
    ("dialect", "left_out"),
    [
        (OPENAI, ()),
        (REASONING, ("max_tokens", "temperature")),
        (VLLM, ()),
        (OLLAMA, ("json_schema",)),
        (LLAMA_CPP, ("json_object", "json_schema", "stream_options")),
    ],
    ids=["OpenAI", "a reasoning model", "vLLM", "Ollama", "llama.cpp"],
)
def test_what_a_server_refuses_by_name_is_learned_once(
    dialect: Dialect, left_out: tuple[str, ...], caplog: pytest.LogCaptureFixture
) -> None:
    with OpenAIServer(dialect) as server:
        server.will_say(SAID)
        asked = model(server)
        assert parsed(streamed(asked), Form) == Form.model_validate(SAID)
        refused = len(server.requests) - 1
        assert refused == len(left_out)
        assert parsed(whole(asked), Form) == Form.model_validate(SAID)
        again = 0 if dialect.names_what_it_refuses else refused - 1  # `stream_options` is not in a request for a whole
        assert len(server.requests) == refused + again + 2
    assert [
        ", ".join(left_out) in record.getMessage() for record in caplog.records if "does not take" in record.msg
    ] == ([True] if left_out and dialect.names_what_it_refuses else [])


def test_a_request_has_a_schema_and_nothing_unknown_to_the_api() -> None:
    with OpenAIServer() as server:
        whole(model(server))
        streamed(model(server))
        asked, as_stream = server.requests
    assert asked.headers["authorization"] == "Bearer test-key"
    system, user = asked.body["messages"]
    assert (system["content"].splitlines()[0], user["content"]) == ("Reword.", "The topic.\n\nThe query.")
    assert '"additionalProperties":false' in system["content"]
    assert asked.body["response_format"]["json_schema"]["strict"] is True
    assert (asked.body["max_tokens"], asked.body["temperature"]) == (50, 0)
    assert (as_stream.body["stream"], as_stream.body["stream_options"]) == (True, {"include_usage": True})


@pytest.mark.parametrize(
    ("dialect", "counted"), [(OPENAI, Usage(60, 25, 40, calls=1)), (OLLAMA, None)], ids=["counted", "not counted"]
)
def test_tokens_are_counted_and_estimated_where_server_does_not(dialect: Dialect, counted: Usage | None) -> None:
    with OpenAIServer(dialect) as server:
        server.will_say("word " * 30)
        usage = streamed(model(server)).usage
    assert usage.calls == 1
    assert usage == counted if counted else usage.output_tokens > 40


@BOTH
@pytest.mark.parametrize(
    ("behaviour", "words", "retryable", "calls"),
    [
        ({"status": 429, "headers": NO_WAIT}, "(429 rate_limit_error)", True, 2),
        ({"status": 503, "headers": NO_WAIT}, "(503 server_error)", True, 2),
        ({"status": 429, "headers": {"retry-after": "3600"}}, "(429 rate_limit_error)", True, 1),
        ({"status": 401}, "(401 authentication_error)", False, 1),
        ({"status": 302, "headers": {"location": "http://127.0.0.1:9/"}}, "(302", False, 1),
        ({"delay_s": 30}, "", True, 1),
        ({"raw": b"x" * (chat.MAX_REPLY_BYTES + 1)}, "more than an answer", False, 1),
    ],
)
def test_a_failure_is_a_sentence_and_says_whether_to_try_again(
    call: Callable[..., Completion], behaviour: dict[str, Any], words: str, retryable: bool, calls: int
) -> None:
    with OpenAIServer() as server:
        server.will_say(SAID, **behaviour)
        with pytest.raises(ProviderError) as caught:
            call(model(server), timeout_s=0.5 if "delay_s" in behaviour else 10)
        assert words in caught.value.detail
        assert (caught.value.retryable, len(server.requests)) == (retryable, calls)


@pytest.mark.parametrize("raw", [b"{no json", b"[]", b'{"choices": []}', b'{"choices": [{"message": 5}]}', b"\xff"])
def test_a_whole_answer_that_cannot_be_read_is_one_to_try_again(raw: bytes) -> None:
    with OpenAIServer() as server:
        server.will_say(raw=raw)
        with pytest.raises(ProviderError, match="cannot be read"):
            whole(model(server))


@pytest.mark.parametrize(
    ("raw", "words"),
    [
        (b"data: {no json\n\n", "cannot be read"),
        (b'data: {"choices": [5]}\n\n', "cannot be read"),
        (b'data: {"error": {"type": "overloaded"}}\n\n', "overloaded"),
        (b'data: {"error": "said <b>so</b>"}\n\n', r"error \(in the stream\)"),
    ],
)
def test_a_stream_that_cannot_be_read_fails(raw: bytes, words: str) -> None:
    with OpenAIServer() as server:
        server.will_say(raw=raw)
        with pytest.raises(ProviderError, match=words):
            streamed(model(server))


@pytest.mark.parametrize(
    ("behaviour", "why"),
    [
        ({"refusal": "I cannot."}, "refused"),
        ({"finish_reason": "content_filter"}, "refused"),
        ({"finish_reason": "length"}, "not whole (length)"),
    ],
)
@BOTH
def test_an_answer_that_is_none_is_told_apart(
    call: Callable[..., Completion], behaviour: dict[str, Any], why: str
) -> None:
    with OpenAIServer() as server:
        server.will_say(SAID, **behaviour)
        with pytest.raises(UnusableAnswer) as caught:
            parsed(call(model(server)), Form)
        assert why in caught.value.detail


def test_a_stream_that_breaks_off_is_not_whole() -> None:
    done = b'data: {"choices": [{"delta": {"content": "{}"}}]}\r\n\r\ndata: [DONE]\r\n\r\n'
    with OpenAIServer() as server:
        server.will_say(SAID, cut=True)
        server.will_say(raw=done)
        assert streamed(model(server)).stop == chat.CUT
        assert parsed(streamed(model(server)), Form) == Form()


def test_an_absent_server_is_a_failed_connection() -> None:
    for base_url in ("http://127.0.0.1:9/v1", "http://[broken"):
        with pytest.raises(ProviderError, match="connection") as caught:
            whole(ChatModel(name="a-model", base_url=base_url), timeout_s=3)
        assert caught.value.retryable


def test_a_drip_does_not_outlast_the_deadline() -> None:
    with OpenAIServer() as server:
        server.will_say(SAID, drip_s=30)
        with pytest.raises(ProviderError, match=r"within 0\.5 seconds"):
            whole(model(server), timeout_s=0.5)
