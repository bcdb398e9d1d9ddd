"""OpenAI's chat API on this machine: the benchmarks' server, where tests look for it."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

from bench.openai_server import LLAMA_CPP, OLLAMA, OPENAI, REASONING, VLLM, Dialect, OpenAIServer, passages_of
from kb_project.llm import options

__all__ = [
    "LLAMA_CPP",
    "OLLAMA",
    "OPENAI",
    "REASONING",
    "VLLM",
    "Dialect",
    "OpenAIServer",
    "in_settings",
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
