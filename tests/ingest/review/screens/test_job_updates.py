"""What an open page is told: who else has the job, what became of it, and another proposal."""

from collections.abc import Callable
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.test import Client
from django.urls import reverse

from ingest.decide.commit import commit
from ingest.decide.retry import classify_again
from ingest.decisions import Decision
from ingest.job_states import JobStatus
from ingest.models import Hold, Job
from ingest.review import review_locks

MakeWaiting = Callable[..., Job]
HTMX = {"HX-Request": "true"}


@pytest.fixture
def filed(make_waiting: MakeWaiting) -> Job:
    return make_waiting(file_key=default_storage.save("inbox/x/law.txt", ContentFile(b"1. x")))


def post(client: Client, job: Job, name: str, **sent: Any) -> Any:
    return client.post(reverse(f"review-job-{name}", args=[job.batch_id, job.pk]), sent, headers=HTMX)


def page_of(client: Client, job: Job) -> str:
    return client.get(reverse("review-job", args=[job.batch_id, job.pk])).content.decode()


def test_the_second_is_told_who_has_it_and_may_take_it_over(staff_client: Client, make_waiting: MakeWaiting) -> None:
    job, free = make_waiting(), make_waiting()
    review_locks.acquire(job.pk, by="avi", page="his")
    page = page_of(staff_client, job)
    assert "<bdi>avi</bdi> has this file open." in page
    assert 'id="confirm" aria-keyshortcuts="Control+Enter" disabled' in page
    assert page.count(f'href="{reverse("review-start", args=[job.batch_id])}?after={job.pk}"') == 1
    assert 'data-key="t"' in page

    again = post(staff_client, job, "state", was="awaiting_review held", page="hers").content.decode()
    assert "hx-swap-oob" not in again, "nothing has changed, so nothing moves under her hands"
    taken = post(staff_client, job, "hold", was="awaiting_review held", page="hers").content.decode()
    assert "has this file open" not in taken
    assert 'id="hold" hx-swap-oob="true"' in taken
    assert 'id="confirm" aria-keyshortcuts="Control+Enter">' in taken
    assert 'id="field-title"' not in taken, "what is typed is left alone"
    assert (Hold.objects.get(pk=job.pk).by, Hold.objects.get(pk=job.pk).page) == ("dana", "hers")

    review_locks.acquire(job.pk, by="avi", page="his", over=True)
    told = post(staff_client, job, "state", was="awaiting_review", page="hers").content.decode()
    assert "<bdi>avi</bdi> has this file open." in told
    review_locks.release(job.pk, by="avi", page="his")
    freed = post(staff_client, job, "state", was="awaiting_review held", page="hers").content.decode()
    assert "has this file open" not in freed
    assert post(staff_client, job, "hold", leave="1", page="hers").status_code == 204
    assert not Hold.objects.filter(pk=job.pk).exists()
    assert free.status == JobStatus.AWAITING_REVIEW


def test_no_hold_keeps_anybody_from_deciding_and_a_decision_ends_it(
    staff_client: Client, make_waiting: MakeWaiting
) -> None:
    job, other = make_waiting(), make_waiting()
    page_of(staff_client, job)
    commit(job.pk, Decision(kind="law", title="של אבי"), by="avi", allow_duplicate=False)
    told = post(staff_client, job, "state", was="awaiting_review", page="hers").content.decode()
    assert "Someone else decided this file meanwhile." in told
    assert "<bdi>avi</bdi>" in told
    assert "HX-Refresh" not in told
    assert 'id="field-title"' not in told

    review_locks.acquire(other.pk, by="avi", page="his")
    sent = {"do": "confirm", "kind": "law", "title": "של דנה"}
    answer = staff_client.post(reverse("review-job", args=[other.batch_id, other.pk]), sent)
    assert answer.status_code == 302
    assert not Hold.objects.filter(pk=other.pk).exists()


def test_a_job_is_classified_again_and_what_is_typed_stays(staff_client: Client, filed: Job) -> None:
    assert 'id="classify-again"' in page_of(staff_client, filed)
    asked = post(staff_client, filed, "classify", was="awaiting_review", page="hers").content.decode()
    assert 'hx-trigger="every 2s"' in asked
    assert 'id="confirm" aria-keyshortcuts="Control+Enter" disabled' in asked
    assert 'id="field-title"' not in asked
    filed.refresh_from_db()
    assert (filed.status, filed.ai_suggestions["title"]) == (JobStatus.QUEUED, "חוק הספריות הציבוריות לדוגמה")
    refused = post(staff_client, filed, "classify", was="queued", page="hers").content.decode()
    assert "cannot classify again from there" in refused

    # Whoever confirms meanwhile is told how the job stands, and keeps what was typed.
    sent = {"do": "confirm", "kind": "law", "title": "מה שהוקלד"}
    answer = staff_client.post(reverse("review-job", args=[filed.batch_id, filed.pk]), sent)
    page = answer.content.decode()
    assert answer.status_code == 409
    assert "מה שהוקלד" in page
    assert page.count("cannot commit from there") == 1
    assert "Someone else decided" not in page


def test_without_a_script_the_page_comes_again(staff_client: Client, filed: Job) -> None:
    url = reverse("review-job", args=[filed.batch_id, filed.pk])
    review_locks.acquire(filed.pk, by="avi")
    assert staff_client.post(reverse("review-job-hold", args=[filed.batch_id, filed.pk])).headers["Location"] == url
    assert Hold.objects.get().by == "dana"
    answer = staff_client.post(reverse("review-job-classify", args=[filed.batch_id, filed.pk]))
    assert answer.headers["Location"] == url
    answer = staff_client.post(reverse("review-job-classify", args=[filed.batch_id, filed.pk]), follow=True)
    assert "cannot classify again from there" in answer.content.decode()


def test_why_it_was_not_classified_is_said_in_readers_language(staff_client: Client, filed: Job) -> None:
    fields = {"ai_suggestions": {}, "error_code": "classifier_away", "error_message": "The model gave no answer."}
    Job.objects.filter(pk=filed.pk).update(**fields)
    assert page_of(staff_client, filed).count("The model gave no answer.") == 1
    staff_client.cookies["django_language"] = "he"
    assert "המסווג לא ענה" in page_of(staff_client, filed)
    batch = staff_client.get(reverse("review-batch", args=[filed.batch_id])).content.decode()
    assert "המסווג לא ענה" in batch
    assert "קובץ אחד לא סווג." in batch
    classify_again(filed.pk, by="dana")
    assert "המסווג לא ענה" not in staff_client.get(reverse("review-batch", args=[filed.batch_id])).content.decode()
