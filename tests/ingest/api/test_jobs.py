"""The admin paths of ingest, as a program calls them."""

import uuid
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.core.files.uploadedfile import SimpleUploadedFile
from rest_framework.test import APIClient

from ingest.job_states import Transition
from ingest.jobs.transitions import transition
from ingest.models import Job
from sources.fields import DocumentFields
from tests.factories import LAW, first_topic, make_job, make_staff, make_topic, storages_away, upload_text
from tests.topics.keys import client_with_key

pytestmark = pytest.mark.django_db

OLE_START = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1".ljust(0x1E, b"\0") + b"\x09\0"
LOCKED = OLE_START.ljust(512, b"\0") + "EncryptedPackage".encode("utf-16-le")  # as Office writes it


def upload(client: APIClient, content: str = LAW, **fields: Any) -> Any:
    file = SimpleUploadedFile(fields.pop("filename", "law.txt"), content.encode())
    return client.post("/admin/kb/upload", {"file": file, "kind": "law", **fields}, format="multipart")


def test_an_upload_is_answered_with_its_job_at_once(client: APIClient) -> None:
    response = upload(
        client, title="חוק הספריות", published_at="2024-03-01", labels=["תרבות", "ספריות"], identifier="ס-1"
    )
    assert response.status_code == 202
    job = Job.objects.get()
    assert response.json() == {"job_id": str(job.pk), "status": "queued"}
    assert job.confirmed == DocumentFields().as_json() | {
        "kind": "law",
        "title": "חוק הספריות",
        "subject": "",
        "summary": "",
        "identifier": "ס-1",
        "published_at": "2024-03-01",
        "labels": [{"slug": "thrbvth", "name": "תרבות"}, {"slug": "sspryvth", "name": "ספריות"}],
    }
    assert job.events.get().by == "Api-Key tests"


def test_the_same_file_twice_is_a_conflict_unless_it_is_wanted(client: APIClient) -> None:
    first = upload(client).json()["job_id"]
    second = upload(client)
    assert second.status_code == 409
    assert second["Content-Type"] == "application/problem+json"
    assert (second.json()["code"], second.json()["job_id"]) == ("duplicate_document", first)
    third = upload(client, allow_duplicate="true")
    assert third.status_code == 202
    shown = client.get(f"/admin/kb/jobs/{third.json()['job_id']}").json()
    assert shown["duplicate_of"] == {"job_id": first}


@pytest.mark.parametrize(
    ("fields", "status", "code"),
    [
        ({"kind": "poem"}, 400, "invalid"),
        ({"colour": "red"}, 400, "unknown_parameter"),
        ({"topic_id": 999_999}, 400, "unknown_topic"),
        ({"title": "x" * 501}, 400, "invalid"),
        ({"published_at": "yesterday"}, 400, "invalid"),
        ({"labels": [""]}, 400, "invalid"),
        ({"allow_duplicate": "perhaps"}, 400, "invalid"),
    ],
)
def test_a_field_that_is_wrong_is_named_and_nothing_is_kept(
    client: APIClient, fields: dict[str, Any], status: int, code: str
) -> None:
    response = upload(client, **fields)
    assert (response.status_code, response.json()["code"]) == (status, code)
    assert set(fields) == {name.split(".")[0] for name in response.json()["errors"]}
    assert not Job.objects.exists()


def test_a_file_over_the_limit_is_too_large(client: APIClient, settings: Any) -> None:
    settings.KB_MAX_UPLOAD_MB = 1
    response = upload(client, "x" * (1024 * 1024 + 1))
    assert (response.status_code, response.json()["code"]) == (413, "too_large")


@pytest.mark.parametrize(
    ("name", "content", "code"),
    [
        ("a.pdf", b"", "empty"),
        ("a.txt", b" \r\n\t\n", "empty"),
        ("a.docx", b"PK\x03\x04 cut off on its way", "corrupt"),
        ("a.docx", LOCKED, "encrypted"),
        ("a.pdf", b"%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\n", "corrupt"),
    ],
)
def test_a_file_that_shows_at_once_that_it_cannot_be_read_is_refused(
    client: APIClient, name: str, content: bytes, code: str
) -> None:
    sent = {"file": SimpleUploadedFile(name, content), "kind": "law"}
    response = client.post("/admin/kb/upload", sent, format="multipart")
    assert (response.status_code, response.json()["code"]) == (400, code)
    batch = client.post("/admin/kb/upload-batch", {"files": [SimpleUploadedFile(name, content)]}, format="multipart")
    assert (batch.status_code, batch.json()["rejected"][0]["code"]) == (400, code)
    assert not Job.objects.exists()


def test_a_request_without_a_file_or_without_a_kind_says_which(client: APIClient) -> None:
    response = client.post("/admin/kb/upload", {}, format="multipart")
    assert response.status_code == 400
    assert set(response.json()["errors"]) == {"file", "kind"}


