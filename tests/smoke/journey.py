"""A batch over the API of any running service: sent, classified, confirmed, found."""

import json
import time
import urllib.error
import urllib.request
import uuid
from typing import Any

from tests.smoke import Failed

WAIT_S = 120
FILES = {
    "rain-barrels.txt": (
        'תקנות איסוף מי גשמים (חביות בגגות), התשפ"ו–2026\n\n1. גודל החבית\n'
        "חבית לאיסוף מי גשמים שהותקנה בגג לא תכיל יותר משלוש מאות ליטר.\n\n"
        "2. כיסוי\nהחבית תכוסה ברשת צפופה כל ימות השנה.\n"
    ),
    "stair-lights.md": (
        "# Circular 7/2026: stair lights\n\n## 1. Brightness\n"
        "A stair light gives at least fifty lux on every step between dusk and dawn.\n"
    ),
}
QUESTIONS = {"rain-barrels.txt": "חבית לאיסוף מי גשמים בגג", "stair-lights.md": "fifty lux stair light"}


class Service:
    """A service at a URL, called with an admin key."""

    def __init__(self, url: str, *, key: str = "") -> None:
        self.url = url.rstrip("/")
        self._key = key

    def call(self, method: str, path: str, *, body: bytes | None = None, content_type: str = "") -> Any:
        """The JSON of the answer; raises Failed for any other status than a success."""
        headers = {"Authorization": f"Api-Key {self._key}"} if self._key else {}
        if content_type:
            headers["Content-Type"] = content_type
        request = urllib.request.Request(self.url + path, data=body, headers=headers, method=method)
        try:
            with urllib.request.urlopen(request, timeout=30) as answer:
                return json.load(answer)
        except urllib.error.HTTPError as error:
            raise Failed(f"{method} {path} answered {error.code}: {error.read().decode(errors='replace')}") from error
        except OSError as error:
            raise Failed(f"{method} {path} was not answered: {error}") from error

    def get(self, path: str) -> Any:
        return self.call("GET", path)

    def post(self, path: str, data: Any) -> Any:
        return self.call("POST", path, body=json.dumps(data).encode(), content_type="application/json")

    def found(self, query: str) -> list[str]:
        """The titles of the documents that a search finds."""
        results = self.post("/kb/search", {"query": query, "topic_id": 1, "mode": "lexical"})["results"]
        return [hit["source"]["title"] for hit in results]


def send_and_confirm_a_batch(service: Service) -> None:
    """Send FILES as a batch, confirm what is proposed under titles of our own, and wait until all are in."""
    body, content_type = multipart(FILES)
    batch = service.call("POST", "/admin/kb/upload-batch", body=body, content_type=content_type)
    if batch["rejected"]:
        raise Failed(f"Files of the batch were rejected: {batch['rejected']}")
    path = f"/admin/kb/batch/{batch['batch_id']}"
    jobs = wait_for(service, path, status="awaiting_review")
    for job in jobs:
        suggested = job["ai_suggestions"]
        decision = {
            "kind": suggested.get("kind") or "circular",
            "title": f"Confirmed: {job['filename']}",
            "subject": suggested.get("subject") or "",
            "summary": suggested.get("summary") or "",
            "identifier": suggested.get("identifier") or "",
            "published_at": suggested.get("published_at"),
            "labels": [*({"name": label["name"]} for label in suggested.get("labels", [])), {"name": "smoke"}],
        }
        service.post(f"/admin/kb/jobs/{job['id']}/commit", decision)
    wait_for(service, path, status="done")


def wait_for(service: Service, batch_path: str, *, status: str, seconds: float = WAIT_S) -> list[dict[str, Any]]:
    """The jobs of the batch once all have the status. Raises Failed for one that failed, or when the time is over."""
    ends = time.monotonic() + seconds
    while True:
        jobs: list[dict[str, Any]] = service.get(batch_path)["jobs"]
        if all(job["status"] == status for job in jobs):
            return jobs
        if failed := [job["error"] for job in jobs if job["status"] == "failed"]:
            raise Failed(f"Jobs of the batch failed: {failed}")
        if time.monotonic() > ends:
            raise Failed(f"After {seconds:.0f} s the batch is not {status}: {[job['status'] for job in jobs]}")
        time.sleep(0.3)


def check_batch(service: Service) -> None:
    """The whole journey. Raises Failed."""
    for filename, question in QUESTIONS.items():
        if f"Confirmed: {filename}" in service.found(question):
            raise Failed(f"{filename} is found before it was sent.")
    send_and_confirm_a_batch(service)
    check_batch_is_found(service)


def check_batch_is_found(service: Service) -> None:
    """Raises Failed when a document of the batch is not the first that its question finds."""
    for filename, question in QUESTIONS.items():
        if (found := service.found(question))[:1] != [f"Confirmed: {filename}"]:
            raise Failed(f"{question!r} does not find {filename} first, but {found}")


def multipart(files: dict[str, str], *, field: str = "files", **values: str) -> tuple[bytes, str]:
    """The body of a form with the files under `field` and the other values, and its content type."""
    boundary = uuid.uuid4().hex
    parts = [
        f'--{boundary}\r\nContent-Disposition: form-data; name="{field}"; filename="{name}"\r\n'
        f"Content-Type: text/plain\r\n\r\n{text}\r\n"
        for name, text in files.items()
    ]
    parts += [
        f'--{boundary}\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n'
        for name, value in values.items()
    ]
    return "".join([*parts, f"--{boundary}--\r\n"]).encode(), f"multipart/form-data; boundary={boundary}"
