"""A REST consumer: real HTTP against the served project."""

import time
from typing import Any

import requests

from topics.keys import issue_key

TIMEOUT_S = 60


class Client:
    """Calls the service with an admin key; every answer comes back as (status, JSON)."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.session = requests.Session()
        self.session.headers["Authorization"] = f"Api-Key {issue_key(name='journey', admin=True, by='tests')[1]}"

    def get(self, path: str, **params: Any) -> tuple[int, Any]:
        response = self.session.get(self.url + path, params=params, timeout=TIMEOUT_S)
        return response.status_code, response.json()

    def post(self, path: str, json: Any = None) -> tuple[int, Any]:
        response = self.session.post(self.url + path, json=json, timeout=TIMEOUT_S)
        return response.status_code, response.json()

    def upload(self, filename: str, content: bytes, **fields: Any) -> tuple[int, Any]:
        data = {"kind": "law", **fields}
        files = {"file": (filename, content)}
        response = self.session.post(self.url + "/admin/kb/upload", data=data, files=files, timeout=TIMEOUT_S)
        return response.status_code, response.json()

    def finished(self, job_id: str, *, seconds: float = 120) -> dict[str, Any]:
        """The job once it is done or failed."""
        ends = time.monotonic() + seconds
        while True:
            status, job = self.get(f"/admin/kb/jobs/{job_id}")
            assert status == 200, job
            if job["status"] in ("done", "failed"):
                return job
            assert time.monotonic() < ends, f"still {job['status']} after {seconds} s: {job}"
            time.sleep(0.1)

    def upload_batch(self, files: list[tuple[str, bytes]], **fields: Any) -> tuple[int, Any]:
        parts = [("files", file) for file in files]
        response = self.session.post(self.url + "/admin/kb/upload-batch", data=fields, files=parts, timeout=TIMEOUT_S)
        return response.status_code, response.json()

    def batch_at_rest(self, batch_id: str, *, seconds: float = 120) -> dict[str, Any]:
        """The batch once no job of it is queued or processing."""
        ends = time.monotonic() + seconds
        while True:
            status, batch = self.get(f"/admin/kb/batch/{batch_id}")
            assert status == 200, batch
            if not batch["counts"]["queued"] + batch["counts"]["processing"]:
                return batch
            assert time.monotonic() < ends, f"still under way after {seconds} s: {batch['counts']}"
            time.sleep(0.2)

    def search(self, query: str, **more: Any) -> list[dict[str, Any]]:
        status, answer = self.post("/kb/search", {"query": query, **more})
        assert status == 200, answer
        return answer["results"]
