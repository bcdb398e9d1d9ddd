"""The list of batches: what needs a person first, and why files could not be read."""

from collections.abc import Callable
from datetime import timedelta
from uuid import UUID, uuid4

from django.test import Client
from django.utils.timezone import now
from pytest_django import DjangoAssertNumQueries

from ingest.job_states import JobStatus
from ingest.jobs.transitions import record_accepted
from ingest.models import Job
from tests.factories import make_job, make_topic

MakeWaiting = Callable[..., Job]
HTMX = {"HX-Request": "true"}


def test_what_needs_a_person_comes_first_and_can_be_filtered(staff_client: Client, make_waiting: MakeWaiting) -> None:
    old = make_waiting(topic=make_topic(name="Consumer law"))
    young = make_job(batch_id=uuid4(), status=JobStatus.AWAITING_REVIEW)
    done = make_job(batch_id=uuid4(), status=JobStatus.DONE)
    Job.objects.filter(pk=old.pk).update(created_at=now() - timedelta(days=2))

    def shown(**query: str | int) -> list[UUID | None]:
        page = staff_client.get("/review/", query).content.decode()
        jobs = [job for job in (old, young, done) if f"/review/{job.batch_id}/" in page]
        return [job.batch_id for job in sorted(jobs, key=lambda job: page.index(f"/review/{job.batch_id}/"))]

    assert shown() == [old.batch_id, young.batch_id, done.batch_id]
    assert shown(state="awaiting_review") == [old.batch_id, young.batch_id]
    assert shown(state="done") == [done.batch_id]
    assert shown(topic=old.topic_id) == [old.batch_id]
    assert shown(topic="nonsense", state="nonsense") == shown()


def test_batches_that_need_a_person_come_first(staff_client: Client, make_waiting: MakeWaiting) -> None:
    waiting = make_waiting(topic=make_topic(name="Consumer law"))
    record_accepted(waiting, by="avi")
    newer = make_job(batch_id=uuid4(), status=JobStatus.DONE)
    page = staff_client.get("/review/").content.decode()
    assert page.index(str(waiting.batch_id)) < page.index(str(newer.batch_id))
    assert "Consumer law" in page
    assert "<bdi>avi</bdi>" in page
    assert "1 to review" in page
    assert "every 2s" not in page


def test_the_list_asks_again_while_anything_moves(staff_client: Client) -> None:
    make_job(batch_id=uuid4(), confirmed=None)
    assert "every 2s" in staff_client.get("/review/").content.decode()
    piece = staff_client.get("/review/", headers=HTMX).content.decode()
    assert "<html" not in piece
    assert "every 2s" in piece


def test_single_uploads_are_no_batch(staff_client: Client) -> None:
    make_job()
    assert "There are no batches yet" in staff_client.get("/review/").content.decode()


def test_the_list_of_batches_takes_at_most_15_queries(
    staff_client: Client, django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for _ in range(60):
        record_accepted(make_job(batch_id=uuid4()), by="dana")
    with django_assert_max_num_queries(15):
        assert staff_client.get("/review/").status_code == 200


def test_the_list_says_how_many_need_a_decision_and_why_others_could_not_be_read(
    staff_client: Client, make_waiting: MakeWaiting
) -> None:
    message = "The PDF is protected by a password."
    assert 'class="lede"' not in staff_client.get("/review/").content.decode()
    locked = make_job(
        batch_id=uuid4(), status=JobStatus.FAILED, filename="locked.pdf", error_code="encrypted", error_message=message
    )
    page = staff_client.get("/review/").content.decode()
    assert "Nothing needs a decision. One could not be read." in page
    assert f'href="/review/jobs/{locked.pk}/"' in page
    assert message in page
    old, young = make_waiting(), make_job(batch_id=uuid4(), status=JobStatus.AWAITING_REVIEW)
    Job.objects.filter(pk=young.pk).update(created_at=now() + timedelta(days=1))
    page = staff_client.get("/review/").content.decode()
    assert "2 files need a decision." in page
    assert f'class="button primary" href="/review/{old.batch_id}/start/"' in page
