"""Asking over the API in tests: whole, streamed, and both compared."""

import json
import re
from typing import Any

from django.utils import timezone
from rest_framework.test import APIClient

Events = list[tuple[str, Any]]


def ask(question: str, *, status: int = 200, **more: Any) -> dict[str, Any]:
    response = APIClient().post("/kb/ask", {"question": question, **more}, format="json")
    assert response.status_code == status, response.content
    return dict(response.json())


def stream(question: str, **more: Any) -> Events:
    response = APIClient().post("/kb/ask/stream", {"question": question, **more}, format="json")
    assert response.status_code == 200, response.content
    return parsed(b"".join(response))


def ask_both(question: str, **more: Any) -> tuple[dict[str, Any], Events]:
    """What ask says, once it is sure that the stream ends with the same: an answer byte for byte, or the problem."""
    body = {"question": question, **more}
    asked = APIClient().post("/kb/ask", body, format="json")
    streamed = b"".join(APIClient().post("/kb/ask/stream", body, format="json"))
    last = streamed.decode().rstrip().split("\n\n")[-1]
    name, data = last.split("\n")
    data = data.removeprefix("data: ")
    if asked.status_code == 200:
        assert (name, without_own(data)) == ("event: done", without_own(asked.content.decode()))
    else:
        assert (name, without_request(json.loads(data))) == ("event: error", without_request(asked.json()))
    events = parsed(streamed)
    assert [name for name, _ in events if name in ("done", "error")] == [events[-1][0]]
    return without_request(asked.json()), events


def without_request(said: dict[str, Any]) -> dict[str, Any]:
    """Without what names the request in a problem."""
    return {name: value for name, value in said.items() if name != "instance"}


def without_own(text: str) -> str:
    """Without what each answer has for itself: its id and its time."""
    return re.sub(r'"id":"[0-9a-f-]{36}",|"took_ms":[0-9.]+', "", text)


def parsed(stream: bytes) -> Events:
    """The events of a stream, without its signs of life."""
    events = []
    for block in stream.decode().split("\n\n"):
        if block and not block.startswith(":"):
            name, data = block.split("\n")
            events.append((name.removeprefix("event: "), json.loads(data.removeprefix("data: "))))
    return events


def today_is() -> str:
    """What a model is told of the day."""
    return f"Today is {timezone.localdate().isoformat()}."