def test_jobs_are_listed_newest_first_and_filtered(client: APIClient) -> None:
    other = make_topic()
    batch = uuid.uuid4()
    a, b, c = make_job(), make_job(topic=other, batch_id=batch), make_job(kind="tool")
    transition(a.pk, Transition.FAIL, by="test", error_code="corrupt", error_message="Broken.")

    def listed(**query: Any) -> list[str]:
        response = client.get("/admin/kb/jobs", query)
        assert response.status_code == 200, response.json()
        return [job["id"] for job in response.json()["results"]]

    assert set(listed()) == {str(job.pk) for job in (a, b, c)}
    assert listed(topic_id=other.pk) == [str(b.pk)]
    assert listed(status="failed") == [str(a.pk)]
    assert listed(kind="tool") == [str(c.pk)]
    assert listed(batch_id=str(batch)) == [str(b.pk)]
    assert len(listed(limit=2)) == 2
    assert client.get("/admin/kb/jobs", {"state": "failed"}).json()["code"] == "unknown_parameter"
    assert client.get("/admin/kb/jobs", {"topic_id": 999_999}).json()["code"] == "unknown_topic"


def test_a_job_is_shown_with_its_moves_and_its_error(client: APIClient) -> None:
    job = make_job()
    transition(job.pk, Transition.FAIL, by="worker", why="corrupt", error_code="corrupt", error_message="Broken.")
    shown = client.get(f"/admin/kb/jobs/{job.pk}").json()
    assert shown["error"] == {"code": "corrupt", "message": "Broken."}
    assert [(event["from"], event["to"], event["by"]) for event in shown["events"]] == [("queued", "failed", "worker")]
    assert client.get(f"/admin/kb/jobs/{uuid.uuid4()}").status_code == 404
    assert client.get("/admin/kb/jobs/17").status_code == 404


def test_a_failed_job_is_retried_and_another_is_not(client: APIClient, tmp_path: Path) -> None:
    job = upload_text(tmp_path)
    refused = client.post(f"/admin/kb/jobs/{job.pk}/retry")
    assert (refused.status_code, refused.json()["code"]) == (409, "wrong_state")
    transition(job.pk, Transition.FAIL, by="test")
    response = client.post(f"/admin/kb/jobs/{job.pk}/retry")
    assert response.status_code == 202
    assert (response.json()["status"], response.json()["processing_stage"]) == ("processing", "embedding")


def test_stored_file_comes_back_as_plain_text_that_runs_nothing(client: APIClient, tmp_path: Path) -> None:
    job = upload_text(tmp_path, "<html><script>alert(1)</script>שלום</html>", filename="page.html")
    response = client.get(f"/admin/kb/jobs/{job.pk}/file")
    assert response.status_code == 200
    assert response["Content-Type"] == "text/plain; charset=utf-8"
    assert "sandbox" in response["Content-Security-Policy"]
    assert b"".join(response).endswith("שלום</html>".encode())


@pytest.mark.parametrize("decide", ["commit", "discard", "retry"])
def test_who_may_only_look_decides_nothing(decide: str) -> None:
    user = make_staff(role=None)
    user.user_permissions.add(Permission.objects.get(codename="view_job"))
    looking, job = APIClient(), make_job(status="awaiting_review", confirmed=None)
    looking.force_login(user)
    assert looking.get(f"/admin/kb/jobs/{job.pk}").status_code == 200
    answer = looking.post(f"/admin/kb/jobs/{job.pk}/{decide}", {"kind": "law", "title": "A law"}, format="json")
    assert (answer.status_code, answer.json()["code"]) == (403, "permission_denied")
    assert not job.events.exists()


def test_staff_enter_and_a_pinned_key_sees_its_topic() -> None:
    topic = make_topic()
    inside, outside = make_job(topic=topic), make_job(topic=first_topic())
    assert APIClient().get("/admin/kb/jobs").status_code == 401
    assert client_with_key(admin=False).get("/admin/kb/jobs").status_code == 403
    pinned = client_with_key(admin=True, topic=topic)
    assert [job["id"] for job in pinned.get("/admin/kb/jobs").json()["results"]] == [str(inside.pk)]
    assert pinned.get(f"/admin/kb/jobs/{outside.pk}").status_code == 404
    assert upload(pinned, topic_id=first_topic().pk).status_code == 403
    accepted = upload(pinned)
    assert accepted.status_code == 202
    assert Job.objects.get(pk=accepted.json()["job_id"]).topic == topic


def test_upload_is_told_to_come_again_when_file_store_is_away(client: APIClient, settings: Any) -> None:
    settings.STORAGES = storages_away(settings)
    answer = upload(client)
    assert (answer.status_code, answer.json()["code"]) == (503, "unavailable")
    assert int(answer["Retry-After"]) > 0
    assert not Job.objects.exists()
