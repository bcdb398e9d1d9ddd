"""Looking after what is in the library, over HTTP with a worker: another kind, another title, and out with it."""

from subprocess import Popen
from typing import Any

import pytest

from sources.models import Chunk
from tests.journeys.client import TIMEOUT_S, Client

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.deep]

# Each section is whole in a law, and two passages in a circular.
ORDER = "צו הנמלים\n\n" + "\n".join(
    f"{number}. {heading}\n(א) " + "הקברניט ימסור הודעה לנתב. " * 45 + "\n(ב) " + "הנתב יעלה לכלי השיט. " * 45
    for number, heading in ((1, "הודעה"), (2, "עלייה"), (3, "אגרות"))
)


def patch(client: Client, source_id: int, **fields: Any) -> dict[str, object]:
    url = f"{client.url}/admin/kb/sources/{source_id}"
    response = client.session.patch(url, json=fields, timeout=TIMEOUT_S)
    assert response.status_code == 200, response.text
    return response.json()


def reindexed(client: Client) -> dict[str, object]:
    """The newest job once it is done: the last one that an edit asked for."""
    status, page = client.get("/admin/kb/jobs", limit=1)
    assert status == 200
    assert page["results"][0]["reindex"] is True
    job = client.finished(page["results"][0]["id"])
    assert job["status"] == "done", job
    return job


def sections(source_id: int) -> list[str]:
    return list(Chunk.objects.filter(source_id=source_id).order_by("seq").values_list("section", flat=True))


def test_a_source_gets_another_kind_then_another_title_and_is_deleted(asgi_server: str, worker: Popen[bytes]) -> None:
    client = Client(asgi_server)
    _, answer = client.upload("order.txt", ORDER.encode(), kind="law", title="צו הנמלים")
    source_id = client.finished(answer["job_id"])["source_id"]
    assert sections(source_id) == ["", "1", "2", "3"]

    assert patch(client, source_id, kind="circular")["kind"] == "circular"
    assert reindexed(client)["kind"] == "circular"
    assert sections(source_id) == ["", "1", "1", "2", "2", "3", "3"]
    status, source = client.get(f"/admin/kb/sources/{source_id}")
    assert (status, source["kind"], source["chunks"]) == (200, "circular", 7)
    assert client.search("הודעה לנתב", kind="circular")[0]["source"]["id"] == source_id
    file = client.session.get(f"{client.url}/kb/sources/{source_id}/file", timeout=TIMEOUT_S)
    assert file.content == ORDER.encode()

    assert client.search("אסדרת מעגנות", mode="lexical") == []
    patch(client, source_id, title="אסדרת מעגנות", identifier="חוזר 12/2024", published_at="2024-05-01")
    cited = client.search("12/2024")[0]
    assert (cited["match"], cited["source"]["title"]) == ("citation", "אסדרת מעגנות")
    reindexed(client)
    found = client.search("אסדרת מעגנות", mode="lexical")
    assert {hit["source"]["id"] for hit in found} == {source_id}

    status, job = client.post(f"/admin/kb/sources/{source_id}/reindex")
    assert (status, job["reindex"]) == (202, True)
    path = f"{client.url}/admin/kb/sources/{source_id}"
    assert client.session.delete(path, timeout=TIMEOUT_S).status_code == 204
    for mode in ("hybrid", "lexical", "semantic"):
        assert client.search("אסדרת מעגנות 12/2024", mode=mode) == []
    assert client.session.delete(path, timeout=TIMEOUT_S).status_code == 404
    assert client.finished(job["id"])["status"] in ("done", "failed")
    assert client.search("הודעה לנתב") == []
    status, again = client.upload("order.txt", ORDER.encode(), kind="law")
    assert status == 202, again
    assert client.finished(again["job_id"])["status"] == "done"
