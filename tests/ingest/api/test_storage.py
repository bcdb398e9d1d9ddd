"""Listing the file store and scanning the legacy inbox over HTTP."""

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from rest_framework.test import APIClient

from ingest.models import Job
from tests.factories import LAW, make_topic
from tests.topics.keys import client_with_key

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("empty_store")]


def test_an_area_is_listed_with_a_group_for_every_kind(client: APIClient) -> None:
    topic = make_topic(slug="water")
    for key in ("failed/general/law/a.txt", "failed/water/tool/b.txt"):
        default_storage.save(key, ContentFile(b"12345"))
    answer = client.get("/admin/kb/storage/failed").json()
    assert answer["area"] == "failed"
    assert {kind: [file["key"] for file in files] for kind, files in answer["kinds"].items()} == {
        "law": ["failed/general/law/a.txt"],
        "regulation": [],
        "circular": [],
        "caselaw": [],
        "tool": ["failed/water/tool/b.txt"],
    }
    (file,) = answer["kinds"]["tool"]
    assert (file["size"], "T" in file["modified_at"]) == (5, True)
    of_topic = client.get("/admin/kb/storage/failed", {"topic_id": topic.pk}).json()["kinds"]
    assert [len(files) for files in of_topic.values()] == [0, 0, 0, 0, 1]
    pinned = client_with_key(admin=True, topic=topic)
    assert pinned.get("/admin/kb/storage/failed").json()["kinds"] == of_topic
    assert pinned.get("/admin/kb/storage/failed", {"topic_id": 1}).status_code == 403


def test_what_is_no_area_and_what_is_no_topic_is_refused(client: APIClient) -> None:
    assert client.get("/admin/kb/storage/attic").status_code == 404
    assert client.get("/admin/kb/storage/inbox", {"topic_id": 999_999}).json()["code"] == "unknown_topic"
    assert client.get("/admin/kb/storage/inbox", {"kind": "law"}).json()["code"] == "unknown_parameter"
    assert APIClient().get("/admin/kb/storage/inbox").status_code == 401


@pytest.mark.parametrize("path", ["/scan-inbox", "/admin/kb/scan-inbox"])
def test_the_legacy_inbox_is_scanned_on_both_paths(client: APIClient, path: str) -> None:
    default_storage.save("inbox/law/a.txt", ContentFile(LAW.encode()))
    default_storage.save("inbox/tool/b.txt", ContentFile(LAW.encode()))
    dry = client.post(path, {"dry_run": True}, format="json")
    assert (dry.status_code, dry.json()["queued"]) == (202, [{"key": "inbox/law/a.txt", "kind": "law", "job_id": None}])
    assert not Job.objects.exists()
    response = client.post(path)
    assert response.status_code == 202
    job = Job.objects.get()
    assert response.json()["queued"] == [{"key": "inbox/law/a.txt", "kind": "law", "job_id": str(job.pk)}]
    (skipped,) = response.json()["skipped"]
    assert (skipped["key"], skipped["code"]) == ("inbox/tool/b.txt", "duplicate_document")
    assert str(job.pk) in skipped["reason"]
    assert job.events.get().by == "Api-Key tests"
    assert client.post(path).json()["queued"] == []


@pytest.mark.parametrize("path", ["/scan-inbox", "/admin/kb/scan-inbox"])
def test_a_scan_is_for_staff_who_may_see_the_first_topic(path: str) -> None:
    assert APIClient().post(path).status_code == 401
    assert client_with_key(admin=False).post(path).status_code == 403
    assert client_with_key(admin=True, topic=make_topic()).post(path).status_code == 403
    client = client_with_key(admin=True)
    assert client.post(path, {"dry_run": "yes"}, format="json").status_code == 400
    assert client.post(path, {"topic_id": 2}, format="json").json()["code"] == "unknown_parameter"
    assert client.get(path).status_code == 405
