"""The server of OpenAI's API refuses what the API does not know, so that tests find what a client should not send."""

from typing import Any

import httpx2
import pytest

from tests.openai_server import OpenAIServer

BODY: dict[str, Any] = {"model": "m", "messages": [{"role": "user", "content": "x"}]}
OPEN_SCHEMA = {"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}


def schema(**changes: Any) -> dict[str, Any]:
    given = {"name": "Form", "strict": True, "schema": OPEN_SCHEMA | {"additionalProperties": False}, **changes}
    return {"response_format": {"type": "json_schema", "json_schema": given}}


@pytest.mark.parametrize(
    ("more", "status"),
    [
        ({}, 200),
        (schema(), 200),
        ({"thinking": {"type": "disabled"}}, 400),
        ({"max_tokens": "5"}, 400),
        ({"max_tokens": 5, "max_completion_tokens": 5}, 400),
        ({"stream_options": {"include_usage": True}}, 400),
        ({"messages": []}, 400),
        ({"messages": [{"role": "tool", "content": "x"}]}, 400),
        ({"response_format": {"type": "json"}}, 400),
        (schema(schema=OPEN_SCHEMA), 400),
        (schema(title="x"), 400),
    ],
)
def test_only_what_the_description_allows_is_taken(more: dict[str, Any], status: int) -> None:
    with OpenAIServer() as server:
        headers = {"authorization": "Bearer k"}
        answer = httpx2.post(f"{server.url}/chat/completions", json=BODY | more, headers=headers)
        assert answer.status_code == status, answer.text
        assert httpx2.post(f"{server.url}/chat/completions", json=BODY).status_code == 401
