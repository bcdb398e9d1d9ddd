"""A server on this machine that speaks OpenAI's chat-completions API, after its public description.

    with OpenAIServer() as server:
        server.will_say({"wordings": ["fee"]})               # the answer, as JSON; a string as it is
        server.will_say(status=429, headers={"retry-after": "0"})
        ...                                                  # settings.KB_LLM_BASE_URL = server.url
        server.requests[-1].body                             # what was sent

Answers are given in the order in which they were promised, whole or as a stream as the request asks, and the last one
is repeated. Where nothing was promised, an answer is as empty as its schema allows. A parameter that the API does not
have, or the dialect refuses, is answered with 400. A `Dialect` is how one of the servers differs from the description.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from kb_project.llm import options
from tests.openai_server.rules import LLAMA_CPP, OLLAMA, OPENAI, REASONING, VLLM, Dialect
from tests.openai_server.server import OpenAIServer, Reply, parts_of, passages_of

__all__ = [
    "LLAMA_CPP",
    "OLLAMA",
    "OPENAI",
    "REASONING",
    "VLLM",
    "Dialect",
    "OpenAIServer",
    "Reply",
    "in_settings",
    "parts_of",
    "passages_of",
]


@contextmanager
def in_settings(
    settings: Any, monkeypatch: pytest.MonkeyPatch, dialect: Dialect = OPENAI, **roles: str
) -> Iterator[OpenAIServer]:
    """A server that the settings lead to for the roles (`KB_ANSWERER="openai"`), as if no model had ever failed."""
    monkeypatch.setattr(options, "_left_out", {})
    with OpenAIServer(dialect) as server:
        settings.KB_LLM_BASE_URL, settings.KB_LLM_MODEL = server.url, "a-model"
        settings.KB_LLM_API_KEY = "test-key" if dialect.needs_key else ""
        for name, chain in roles.items():
            setattr(settings, name, chain)
        yield server
