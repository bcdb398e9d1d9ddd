"""The upload page without JavaScript, and adding to a batch that is there."""

from collections.abc import Callable
from uuid import UUID

from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from ingest.intake.batches import UNCONFIRMED_KIND
from ingest.models import Job
from tests.factories import LAW, make_topic

MakeWaiting = Callable[..., Job]


def test_files_are_taken_in_and_refused_ones_are_named(staff_client: Client) -> None:
    topic = make_topic(name="Consumer law")
    files = [SimpleUploadedFile("law.txt", LAW.encode()), SimpleUploadedFile("tool.exe", b"MZ\x90\x00" * 99)]
    answer = staff_client.post("/review/upload/", {"topic_id": topic.pk, "kind": "law", "files": files}, follow=True)
    page = answer.content.decode()
    job = Job.objects.get()
    assert (job.topic, job.filename, job.kind, job.confirmed) == (topic, "law.txt", "law", None)
    assert answer.redirect_chain == [(f"/review/{job.batch_id}/", 302)]
    assert "1 file was taken in." in page
    assert "<bdi>tool.exe</bdi>: " in page


def test_a_kind_is_chosen_by_who_knows_it_alone(staff_client: Client, db: None) -> None:
    assert '<select name="kind"><option value="">Not known yet' in staff_client.get("/review/upload/").content.decode()
    staff_client.post(
        "/review/upload/", {"topic_id": 1, "kind": "", "files": [SimpleUploadedFile("a.txt", LAW.encode())]}
    )
    assert Job.objects.get().kind == UNCONFIRMED_KIND


def test_nothing_chosen_and_nothing_taken_in_stay_on_the_page(staff_client: Client, db: None) -> None:
    answer = staff_client.post("/review/upload/", {"topic_id": 1, "kind": "law"})
    assert "Choose some files first." in answer.content.decode()
    files = [SimpleUploadedFile("tool.exe", b"MZ\x90\x00" * 99)]
    answer = staff_client.post("/review/upload/", {"topic_id": 1, "kind": "law", "files": files})
    assert (answer.status_code, "<bdi>tool.exe</bdi>: " in answer.content.decode()) == (200, True)
    assert not Job.objects.exists()


def test_what_is_refused_is_said_in_the_readers_language(staff_client: Client, db: None) -> None:
    files = [SimpleUploadedFile("tool.exe", b"MZ\x90\x00" * 99)]
    sent = {"topic_id": 1, "kind": "law", "files": files}
    page = staff_client.post("/review/upload/", sent, headers={"Accept-Language": "he"}).content.decode()
    assert "<bdi>tool.exe</bdi>: זו תוכנה של Windows. אלה נקראים: " in page


def test_the_page_adds_to_a_batch_that_is_there(
    staff_client: Client, make_waiting: MakeWaiting, batch_id: UUID
) -> None:
    assert 'data-batch=""' in staff_client.get("/review/upload/", {"batch": str(batch_id)}).content.decode()
    make_waiting()
    assert f'data-batch="{batch_id}"' in staff_client.get("/review/upload/", {"batch": str(batch_id)}).content.decode()
    assert staff_client.get("/review/upload/", {"batch": "x", "topic": "y"}).status_code == 200
