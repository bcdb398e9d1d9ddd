"""The service's HTTP API as the benchmark uses it: one keep-alive client, deadlines on every request."""

import json
import time
from collections.abc import Iterator
from typing import Any

import httpx2

from bench.datasets import Document

PAGE = 200
NOTES = 50
MAX_WAIT_S = 60.0
CHECKED_POLL_S = 0.5


class ApiError(Exception):
    """The service refused. `status` and `code` say how, `problem` has the members of its problem object."""

    def __init__(self, status: int, text: str) -> None:
        try:
            self.problem: dict[str, Any] = dict(json.loads(text))
        except ValueError:
            self.problem = {}
        self.status, self.code = status, self.problem.get("code", "?")
        super().__init__(f"{status} {self.code}: {self.problem.get('detail', text[:200])}")


class Api:
    """Safe to share between threads."""

    def __init__(self, base_url: str, api_key: str) -> None:
        self._http = httpx2.Client(
            base_url=base_url,
            headers={"Authorization": f"Api-Key {api_key}"},
            timeout=httpx2.Timeout(60.0, connect=5.0),
            limits=httpx2.Limits(max_connections=40, max_keepalive_connections=40),
        )

    def close(self) -> None:
        self._http.close()

    def topic_id(self, slug: str) -> int | None:
        return next((topic["id"] for topic in self.pages("/kb/topics") if topic["slug"] == slug), None)

    def create_topic(self, *, name: str, slug: str) -> int:
        return int(self.send("POST", "/admin/kb/topics", json={"name": name, "slug": slug})["id"])

    def upload(self, document: Document, *, topic_id: int) -> str:
        """Queue one document and return its job's id; the same bytes may be in the topic already."""
        form = {
            "kind": document.kind,
            "topic_id": str(topic_id),
            "title": document.title,
            "identifier": document.identifier,
            "published_at": document.published_at,
            "allow_duplicate": "true",
            **document.more,
        }
        answer = self.send(
            "POST",
            "/admin/kb/upload",
            data={name: value for name, value in form.items() if value},
            files={"file": (document.filename, document.read())},
        )
        return str(answer["job_id"])

    def count_jobs(self, *, topic_id: int, status: str) -> int:
        found = self._get("/admin/kb/jobs", params={"topic_id": topic_id, "status": status, "limit": 1})
        return int(found["count"])

    def jobs(self, *, topic_id: int) -> Iterator[dict[str, Any]]:
        """Every job of the topic, newest first."""
        return self.pages("/admin/kb/jobs", topic_id=topic_id)

    def search(self, query: str, *, topic_id: int, limit: int = 10, **more: Any) -> dict[str, Any]:
        body = {"query": query, "topic_id": topic_id, "limit": limit, **more}
        return dict(self.send("POST", "/kb/search", json=body))

    def ask(self, question: str, *, topic_id: int, **more: Any) -> dict[str, Any]:
        return dict(self.send("POST", "/kb/ask", json={"question": question, "topic_id": topic_id, **more}))

    def check(self, text: str, *, topic_id: int, **more: Any) -> dict[str, Any]:
        """The report on a text, also where it was left to a worker."""
        report = dict(self.send("POST", "/kb/check", json={"text": text, "topic_id": topic_id, **more}))
        while "citations" not in report:
            time.sleep(CHECKED_POLL_S)
            report = dict(self._get(f"/kb/checks/{report['id']}"))
        return report

    def call_tool(self, name: str, arguments: dict[str, Any], *, topic: str) -> str:
        """The text that a tool of the topic with this slug answers, over MCP."""
        params = {"name": name, "arguments": arguments}
        message = {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params}
        headers = {"Accept": "application/json, text/event-stream"}
        answer = self.send("POST", f"/mcp/{topic}/", json=message, headers=headers)
        return str(answer["result"]["content"][0]["text"])

    def provisions(self, source_id: int) -> list[dict[str, Any]]:
        return list(self._get(f"/kb/sources/{source_id}/provisions")["results"])

    def provision(self, source_id: int, eid: str) -> str:
        """Its text."""
        return str(self._get(f"/kb/sources/{source_id}/provisions/{eid}")["text"])

    def pages(self, path: str, **params: Any) -> Iterator[dict[str, Any]]:
        """The results of a list, page after page."""
        offset = 0
        while True:
            page = self._get(path, params={**params, "limit": PAGE, "offset": offset})
            yield from page["results"]
            offset += PAGE
            if offset >= page["count"]:
                return

    def _get(self, path: str, **options: Any) -> Any:
        return self.send("GET", path, **options)

    def notes(self, notebook_id: int) -> Iterator[dict[str, Any]]:
        """The notes of a notebook."""
        found: list[Any] = [None]
        offset = 0
        while found:
            found = self._get(f"/kb/notebooks/{notebook_id}", params={"limit": NOTES, "offset": offset})["notes"]
            yield from found
            offset += NOTES

    def send(self, method: str, path: str, **options: Any) -> Any:
        """One request, repeated while the service says that it is too early. Raises `ApiError`."""
        while True:
            response = self._http.request(method, path, **options)
            wait_s = float(response.headers.get("Retry-After", MAX_WAIT_S + 1))
            if response.status_code != 429 or wait_s > MAX_WAIT_S:
                break
            time.sleep(wait_s)
        if response.is_success:
            return response.json() if response.content else None
        raise ApiError(response.status_code, response.text)
