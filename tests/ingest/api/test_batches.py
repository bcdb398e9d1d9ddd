"""The admin paths of a batch, as a program calls them."""

import uuid
from pathlib import Path
from typing import Any

import pytest
from pytest_django import DjangoAssertNumQueries
from rest_framework.test import APIClient

from ingest.models import Job, Similar
from ingest.stages.run import run_job
from tests.factories import LAW, first_topic, make_source, make_topic
from tests.ingest.api.calls import awaiting, commit, upload
from tests.topics.keys import client_with_key

pytestmark = pytest.mark.django_db(transaction=True)

PROGRAM = b"MZ\x90\x00" + bytes(range(256)) * 20


def test_a_batch_may_be_given_a_name(client: APIClient) -> None:
    batch_id = upload(client, LAW, name="  Libraries  2024 ").json()["batch_id"]
    assert client.get(f"/admin/kb/batch/{batch_id}").json()["name"] == "Libraries 2024"
    assert upload(client, f"{LAW}\n4. x", batch_id=batch_id, name="x" * 121).json()["errors"].keys() == {"name"}
    assert upload(client, f"{LAW}\n4. x", batch_id=batch_id).status_code == 202
    assert client.get(f"/admin/kb/batch/{batch_id}").json()["name"] == "Libraries 2024"
    other = upload(client, f"{LAW}\n5. x").json()["batch_id"]
    assert client.get(f"/admin/kb/batch/{other}").json()["name"] == ""


def test_a_batch_is_answered_file_by_file(client: APIClient) -> None:
    response = upload(client, LAW, PROGRAM, LAW)
    assert response.status_code == 202
    answer = response.json()
    first, second = answer["jobs"]
    assert first == {
        "job_id": first["job_id"],
        "filename": "0.txt",
        "status": "queued",
        "duplicate_of": None,
        "part_of": None,
    }
    assert (second["filename"], second["duplicate_of"]) == ("2.txt", {"job_id": first["job_id"]})
    (rejected,) = answer["rejected"]
    assert (rejected["filename"], rejected["code"]) == ("1.txt", "unsupported_type")
    assert rejected["detail"].endswith(".")
    job = Job.objects.get(pk=first["job_id"])
    assert (str(job.batch_id), job.kind, job.topic_id) == (answer["batch_id"], "circular", 1)


def test_a_batch_of_only_bad_files_is_refused_with_reasons(client: APIClient) -> None:
    response = upload(client, PROGRAM, PROGRAM)
    assert (response.status_code, response["Content-Type"]) == (400, "application/problem+json")
    assert [rejected["code"] for rejected in response.json()["rejected"]] == ["unsupported_type"] * 2
    assert not Job.objects.exists()


def test_files_are_added_to_a_batch_of_the_same_topic(client: APIClient) -> None:
    topic = make_topic()
    batch_id = upload(client, LAW, topic_id=topic.pk, kind="law").json()["batch_id"]
    added = upload(client, LAW + "1", batch_id=batch_id)
    assert (added.status_code, added.json()["batch_id"]) == (202, batch_id)
    assert set(Job.objects.values_list("batch_id", "topic_id")) == {(uuid.UUID(batch_id), topic.pk)}
    elsewhere = upload(client, LAW, batch_id=batch_id, topic_id=1)
    assert (elsewhere.status_code, set(elsewhere.json()["errors"])) == (400, {"batch_id"})
    assert upload(client, LAW, batch_id=str(uuid.uuid4())).status_code == 404


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"kind": "poem"}, "invalid"),
        ({"topic_id": 999_999}, "unknown_topic"),
        ({"title": "x"}, "unknown_parameter"),
        ({"batch_id": "x"}, "invalid"),
        ({"files": []}, "invalid"),
    ],
)
def test_a_field_that_is_wrong_is_named(client: APIClient, fields: dict[str, Any], code: str) -> None:
    response = upload(client, LAW, **fields)
    assert (response.status_code, response.json()["code"]) == (400, code)
    assert set(response.json()["errors"]) == set(fields)
    assert not Job.objects.exists()


def test_a_batch_is_read_in_one_call_in_the_order_of_its_files(
    client: APIClient, django_assert_max_num_queries: Any
) -> None:
    batch_id = upload(client, *(f"{LAW}\n{number}" for number in range(6))).json()["batch_id"]
    upload(client, "another batch")
    run_job(Job.objects.get(filename="3.txt", batch_id=batch_id).pk)
    with django_assert_max_num_queries(5):
        response = client.get(f"/admin/kb/batch/{batch_id}")
    assert response.status_code == 200
    batch = response.json()
    assert (batch["batch_id"], batch["topic_id"]) == (batch_id, 1)
    assert batch["created_at"] == batch["jobs"][0]["created_at"]
    assert batch["counts"] == {"queued": 5, "processing": 0, "awaiting_review": 1, "done": 0, "failed": 0}
    assert [job["filename"] for job in batch["jobs"]] == [f"{number}.txt" for number in range(6)]
    assert batch["jobs"][3]["ai_suggestions"]["kind"] == "law"
    assert client.get(f"/admin/kb/batch/{uuid.uuid4()}").status_code == 404
    assert client.get(f"/admin/kb/batch/{batch_id}", {"limit": 5}).json()["code"] == "unknown_parameter"


def test_only_staff_come_in_and_pinned_key_decides_in_its_topic(tmp_path: Path) -> None:
    topic = make_topic()
    inside, outside = awaiting(topic=topic, batch_id=uuid.uuid4()), awaiting(batch_id=uuid.uuid4())
    reader, pinned = client_with_key(admin=False), client_with_key(admin=True, topic=topic)
    assert upload(APIClient(), LAW).status_code == 401
    assert upload(reader, LAW).status_code == commit(reader, inside).status_code == 403
    assert upload(pinned, LAW, topic_id=first_topic().pk).status_code == 403
    assert upload(pinned, LAW, batch_id=str(outside.batch_id)).status_code == 404
    accepted = upload(pinned, LAW)
    assert accepted.status_code == 202
    assert Job.objects.get(pk=accepted.json()["jobs"][0]["job_id"]).topic == topic
    for path in ("commit", "discard"):
        assert pinned.post(f"/admin/kb/jobs/{outside.pk}/{path}", {}, format="json").status_code in (400, 404)
    assert commit(pinned, outside).status_code == 404
    assert pinned.get(f"/admin/kb/batch/{outside.batch_id}").status_code == 404
    assert pinned.get(f"/admin/kb/batch/{inside.batch_id}").status_code == 200
    assert commit(pinned, inside).status_code == 202


def test_long_list_of_jobs_takes_as_many_queries_as_a_short_one(
    client: APIClient, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    source = make_source()
    for _ in range(12):
        Similar.objects.create(job=awaiting(), source=source, similarity=1)
    with django_assert_max_num_queries(8):
        assert len(client.get("/admin/kb/jobs").json()["results"]) == 12
