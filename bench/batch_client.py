"""The service's HTTP API for batches: upload, review, and what comes of it."""

from collections.abc import Sequence
from typing import Any

from bench.client import Api
from bench.made_up import MadeFile

Job = dict[str, Any]


class BatchApi(Api):
    """`Api` with the paths of batches."""

    def upload_batch(self, files: Sequence[MadeFile], **fields: str) -> dict[str, Any]:
        parts = [("files", (file.name, file.content)) for file in files]
        return dict(self._send("POST", "/admin/kb/upload-batch", data=fields, files=parts))

    def batch(self, batch_id: str) -> dict[str, Any]:
        return dict(self._get(f"/admin/kb/batch/{batch_id}"))

    def commit(self, job_id: str, decision: dict[str, Any]) -> Job:
        return dict(self._send("POST", f"/admin/kb/jobs/{job_id}/commit", json=decision))

    def discard(self, job_id: str) -> Job:
        return dict(self._send("POST", f"/admin/kb/jobs/{job_id}/discard"))

    def sources(self, *, topic_id: int) -> list[dict[str, Any]]:
        return list(self._pages("/kb/sources", topic_id=topic_id))

    def sources_with(self, word: str, *, topic_id: int) -> list[int]:
        """The ids of the sources of the results that search by words alone gives, best first."""
        query = {"query": word, "topic_id": topic_id, "mode": "lexical"}
        return [result["source"]["id"] for result in self._send("POST", "/kb/search", json=query)["results"]]

    def count_sources(self, *, label_id: int) -> int:
        return int(self._get("/kb/sources", params={"label_id": label_id, "limit": 1})["count"])
