"""What a document is cited by is read when it comes in, shown for review, and kept for all versions of its work."""

from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from ingest.intake.upload import Metadata
from ingest.models import Job
from ingest.stages.run import run_job
from kb_project.models import AuditEntry
from sources.models import Source
from tests.factories import make_source, make_topic, upload_text
from tests.topics.keys import client_with_key

pytestmark = pytest.mark.django_db(transaction=True)
ACT = """An Act to make provision about the winding of strings
2031 CHAPTER 26

1. Short title
This Act may be cited as the Kites Act 2031.

2. Strings
The keeper of a kite shall wind its string.
"""
READ = ["Kites Act 2031", "2031 c. 26"]


def uploaded(directory: Path, **metadata: Any) -> Source:
    job = upload_text(directory, ACT, metadata=Metadata(**metadata))
    run_job(job.pk)
    job.refresh_from_db()
    assert job.source is not None
    return job.source


def reviewed(directory: Path) -> Job:
    """A job of a batch that awaits review."""
    job = upload_text(directory, ACT, metadata=None, batch_id=uuid4())
    run_job(job.pk)
    job.refresh_from_db()
    return job


def committed(job: Job, **given: Any) -> Source:
    body = {"kind": "law", "title": "Winding of strings", **given}
    answer = client_with_key(admin=True).post(f"/admin/kb/jobs/{job.pk}/commit", body, format="json")
    assert answer.status_code == 202, answer.json()
    run_job(job.pk)
    job.refresh_from_db()
    assert job.source is not None
    return job.source


def test_without_a_review_they_are_read_from_the_document(tmp_path: Path) -> None:
    assert uploaded(tmp_path).aliases == READ
    assert AuditEntry.objects.count() == 0


def test_what_the_uploader_says_stands(tmp_path: Path) -> None:
    assert uploaded(tmp_path, aliases=("The winding act",)).aliases == ["The winding act"]


def test_they_are_proposed_with_words_and_confirmed_as_typed(tmp_path: Path, staff_client: Client) -> None:
    job = reviewed(tmp_path)
    assert job.ai_suggestions["aliases"] == READ
    url = reverse("review-job", args=[job.batch_id, job.pk])
    page = staff_client.get(url).content.decode()
    assert "Act may be cited as the Kites Act 2031" in page.split('data-field="aliases"')[1]
    form = {"kind": "law", "title": "Strings", "aliases": " Kites  Act 2031\r\n\r\nKites Act 2031\r\nKA\r\n"}
    assert staff_client.post(url, form | {"do": "confirm"}).status_code == 302
    run_job(job.pk)
    assert Source.objects.get().aliases == ["Kites Act 2031", "KA"]


def test_what_a_person_takes_out_at_review_stays_out(tmp_path: Path) -> None:
    assert committed(reviewed(tmp_path), aliases=[]).aliases == []


def test_who_does_not_speak_of_them_confirms_what_was_proposed(tmp_path: Path) -> None:
    assert committed(reviewed(tmp_path)).aliases == READ


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("x" * 201, "Each must have at most 200 characters."),
        ("\n".join(map(str, range(21))), "Can be at most 20 names."),
    ],
)
def test_too_much_is_refused_beside_the_field(staff_client: Client, typed: str, sentence: str) -> None:
    source = make_source()
    url = reverse("library-source", args=[source.pk])
    answer = staff_client.post(url, {"kind": "law", "title": "A", "aliases": typed})
    assert answer.status_code == 400
    assert sentence in answer.content.decode()
    source.refresh_from_db()
    assert source.aliases == []


def test_another_version_is_cited_as_the_others_are(tmp_path: Path) -> None:
    first = make_source(aliases=["Old name"], valid_from="2020-01-01")
    later = committed(reviewed(tmp_path), version_of=first.pk, valid_from="2031-01-01")
    assert later.work_id == first.work_id
    assert later.aliases == [*READ, "Old name"]


def test_what_replaces_a_source_is_cited_as_that_was(tmp_path: Path) -> None:
    old = make_source(aliases=["Old name"])
    assert committed(reviewed(tmp_path), replaces=old.pk).aliases == [*READ, "Old name"]


def test_a_work_is_told_what_all_its_versions_are_cited_by() -> None:
    first = make_source(aliases=["One"], valid_from="2020-01-01", valid_to="2021-01-01")
    second = make_source(aliases=["Two"], valid_from="2021-01-01", work=first.work)
    client = client_with_key(admin=True)
    path = f"/admin/kb/works/{first.work_id}"
    assert client.get(f"/kb/works/{first.work_id}").json()["aliases"] == ["One", "Two"]
    answer = client.patch(path, {"aliases": ["12 CFR 1072"]}, format="json")
    assert (answer.status_code, answer.json()["aliases"]) == (200, ["12 CFR 1072"])
    for source in (first, second):
        source.refresh_from_db()
        assert source.aliases == ["12 CFR 1072"]
    assert AuditEntry.objects.filter(action="source.edit").count() == 2
    assert client.patch(path, {"title": "x"}, format="json").status_code == 400
    assert client.patch(path, {"aliases": "x"}, format="json").status_code == 400
    assert client.patch("/admin/kb/works/0", {"aliases": []}, format="json").status_code == 404


def test_a_key_of_another_topic_cannot_name_a_work() -> None:
    source = make_source()
    client = client_with_key(admin=True, topic=make_topic())
    assert client.patch(f"/admin/kb/works/{source.work_id}", {"aliases": ["X"]}, format="json").status_code == 404
