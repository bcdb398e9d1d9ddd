"""The table of a batch: filters, live changes, and deciding many at once."""

from collections.abc import Callable
from uuid import UUID, uuid4

from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from ingest.job_states import JobStatus, Transition
from ingest.jobs.transitions import record_accepted, transition
from ingest.models import Draft, Job, JobEvent
from ingest.review import review_locks
from ingest.review.batch_table import ROWS_A_PAGE
from labels.models import Label
from tests.factories import decision_of, make_label

MakeWaiting = Callable[..., Job]
HTMX = {"HX-Request": "true"}


def url_of(batch_id: UUID) -> str:
    return reverse("review-batch", args=[batch_id])


def act(staff_client: Client, batch_id: UUID, action: str, jobs: list[Job], **more: object) -> str:
    sent = {"action": action, "jobs": [str(job.pk) for job in jobs], **more}
    answer = staff_client.post(reverse("review-act", args=[batch_id]), sent, follow=True)
    assert answer.status_code == 200
    return answer.content.decode()


def test_the_table_shows_every_job_with_its_proposal_and_its_warnings(
    staff_client: Client, make_waiting: MakeWaiting, batch_id: UUID
) -> None:
    job = make_waiting(filename="א.pdf", file_key="inbox/x", warnings=["Page 2 was read by OCR; check numbers."])
    page = staff_client.get(url_of(batch_id)).content.decode()
    assert "חוק הספריות הציבוריות לדוגמה" in page
    assert f"/admin/kb/jobs/{job.pk}/pages/1.png" in page
    for warning in ("Read by OCR", "No summary", "No evidence for a field"):
        assert f">{warning}</span>" in page


def test_a_date_is_shown_as_everywhere(staff_client: Client, make_waiting: MakeWaiting, batch_id: UUID) -> None:
    make_waiting(published_at="2024-03-12")
    assert '<td class="date"><bdi>12 Mar 2024</bdi></td>' in staff_client.get(url_of(batch_id)).content.decode()


def test_filters_leave_what_fits(staff_client: Client, make_waiting: MakeWaiting, batch_id: UUID) -> None:
    waiting = make_waiting(filename="waits.txt", summary="x" * 90)
    failed = make_waiting(filename="broken.txt", status=JobStatus.FAILED, error_code="corrupt")
    page = staff_client.get(url_of(batch_id), {"status": "failed"}).content.decode()
    assert (str(failed.pk) in page, f"job-{waiting.pk}" in page) == (True, False)
    page = staff_client.get(url_of(batch_id), {"warning": "no_evidence"}).content.decode()
    assert (f"job-{failed.pk}" in page, f"job-{waiting.pk}" in page) == (False, True)
    assert "No file fits" in staff_client.get(url_of(batch_id), {"status": "nonsense"}).content.decode()


def test_only_what_moved_is_sent_again(staff_client: Client, make_waiting: MakeWaiting, batch_id: UUID) -> None:
    first, second = make_waiting(), make_waiting(status=JobStatus.QUEUED)
    event = JobEvent.objects.create(job=first, from_state="x", to_state="y", by="worker")
    assert f"since={event.pk}" in staff_client.get(url_of(batch_id)).content.decode()
    transition(second.pk, Transition.START_CLASSIFYING, by="worker")
    answer = staff_client.get(url_of(batch_id), {"since": event.pk}, headers=HTMX)
    piece = answer.content.decode()
    assert f'id="job-{second.pk}" hx-swap-oob="true"' in piece
    assert f"job-{first.pk}" not in piece
    assert "HX-Trigger" not in answer.headers
    arrived = make_waiting()
    record_accepted(arrived, by="dana")
    answer = staff_client.get(url_of(batch_id), {"since": event.pk}, headers=HTMX)
    assert "kb:arrived" in answer.headers["HX-Trigger"]


def test_confirming_many_says_first_what_it_will_do(
    staff_client: Client, make_waiting: MakeWaiting, batch_id: UUID
) -> None:
    make_label("שכירות")
    labels = [
        {"slug": "shkyrvth", "name": "שכירות", "existing": True},
        {"slug": "brand-new", "name": "Brand new", "existing": False},
    ]
    jobs = [make_waiting(labels=labels), make_waiting(kind="circular"), make_waiting(title="", filename="untitled.txt")]
    asked = staff_client.post(
        reverse("review-act", args=[batch_id]),
        {"action": "confirm", "jobs": [str(job.pk) for job in jobs]},
        headers=HTMX,
    ).content.decode()
    assert "<html" not in asked
    assert "Confirm 2 files as proposed?" in asked
    assert "שכירות" in asked
    assert 'name="new_labels" value="name:Brand new"' in asked
    assert "<bdi>untitled.txt</bdi>: It has no title yet." in asked
    assert not Job.objects.filter(confirmed__isnull=False).exists()

    page = act(staff_client, batch_id, "confirm", jobs, sure="1", new_labels=["name:Brand new"])
    assert "2 files were confirmed." in page
    assert "<bdi>untitled.txt</bdi>: It has no title yet." in page
    jobs[0].refresh_from_db()
    assert [label["name"] for label in decision_of(jobs[0])["labels"]] == ["שכירות", "Brand new"]
    assert Label.objects.filter(slug="brand-new").exists()


