"""Claude asked for JSON: its client, and what a model does not take, which is left out for an hour and told."""

import asyncio
import re
import time
from typing import Any

import pydantic
import pytest

from kb_project.clients.http import trusted_certificates
from kb_project.llm import options
from kb_project.llm.claude import REFUSABLE, Claude, loaded, open_client
from kb_project.llm.protocol import ModelRequest, UnusableAnswer, parsed
from tests.anthropic_server import AnthropicServer


class Form(pydantic.BaseModel):
    wordings: list[str]


REQUEST = ModelRequest(system=("Reword.",), parts=("The query.",), form=Form, max_tokens=50, is_quick=True)


@pytest.fixture(autouse=True)
def nothing_learned(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(options, "_left_out", {})


def complete(server: AnthropicServer, name: str = "claude-old") -> Any:
    claude = Claude(name=name, api_key="test-key", base_url=server.url)
    return parsed(asyncio.run(claude.complete(REQUEST, timeout_s=20, retries=0)), Form)


def test_a_model_that_takes_everything_is_asked_once() -> None:
    with AnthropicServer() as server:
        server.will_answer({"wordings": ["a"]})
        assert complete(server, "claude-new").wordings == ["a"]
        (request,) = server.requests
        assert set(request.body["output_config"]) == {"effort", "format"}
        assert request.body["thinking"] == {"type": "disabled"}


@pytest.mark.parametrize("refuses", [("thinking",), ("effort",), ("format",), ("thinking", "effort", "format")])
def test_what_a_model_refuses_is_left_out_from_then_on(refuses: tuple[str, ...]) -> None:
    with AnthropicServer() as server:
        server.refuses = refuses
        server.will_answer('```json\n{"wordings": ["a"]}\n```' if "format" in refuses else {"wordings": ["a"]})
        assert complete(server).wordings == ["a"]
        assert len(server.requests) == len(refuses) + 1
        assert complete(server).wordings == ["a"]
        assert len(server.requests) == len(refuses) + 2, "and was not sent again"
        system = server.requests[-1].body["system"]
    assert ("JSON schema" in system[-1]["text"]) == ("format" in refuses)
    assert options.known_refusals()["anthropic", "claude-old"] == sorted(refuses)


def test_an_error_of_another_kind_teaches_nothing() -> None:
    with AnthropicServer() as server:
        server.will_answer(status=400)
        server.will_answer(status=400)
        server.will_answer(status=400)
        server.will_answer(status=400)
        server.will_answer({"wordings": ["a"]})
        with pytest.raises(Exception, match=r"400 invalid_request_error"):
            complete(server)
        complete(server)
        assert set(server.requests[-1].body["output_config"]) == {"effort", "format"}


def test_an_account_without_credit_teaches_nothing() -> None:
    with AnthropicServer() as server:
        server.will_answer(status=400)
        server.will_answer({"wordings": ["a"]})
        complete(server, "claude-poor")
        complete(server, "claude-poor")
        assert set(server.requests[-1].body["output_config"]) == {"effort", "format"}
        assert server.requests[-1].body["thinking"] == {"type": "disabled"}
    assert ("anthropic", "claude-poor") not in options.known_refusals()


@pytest.mark.parametrize(
    ("message", "named"),
    [
        ("Your credit balance is too low to access the Anthropic API.", False),
        ("messages.0: Invalid request format", False),
        ("output_config.format: Extra inputs are not permitted", True),
        ("This model does not support output format.", True),
        ("Structured outputs are not supported", True),
    ],
)
def test_a_refusal_names_the_format(message: str, named: bool) -> None:
    assert bool(re.search(REFUSABLE["format"], message, re.IGNORECASE)) is named


def test_what_was_refused_is_tried_again_after_an_hour(monkeypatch: pytest.MonkeyPatch) -> None:
    with AnthropicServer() as server:
        server.refuses = ("format",)
        server.will_answer('{"wordings": ["a"]}')
        complete(server)
        server.refuses = ()
        server.will_answer({"wordings": ["a"]})
        now = time.time()
        monkeypatch.setattr(options.time, "time", lambda: now + options.KEPT_S - 60)
        complete(server)
        assert "format" not in server.requests[-1].body["output_config"]
        assert options.known_refusals()["anthropic", "claude-old"] == ["format"]
        monkeypatch.setattr(options.time, "time", lambda: now + options.KEPT_S + 60)
        assert ("anthropic", "claude-old") not in options.known_refusals()
        complete(server)
        assert "format" in server.requests[-1].body["output_config"]


def test_a_refusal_of_the_model_is_no_answer() -> None:
    with AnthropicServer() as server:
        server.will_answer({"wordings": []}, stop_reason="refusal")
        with pytest.raises(UnusableAnswer, match="refused"):
            complete(server)


def test_a_client_has_the_limits_it_was_opened_with() -> None:
    client = open_client(api_key="k", base_url="http://127.0.0.1:9", timeout_s=7.0, max_retries=1)
    assert (client.api_key, str(client.base_url).rstrip("/")) == ("k", "http://127.0.0.1:9")
    assert (client.timeout, client.max_retries) == (7.0, 1)
    asyncio.run(client.close())


def test_the_certificates_are_read_once_and_off_the_event_loop() -> None:
    asyncio.run(loaded())
    assert trusted_certificates() is trusted_certificates()
