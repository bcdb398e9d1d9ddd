"""A server on this machine whose model uses tools, for tests of the SDK's tool runner.

with ToolUsingModel([{"query": "rent", "topic_id": 2}]) as model:   # its calls, one a turn; then it says "Done."
    ...                                                             # base_url=model.url
    model.results                                                   # what each call was answered with
"""

import http.server
import json
from collections.abc import Sequence
from typing import Any

from tests.local_server import ProtocolServer


class ToolUsingModel(ProtocolServer):
    """Serves POST /v1/messages from a thread between `with` and its end."""

    def __init__(self, calls: Sequence[Any], *, tool: str = "search_legal_kb") -> None:
        self.requests: list[dict[str, Any]] = []
        self._calls, self._tool = calls, tool
        super().__init__(_Handler)

    @property
    def results(self) -> list[dict[str, Any]]:
        """The `tool_result` blocks that the conversation came back with, in order."""
        turns = [message["content"] for message in self.requests[-1]["messages"] if message["role"] == "user"]
        blocks = [block for content in turns if isinstance(content, list) for block in content]
        return [block for block in blocks if block["type"] == "tool_result"]

    def reply(self, body: dict[str, Any]) -> dict[str, Any]:
        self.requests.append(body)
        turn = len(self.requests) - 1
        content: dict[str, Any] = {"type": "text", "text": "Done."}
        if turn < len(self._calls):
            content = {"type": "tool_use", "id": f"toolu_{turn}", "name": self._tool, "input": self._calls[turn]}
        return {
            "id": f"msg_{turn}",
            "type": "message",
            "role": "assistant",
            "model": body["model"],
            "content": [content],
            "stop_reason": "tool_use" if turn < len(self._calls) else "end_turn",
            "stop_sequence": None,
            "usage": {"input_tokens": 1, "output_tokens": 1},
        }


class _Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    server_of: ToolUsingModel

    def log_message(self, format: str, *args: Any) -> None:
        pass

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["content-length"])))
        data = json.dumps(self.server_of.reply(body)).encode()
        self.send_response(200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)