def test_one_that_was_decided_meanwhile_does_not_stop_others(
    staff_client: Client, make_waiting: MakeWaiting, batch_id: UUID
) -> None:
    jobs = [make_waiting(status=JobStatus.DONE, filename="decided.txt"), make_waiting()]
    page = act(staff_client, batch_id, "confirm", jobs, sure="1")
    assert "Confirmed: <bdi>" in page
    assert "<bdi>decided.txt</bdi>: It does not await review." in page


def test_kind_and_label_are_set_for_many_and_the_proposal_stays(
    staff_client: Client, make_waiting: MakeWaiting, batch_id: UUID
) -> None:
    jobs = [make_waiting(), make_waiting()]
    assert "2 files: done." in act(staff_client, batch_id, "kind", jobs, kind="circular")
    assert "2 files: done." in act(staff_client, batch_id, "label", jobs, label="הגנת הצרכן")
    act(staff_client, batch_id, "label", jobs, label="הגנת  הצרכן")
    assert [draft.labels for draft in Draft.objects.all()] == [["הגנת הצרכן"]] * 2
    page = staff_client.get(reverse("review-job", args=[batch_id, jobs[0].pk])).content.decode()
    assert 'value="circular" checked' in page
    assert "Set for many by dana" in page
    assert 'value="name:הגנת הצרכן" checked' in page
    act(staff_client, batch_id, "confirm", jobs, sure="1")
    for job in jobs:
        job.refresh_from_db()
        assert (decision_of(job)["kind"], job.ai_suggestions["kind"]) == ("circular", "law")
        assert [label["name"] for label in decision_of(job)["labels"]] == ["הגנת הצרכן"]
    assert "It is decided already." in act(staff_client, batch_id, "kind", jobs, kind="law")


def test_discarding_many_asks_first(staff_client: Client, make_waiting: MakeWaiting, batch_id: UUID) -> None:
    jobs = [make_waiting() for _ in range(26)]
    assert "Discard 26 files?" in act(staff_client, batch_id, "discard", jobs)
    assert Job.objects.filter(status=JobStatus.FAILED).count() == 0
    act(staff_client, batch_id, "discard", jobs, sure="1")
    assert Job.objects.filter(error_code="discarded").count() == 26
    assert "Discarded" in staff_client.get(url_of(batch_id)).content.decode()


def test_nothing_happens_without_a_selection_or_with_nonsense(
    staff_client: Client, make_waiting: MakeWaiting, batch_id: UUID
) -> None:
    job = make_waiting()
    assert "No files were selected." in act(staff_client, batch_id, "confirm", [])
    assert "nothing was changed" in act(staff_client, batch_id, "explode", [job])
    assert "Choose a kind or a label first." in act(staff_client, batch_id, "kind", [job])
    assert staff_client.get(url_of(uuid4())).status_code == 404


def test_start_opens_the_first_that_waits(staff_client: Client, make_waiting: MakeWaiting, batch_id: UUID) -> None:
    make_waiting(status=JobStatus.DONE)
    job = make_waiting()
    make_waiting()
    url = reverse("review-start", args=[batch_id])
    assert staff_client.get(url).headers["Location"] == reverse("review-job", args=[batch_id, job.pk])


def test_what_others_have_open_is_skipped(staff_client: Client, make_waiting: MakeWaiting, batch_id: UUID) -> None:
    start = reverse("review-start", args=[batch_id])
    first, second, third = jobs = [make_waiting(filename=f"{number}.txt") for number in range(3)]
    review_locks.acquire(first.pk, by="avi")
    url = reverse("review-job", args=[batch_id, second.pk])
    assert staff_client.get(start).headers["Location"] == url
    assert staff_client.get(start, {"after": str(third.pk)}).headers["Location"] == url
    assert staff_client.get(start, {"after": "nonsense"}).headers["Location"] == url
    assert "<bdi>avi</bdi> has it open." in staff_client.get(url_of(batch_id)).content.decode()
    asked = act(staff_client, batch_id, "confirm", jobs)
    assert "Confirm 2 files as proposed?" in asked
    assert "<bdi>0.txt</bdi>: avi has it open." in asked
    page = act(staff_client, batch_id, "discard", jobs, sure="1")
    assert "2 files were discarded." in page
    assert "<bdi>0.txt</bdi>: avi has it open." in page
    page = staff_client.get(start, follow=True).content.decode()
    assert "What still awaits review is open with: <bdi>avi</bdi>" in page


