"""The admin paths of a decision, as a program calls them: commit, discard, page, similar documents."""

import uuid
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from rest_framework.test import APIClient

from ingest.models import Job, Similar
from ingest.stages.run import run_job
from kb_project.configuration.roles import REVIEWER
from labels.models import Label
from sources.fields import DocumentFields
from sources.files import storage
from tests.extraction.pdf.making import english_pdf
from tests.factories import LAW, make_label, make_source, make_staff, make_topic, upload_text
from tests.ingest.api.calls import awaiting, commit, upload
from tests.racing import all_done_at_once
from tests.search.corpus import add_source
from tests.topics.keys import client_with_key

pytestmark = pytest.mark.django_db(transaction=True)


def test_a_commit_is_answered_with_the_job_on_its_way(client: APIClient) -> None:
    known = make_label("ספריות")
    job = awaiting()
    response = commit(
        client,
        job,
        title=" חוק הספריות ",
        summary=" כפי שנמסר \n",
        subject=None,
        published_at="2024-02-29",
        labels=[{"slug": known.slug}, {"name": "תרבות"}],
    )
    assert response.status_code == 202, response.json()
    shown = response.json()
    assert (shown["status"], shown["processing_stage"], shown["kind"]) == ("processing", "embedding", "law")
    assert shown["confirmed"] == DocumentFields().as_json() | {
        "kind": "law",
        "title": "חוק הספריות",
        "subject": "",
        "summary": " כפי שנמסר \n",
        "identifier": "",
        "published_at": "2024-02-29",
        "labels": [{"slug": "sspryvth", "name": "ספריות"}, {"slug": "thrbvth", "name": "תרבות"}],
    }
    again = commit(client, job)
    assert (again.status_code, again.json()["code"], again.json()["status_now"]) == (409, "wrong_state", "processing")


@pytest.mark.parametrize(
    ("fields", "field", "code"),
    [
        ({"kind": None}, "kind", "invalid"),
        ({"kind": "poem"}, "kind", "invalid"),
        ({"title": "  "}, "title", "invalid"),
        ({"title": 7}, "title", "invalid"),
        ({"summary": "x" * 2001}, "summary", "invalid"),
        ({"published_at": "2023-02-29"}, "published_at", "invalid"),
        ({"published_at": "29.2.2024"}, "published_at", "invalid"),
        ({"labels": [{"slug": "nobody"}]}, "labels.0.slug", "invalid"),
        ({"labels": [{"slug": "a", "name": "b"}]}, "labels.0", "invalid"),
        ({"labels": [{}]}, "labels.0", "invalid"),
        ({"labels": ["sspryvth"]}, "labels.0", "invalid"),
        ({"labels": [{"name": "x" * 121}]}, "labels.0.name", "invalid"),
        ({"labels": [{"name": "\u200f"}]}, "labels.0.name", "invalid"),
        ({"labels": [{"id": 1}]}, "id", "unknown_parameter"),
        ({"labels": [{"name": str(number)} for number in range(51)]}, "labels", "invalid"),
        ({"topic_id": 1}, "topic_id", "unknown_parameter"),
    ],
)
def test_a_decision_that_cannot_be_is_refused_field_by_field(
    client: APIClient, fields: dict[str, Any], field: str, code: str
) -> None:
    job = awaiting()
    response = commit(client, job, **fields)
    assert (response.status_code, response.json()["code"]) == (400, code), response.json()
    assert set(response.json()["errors"]) == {field}
    assert Job.objects.get(pk=job.pk).confirmed is None
    assert not Label.objects.exists()


def test_a_commit_needs_a_kind_and_a_title(client: APIClient) -> None:
    response = client.post(f"/admin/kb/jobs/{awaiting().pk}/commit", {}, format="json")
    assert set(response.json()["errors"]) == {"kind", "title"}


def test_of_twenty_commits_at_once_one_is_accepted(client: APIClient) -> None:
    job = awaiting()
    clients = [client_with_key(name=f"person {number}", admin=True) for number in range(20)]
    answers = all_done_at_once([partial(commit, one, job, title=str(number)) for number, one in enumerate(clients)])
    assert sorted(answer.status_code for answer in answers) == [202] + [409] * 19
    assert job.events.count() == 1


def test_a_duplicate_can_be_held_back(client: APIClient) -> None:
    first, twin = upload(client, LAW, LAW).json()["jobs"]
    for job in (first, twin):
        run_job(uuid.UUID(job["job_id"]))
    job = Job.objects.get(pk=twin["job_id"])
    refused = commit(client, job, allow_duplicate=False)
    assert (refused.status_code, refused.json()["code"]) == (409, "duplicate_document")
    assert refused.json()["job_id"] == first["job_id"]
    assert commit(client, job).status_code == 202


