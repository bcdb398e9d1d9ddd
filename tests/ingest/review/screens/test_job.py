"""The screen of one job: deciding, being overtaken, and what is shown of it."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any
from uuid import uuid4

from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from ingest.decide.commit import commit
from ingest.decisions import Decision
from ingest.job_states import JobStatus, Stage
from ingest.models import Job, JobEvent
from labels.models import Label
from sources.fields import FIELDS
from tests.factories import decision_of, first_topic, make_job, make_label, make_source, upload_text

MakeWaiting = Callable[..., Job]


def url_of(job: Job) -> str:
    return reverse("review-job", args=[job.batch_id, job.pk])


def form_of(job: Job, **changes: Any) -> dict[str, Any]:
    values = {name: job.ai_suggestions.get(name) or "" for name in ("kind", "title", "subject", "summary")}
    return values | {"identifier": "", "published_at": "", "do": "confirm"} | changes


def test_a_stranger_is_sent_to_the_login_page(client: Client, make_waiting: MakeWaiting) -> None:
    url = url_of(make_waiting())
    assert client.get(url).headers["Location"] == f"/sign-in/?next={url}"
    assert client.get(url, headers={"HX-Request": "true"}).status_code == 401
    assert client.post(url, {"do": "confirm"}).status_code == 302


def test_confirming_keeps_the_decision_and_goes_to_the_next(staff_client: Client, make_waiting: MakeWaiting) -> None:
    first, decided, last = make_waiting(), make_waiting(status=JobStatus.DONE), make_waiting()
    make_label("שכירות")
    sent = form_of(first, title="חוק הספריות", labels=["slug:shkyrvth", "name:Public libraries"], more_labels="א, ב")
    answer = staff_client.post(url_of(first), sent)
    assert (answer.status_code, answer.headers["Location"]) == (302, url_of(last)), answer.content.decode()
    first.refresh_from_db()
    assert (first.status, first.processing_stage) == (JobStatus.PROCESSING, Stage.EMBEDDING)
    assert decision_of(first)["title"] == "חוק הספריות"
    assert [label["name"] for label in decision_of(first)["labels"]] == ["שכירות", "Public libraries", "א", "ב"]
    assert first.ai_suggestions["title"] == "חוק הספריות הציבוריות לדוגמה"
    assert first.events.get().by == "dana"
    assert decided.status == JobStatus.DONE


def test_the_last_one_leads_back_to_the_batch(staff_client: Client, make_waiting: MakeWaiting) -> None:
    job = make_waiting()
    answer = staff_client.post(url_of(job), form_of(job))
    assert answer.headers["Location"] == reverse("review-batch", args=[job.batch_id])


def test_an_undecidable_field_says_so_and_nothing_typed_is_lost(
    staff_client: Client, make_waiting: MakeWaiting
) -> None:
    job = make_waiting()
    answer = staff_client.post(url_of(job), form_of(job, title="", subject="נושא שהוקלד", labels=["name:חדש לגמרי"]))
    page = answer.content.decode()
    assert answer.status_code == 400
    assert 'aria-invalid="true"' in page
    assert "נושא שהוקלד" in page
    assert 'value="name:חדש לגמרי" checked' in page
    job.refresh_from_db()
    assert job.status == JobStatus.AWAITING_REVIEW


def test_a_label_that_is_gone_is_said_beside_the_labels(staff_client: Client, make_waiting: MakeWaiting) -> None:
    job = make_waiting()
    answer = staff_client.post(url_of(job), form_of(job, labels=["slug:gone"]))
    assert answer.status_code == 400
    assert "“gone”" in answer.content.decode()
    assert not Label.objects.exists()


def test_a_second_reviewer_sees_the_row_and_keeps_her_text(staff_client: Client, make_waiting: MakeWaiting) -> None:
    job = make_waiting()
    commit(job.pk, Decision(kind="law", title="של הראשון"), by="avi", allow_duplicate=False)
    answer = staff_client.post(url_of(job), form_of(job, title="של השנייה"))
    page = answer.content.decode()
    assert answer.status_code == 409
    assert "Someone else decided this file meanwhile." in page
    assert "<bdi>avi</bdi>" in page
    assert "של הראשון" in page
    assert "של השנייה" in page
    job.refresh_from_db()
    assert decision_of(job)["title"] == "של הראשון"


def test_a_discarded_file_says_that_it_can_be_taken_back(staff_client: Client, make_waiting: MakeWaiting) -> None:
    job = make_waiting(file_key="inbox/general/law/a.txt")
    staff_client.post(url_of(job), {"do": "discard"})
    job.refresh_from_db()
    assert (job.status, job.error_code) == (JobStatus.FAILED, "discarded")
    reopening = f'action="{reverse("review-job-reopen", args=[job.batch_id, job.pk])}"'
    page = staff_client.get(url_of(job)).content.decode()
    assert "For ten minutes it can be taken back." in page
    assert reopening in page
    Job.objects.filter(pk=job.pk).update(file_key="")
    page = staff_client.get(url_of(job)).content.decode()
    assert "For ten minutes" not in page
    assert reopening not in page


def test_a_duplicate_is_confirmed_only_when_that_is_ticked(staff_client: Client, make_waiting: MakeWaiting) -> None:
    source = make_source(content_sha256="a" * 64)
    job = make_waiting(content_sha256="a" * 64, allow_duplicate=True, duplicate_of={"source_id": source.pk})
    page = staff_client.get(url_of(job)).content.decode()
    assert f"/kb/sources/{source.pk}/file" in page
    assert 'data-key="d"' in page
    refused = staff_client.post(url_of(job), form_of(job))
    assert refused.status_code == 409
    assert "The same bytes are already in the topic" in refused.content.decode()
    assert 'id="confirm"' in refused.content.decode()
    assert 'name="allow_duplicate" value="1" aria-invalid="true" aria-describedby="duplicate-errors"' in (
        refused.content.decode()
    )
    assert staff_client.post(url_of(job), form_of(job, allow_duplicate="1")).status_code == 302


def test_a_refusal_is_said_in_the_readers_language(staff_client: Client, make_waiting: MakeWaiting) -> None:
    source = make_source(content_sha256="a" * 64)
    job = make_waiting(content_sha256="a" * 64, allow_duplicate=True, duplicate_of={"source_id": source.pk})
    refused = staff_client.post(url_of(job), form_of(job), headers={"Accept-Language": "he"})
    assert refused.status_code == 409
    assert f"אותו קובץ כבר נמצא בתחום כמקור {source.pk}" in refused.content.decode()


def test_the_form_says_where_each_value_came_from(staff_client: Client, make_waiting: MakeWaiting) -> None:
    page = staff_client.get(url_of(make_waiting(provider="anthropic", model="claude-haiku"))).content.decode()
    assert "AI (claude-haiku)" in page
    assert "· page 1" in page
    assert "<q><bdi>חוק הספריות</bdi></q>" in page


def test_new_labels_arrive_unticked_and_existing_ones_ticked(staff_client: Client, make_waiting: MakeWaiting) -> None:
    make_label("שכירות")
    proposed = [
        {"slug": "shkyrvth", "name": "שכירות", "existing": True},
        {"slug": "brand-new", "name": "Brand new", "existing": False},
    ]
    page = staff_client.get(url_of(make_waiting(labels=proposed))).content.decode()
    assert 'value="slug:shkyrvth" checked' in page
    assert 'value="name:Brand new">' in page


def test_a_proposal_that_arrives_fills_each_field_on_its_own(staff_client: Client, make_waiting: MakeWaiting) -> None:
    job = make_waiting()
    url = reverse("review-job-state", args=[job.batch_id, job.pk])
    piece = staff_client.get(url, {"was": "classifying"}, headers={"HX-Request": "true"}).content.decode()
    for name in ("kind", "title", "subject", "summary", "identifier", "published_at", "labels"):
        assert f'id="field-{name}"' in piece
    assert piece.count('hx-swap-oob="true"') == len(FIELDS) + 5  # labels, buttons, warnings, similar, hold
    assert 'hx-trigger="every 2s"' not in piece
    again = staff_client.get(url, {"was": "awaiting_review"}, headers={"HX-Request": "true"}).content.decode()
    assert "hx-swap-oob" not in again


def test_a_job_that_moves_is_looked_at_again_and_one_that_rests_is_not(
    staff_client: Client, make_waiting: MakeWaiting
) -> None:
    moving = make_waiting(status=JobStatus.PROCESSING, processing_stage=Stage.CLASSIFYING, ai_suggestions={})
    assert 'hx-trigger="every 2s"' in staff_client.get(url_of(moving)).content.decode()
    assert 'hx-trigger="every 2s"' not in staff_client.get(url_of(make_waiting())).content.decode()


def test_a_job_of_another_batch_is_not_here(staff_client: Client, make_waiting: MakeWaiting) -> None:
    job = make_waiting()
    assert staff_client.get(reverse("review-job", args=[uuid4(), job.pk])).status_code == 404
    assert staff_client.get(reverse("review-job-anywhere", args=[job.pk])).headers["Location"] == url_of(job)


def test_the_screen_in_hebrew_is_mirrored(staff_client: Client, make_waiting: MakeWaiting) -> None:
    staff_client.post("/i18n/setlang/", {"language": "he", "next": "/review/"})
    page = staff_client.get(url_of(make_waiting())).content.decode()
    assert '<html lang="he" dir="rtl">' in page
    assert "אישור" in page


def test_the_screen_takes_at_most_15_queries(
    staff_client: Client, make_waiting: MakeWaiting, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    make_label("שכירות")
    labels = [{"slug": "shkyrvth", "name": "שכירות", "existing": True}, {"slug": "n", "name": "n", "existing": False}]
    jobs = [make_waiting(labels=labels) for _ in range(30)]
    JobEvent.objects.create(job=jobs[3], to_state="queued", by="dana")
    with django_assert_max_num_queries(15):
        assert staff_client.get(url_of(jobs[3])).status_code == 200


def test_who_decided_on_another_page_is_not_told_of_somebody_else(
    staff_client: Client, make_waiting: MakeWaiting
) -> None:
    job = make_waiting()
    commit(job.pk, Decision(kind="law", title="Boats"), by="dana", allow_duplicate=False)
    page = staff_client.post(url_of(job), form_of(job)).content.decode()
    assert "You decided this file already, on another page." in page
    assert "Someone else" not in page


def test_trying_again_comes_last_where_the_file_is_to_blame(staff_client: Client, make_waiting: MakeWaiting) -> None:
    for code, is_first in (("encrypted", False), ("storage_error", True)):
        job = make_waiting(status=JobStatus.FAILED, error_code=code, file_key="failed/general/law/a.pdf")
        page = staff_client.get(url_of(job)).content.decode()
        assert (page.index('value="retry"') < page.index('value="discard"')) is is_first
        upload = f"/review/upload/?topic={job.topic_id}&amp;batch={job.batch_id}"
        assert (upload in page and page.index(upload) < page.index('value="retry"')) is not is_first
        hebrew = staff_client.get(url_of(job), headers={"Accept-Language": "he"}).content.decode()
        assert ("שמרו אותו ללא סיסמה והעלו אותו שוב" in hebrew) is not is_first


def test_a_job_without_a_batch_has_a_screen_of_ours(staff_client: Client) -> None:
    job = make_job(
        status=JobStatus.FAILED,
        error_code="storage_error",
        error_message="The store is away.",
        filename="alone.pdf",
        file_key="failed/general/law/alone.pdf",
    )
    JobEvent.objects.create(job=job, from_state="queued", to_state="failed", by="worker", why="storage_error: Away.")
    address = reverse("review-job-anywhere", args=[job.pk])
    page = staff_client.get(address).content.decode()
    assert "alone.pdf" in page
    assert "The store is away." in page
    assert "Away." in page
    assert "the service" in page
    assert "storage_error" not in page
    hebrew = staff_client.get(address, headers={"Accept-Language": "he"}).content.decode()
    assert "מאגר הקבצים נכשל. נסו שוב. <span" in hebrew
    assert "/admin/ingest/" not in page
    assert "The file of this job is gone" in staff_client.post(address, follow=True).content.decode()
    for error_code, uploads in (("encrypted", True), ("storage_error", False)):
        Job.objects.filter(pk=job.pk).update(error_code=error_code)
        page = staff_client.get(address).content.decode()
        assert (f"/review/upload/?topic={job.topic_id}" in page) is uploads


def test_a_failed_job_without_a_batch_can_be_discarded_and_taken_back(staff_client: Client, tmp_path: Path) -> None:
    job = upload_text(tmp_path)
    Job.objects.filter(pk=job.pk).update(status=JobStatus.FAILED, error_code="corrupt", error_message="Damaged.")
    address = reverse("review-job-anywhere", args=[job.pk])
    hebrew = staff_client.get(address, headers={"Accept-Language": "he"}).content.decode()
    assert "נקלט" in hebrew
    assert "accepted" not in hebrew
    page = staff_client.post(address, {"do": "discard"}, follow=True).content.decode()
    assert (Job.objects.get(pk=job.pk).error_code, 'value="discard"' in page) == ("discarded", False)
    assert 'data-key="z"' in page


def test_the_menu_of_staff_tells_how_many_files_await_review(staff_client: Client, make_waiting: MakeWaiting) -> None:
    def told(address: str) -> str:
        found = re.search(r'class="waiting"[^>]*>([^<]*)<', staff_client.get(address).content.decode())
        return found[1] if found else ""

    assert told("/review/") == ""
    make_waiting()
    make_job(status=JobStatus.AWAITING_REVIEW)  # without a batch it is in no queue
    assert [told(path) for path in ("/review/", "/library/", "/documents/", "/admin/")] == ["1"] * 4
    Job.objects.bulk_create(
        [
            Job(topic=first_topic(), status=JobStatus.AWAITING_REVIEW, batch_id=uuid4(), filename="a", kind="law")
            for _ in range(99)
        ]
    )
    assert told("/review/") == "99+"