def test_many_are_classified_again_and_all_failed_by_one_button(
    staff_client: Client, make_waiting: MakeWaiting, batch_id: UUID
) -> None:
    key = default_storage.save("inbox/x/law.txt", ContentFile(b"1. x"))
    done, chosen = make_waiting(status=JobStatus.DONE, filename="done.txt"), make_waiting(file_key=key)
    failed = make_waiting(file_key=key, ai_suggestions={}, error_code="classifier_failed", error_message="No answer.")
    assert "1 not classified" in staff_client.get("/review/").content.decode()
    page = staff_client.get(url_of(batch_id)).content.decode()
    assert "1 file could not be classified." in page
    assert "No answer.</span>" in page
    page = act(staff_client, batch_id, "classify", [done, chosen])
    assert "1 file: done." in page
    assert "<bdi>done.txt</bdi>: The job is done" in page
    page = act(staff_client, batch_id, "classify", [], unclassified="1")
    assert "could not be classified" not in page
    assert {job.status for job in Job.objects.filter(pk__in=[chosen.pk, failed.pk])} == {JobStatus.QUEUED}


def test_the_screen_of_500_jobs_takes_at_most_15_queries(
    staff_client: Client,
    make_waiting: MakeWaiting,
    batch_id: UUID,
    django_assert_max_num_queries: DjangoAssertNumQueries,
) -> None:
    make_label("שכירות")
    labels = [{"slug": "shkyrvth", "name": "שכירות", "existing": True}]
    job = make_waiting(labels=labels)
    copies = [
        Job(batch_id=batch_id, topic=job.topic, kind="law", status=job.status, ai_suggestions=job.ai_suggestions)
        for _ in range(499)
    ]
    Job.objects.bulk_create(copies)
    with django_assert_max_num_queries(15):
        page = staff_client.get(url_of(batch_id)).content.decode()
    assert page.count('<tr id="job-') == ROWS_A_PAGE
    assert 'name="found" value="1" data-all data-found="500"' in page
    with django_assert_max_num_queries(15):
        staff_client.get(url_of(batch_id), {"since": "0"}, headers=HTMX)


def test_names_that_look_like_markup_are_only_text(
    staff_client: Client, make_waiting: MakeWaiting, batch_id: UUID
) -> None:
    make_label("<u>label</u>")
    labels = [{"slug": "u-label-u", "name": "x", "existing": True}]
    job = make_waiting(filename='<b>"x".txt', title="<i>title", labels=labels, warnings=["<s>odd"])
    page = staff_client.get(url_of(batch_id)).content.decode()
    assert "<bdi>&lt;b&gt;&quot;x&quot;.txt</bdi>" in page
    assert "<bdi>&lt;i&gt;title</bdi>" in page
    assert "&lt;u&gt;label&lt;/u&gt;" in page
    assert 'title="&lt;s&gt;odd"' in page
    page = staff_client.get(reverse("review-job", args=[batch_id, job.pk])).content.decode()
    assert not any(tag in page for tag in ("<b>", "<i>", "<u>", "<s>"))


def test_why_file_was_left_out_is_said_in_the_readers_language(
    staff_client: Client, make_waiting: MakeWaiting, batch_id: UUID
) -> None:
    done = make_waiting(status=JobStatus.DONE, filename="done.txt")
    staff_client.cookies["django_language"] = "he"
    page = act(staff_client, batch_id, "discard", [done], sure="1")
    assert "<bdi>done.txt</bdi>: מצב הקובץ עכשיו: הושלם" in page


def test_duplicates_are_left_out_of_confirming_many(
    staff_client: Client, make_waiting: MakeWaiting, batch_id: UUID
) -> None:
    jobs = [make_waiting(), make_waiting(filename="twin.txt", allow_duplicate=True, duplicate_of={"source_id": 1})]
    asked = act(staff_client, batch_id, "confirm", jobs)
    assert "Confirm 1 file as proposed?" in asked
    assert "<bdi>twin.txt</bdi>: The same file is already here: decide it on its own page." in asked
    act(staff_client, batch_id, "confirm", jobs, sure="1")
    assert [job.filename for job in Job.objects.filter(confirmed__isnull=True)] == ["twin.txt"]


def test_a_replaced_file_has_no_broken_picture(staff_client: Client, make_waiting: MakeWaiting, batch_id: UUID) -> None:
    here = make_waiting(filename="here.pdf", file_key="inbox/general/law/here.pdf")
    gone = make_waiting(filename="gone.pdf", status=JobStatus.DONE, file_key="")
    page = staff_client.get(url_of(batch_id)).content.decode()
    assert f"/admin/kb/jobs/{here.pk}/pages/1.png" in page
    assert f"/admin/kb/jobs/{gone.pk}/pages/1.png" not in page