def test_a_job_is_discarded_with_its_file(client: APIClient, tmp_path: Path) -> None:
    job = upload_text(tmp_path, metadata=None)
    response = client.post(f"/admin/kb/jobs/{job.pk}/discard")
    assert response.status_code == 200
    assert (response.json()["status"], response.json()["error"]["code"]) == ("failed", "discarded")
    assert not storage.exists(job.file_key)
    assert client.get(f"/admin/kb/jobs/{job.pk}/file").status_code == 404
    again = client.post(f"/admin/kb/jobs/{job.pk}/discard")
    assert (again.status_code, again.json()["code"]) == (409, "wrong_state")
    assert client.post(f"/admin/kb/jobs/{job.pk}/retry").status_code == 409
    assert client.post(f"/admin/kb/jobs/{uuid.uuid4()}/discard").status_code == 404


def test_a_page_is_a_picture_and_what_has_none_is_a_problem(client: APIClient, tmp_path: Path) -> None:
    content = english_pdf(tmp_path / "ferry.pdf", "Ferry Rules 2031", "Rule 2").read_bytes()
    pdf, text = upload(client, content, LAW).json()["jobs"]
    response = client.get(f"/admin/kb/jobs/{pdf['job_id']}/pages/2.png")
    assert (response.status_code, response["Content-Type"], response["X-Pages"]) == (200, "image/png", "2")
    assert response.content.startswith(b"\x89PNG")
    for path in (f"{pdf['job_id']}/pages/0.png", f"{pdf['job_id']}/pages/3.png", f"{text['job_id']}/pages/1.png"):
        missing = client.get(f"/admin/kb/jobs/{path}")
        assert (missing.status_code, missing.json()["code"]) == (404, "not_found"), path
    client.post(f"/admin/kb/jobs/{pdf['job_id']}/discard")
    assert client.get(f"/admin/kb/jobs/{pdf['job_id']}/pages/2.png").status_code == 404


def test_what_job_is_nearly_same_as_is_told_and_may_be_replaced(client: APIClient) -> None:
    source = add_source("בחוק זה ספרייה.", title="חוק הספריות", identifier="ס-1")
    job, other, elsewhere = (
        awaiting(ai_suggestions={"title": "חוק ספריות", "identifier": "ס-1"}),
        awaiting(),
        make_topic(),
    )
    Similar.objects.create(job=job, source=source, similarity=0.9991)
    Similar.objects.create(job=job, other=other, similarity=0.5)
    shown = client.get(f"/admin/kb/jobs/{job.pk}").json()["similar_to"]
    assert shown == [
        {"source_id": source.pk, "title": "חוק הספריות", "similarity": 0.99, "differs": ["title", "text"]},
        {"job_id": str(other.pk), "title": "law.txt", "similarity": 0.5, "differs": ["text"]},
    ]
    refused = commit(client, job, allow_similar=False)
    assert (refused.status_code, refused.json()["code"], refused.json()["similar_to"]) == (
        409,
        "similar_document",
        shown,
    )
    wrong = commit(client, job, replaces=make_source(topic=elsewhere).pk)
    assert (wrong.status_code, set(wrong.json()["errors"])) == (400, {"replaces"})
    reviewer = APIClient()
    reviewer.force_login(make_staff("noa", role=REVIEWER))
    assert commit(reviewer, job, replaces=source.pk).status_code == 403
    answer = commit(client, job, replaces=source.pk, allow_similar=False)
    assert (answer.status_code, answer.json()["confirmed"]["replaces"]) == (202, source.pk)
    assert commit(reviewer, other).status_code == 202


def test_a_job_that_awaits_review_is_classified_again_once(client: APIClient, settings: Any, tmp_path: Path) -> None:
    job = upload_text(tmp_path)
    Job.objects.filter(pk=job.pk).update(confirmed=None)
    path = f"/admin/kb/jobs/{job.pk}/classify"
    assert (client.post(path).status_code, client.post(path).json()["code"]) == (409, "wrong_state")
    run_job(job.pk)
    answer = client.post(path)
    assert answer.status_code == 202
    assert (answer.json()["status"], answer.json()["ai_suggestions"]["kind"]) == ("queued", "law")
    refused = client.post(path)
    assert (refused.status_code, refused.json()["code"], refused.json()["status_now"]) == (409, "wrong_state", "queued")
    assert client.post(path, {"kind": "law"}, format="json").json()["code"] == "unknown_parameter"
    pinned = client_with_key(admin=True, topic=make_topic())
    assert pinned.post(path).status_code == 404
    settings.KB_CLASSIFIER = "oracle"
    run_job(job.pk)
    found = client.get(f"/admin/kb/jobs/{job.pk}").json()
    assert (found["status"], found["error"]) == ("awaiting_review", None)
    assert found["classification_error"]["code"] == "classifier_failed"
    assert found["ai_suggestions"]["kind"] == "law"
