"""Spans of calls to a provider: model and tokens, and none of the words."""

import asyncio

import pydantic
import pytest

from kb_project.llm import options
from kb_project.llm.claude import Claude
from kb_project.llm.protocol import ModelRequest, parsed
from kb_project.observability import tracing
from tests.anthropic_server import AnthropicServer
from tests.collector import Collector


class Form(pydantic.BaseModel):
    wordings: list[str]


def complete(server: AnthropicServer) -> None:
    request = ModelRequest(system=("Private.",), parts=("Private words.",), form=Form, max_tokens=50)
    claude = Claude(name="claude-new", api_key="private-key", base_url=server.url)
    answer = asyncio.run(claude.complete(request, timeout_s=20, retries=0))
    assert parsed(answer, Form).wordings == ["private"]


def test_a_call_of_claude_says_model_and_tokens_and_no_words(
    collector: Collector, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(options, "_left_out", {})
    monkeypatch.setenv("ANTHROPIC_OPEN_TELEMETRY_TRACES_CONTENT_MODE", "content")
    with AnthropicServer() as server:
        server.will_answer({"wordings": ["private"]})
        with tracing.span("asking"):
            complete(server)
        asking, call = collector.named("asking"), collector.named("anthropic.messages.create")
        assert call.parent == asking.id
        assert call.attributes["gen_ai.request.model"] == "claude-new"
        assert call.attributes["gen_ai.usage.input_tokens"] > 0
        assert call.attributes["gen_ai.usage.output_tokens"] > 0
        assert server.requests[0].headers["traceparent"][:52] == f"00-{call.trace}-{call.id}"
        assert b"rivate" not in collector.sent


def test_without_traces_a_provider_is_told_nothing_of_them(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(options, "_left_out", {})
    with AnthropicServer() as server:
        server.will_answer({"wordings": ["private"]})
        complete(server)
        assert "traceparent" not in server.requests[0].headers
