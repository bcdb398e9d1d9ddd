"""What is asked of `/kb/notebooks` again and again."""

from typing import Any

from django.contrib.auth.models import User
from rest_framework.test import APIClient

from sources.models import Source
from tests.keeping.notebooks.notes import person


def signed_in(user: User | None = None) -> APIClient:
    client = APIClient()
    client.force_login(user or person())
    return client


def made(client: APIClient, name: str = "Gardens", **given: Any) -> int:
    answer = client.post("/kb/notebooks", {"name": name, **given}, format="json")
    assert answer.status_code == 201, answer.json()
    return int(answer.json()["id"])


def keep(client: APIClient, notebook_id: int, **given: Any) -> Any:
    return client.post(f"/kb/notebooks/{notebook_id}/notes", given, format="json")


def quote_of(act: Source, eid: str = "sec_3", quote: str = "between six and nine") -> dict[str, Any]:
    return {"kind": "quote", "citations": [{"source_id": act.pk, "eid": eid, "quote": quote}]}
