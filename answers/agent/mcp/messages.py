"""JSON-RPC messages as far as they are looked at before the protocol's package reads them."""

import json
from collections.abc import Mapping
from typing import Any

from django.http import JsonResponse

from kb_project.api.problem import ProblemResponse

CODES = {413: -32600, 429: -32029}
"""The code of an error by the status of a problem: an invalid request, and one of those left to servers."""
HANDSHAKES = ("initialize", "ping", "tools/list", "server/discover")
_NOTIFICATIONS = "notifications/"


def is_handshake(body: bytes) -> bool:
    """Whether the message is one that begins or keeps up a session and looks for nothing."""
    method = _read(body).get("method")
    return isinstance(method, str) and (method in HANDSHAKES or method.startswith(_NOTIFICATIONS))


def refusal(body: bytes, problem: ProblemResponse) -> JsonResponse | None:
    """The problem as the error that answers the message, or None for a message that has no id to answer to."""
    number = _read(body).get("id")
    if isinstance(number, bool) or not isinstance(number, int | str):
        return None
    said = problem.problem
    error = {"code": CODES[problem.status_code], "message": said["detail"], "data": said}
    response = JsonResponse({"jsonrpc": "2.0", "id": number, "error": error})
    if wait := problem.headers.get("Retry-After"):
        response["Retry-After"] = wait
    return response


def _read(body: bytes) -> Mapping[str, Any]:
    try:
        message = json.loads(body)
    except (ValueError, RecursionError):
        return {}
    return message if isinstance(message, dict) else {}
