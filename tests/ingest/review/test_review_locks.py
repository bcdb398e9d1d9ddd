"""Who has a job open: one at a time, for a while, and never for longer than the page."""

from collections.abc import Callable
from datetime import timedelta
from uuid import UUID

import pytest
from django.db.models import F

from ingest.job_states import JobStatus
from ingest.models import Hold, Job
from ingest.review import review_locks
from ingest.review.listing import EVERYTHING
from ingest.review.queue import jobs_after
from tests.racing import all_done_at_once

MakeWaiting = Callable[..., Job]


def take_next(batch_id: UUID, *, by: str, after: UUID | None = None) -> UUID | None:
    return review_locks.acquire_first_free(jobs_after(batch_id, EVERYTHING, after=after), batch_id=batch_id, by=by)


def ran_out(job: Job) -> None:
    Hold.objects.filter(pk=job.pk).update(since=F("since") - timedelta(hours=1), until=F("until") - timedelta(hours=1))


def test_who_opens_first_has_it_until_it_is_given_back(make_waiting: MakeWaiting) -> None:
    job = make_waiting()
    assert review_locks.acquire(job.pk, by="dana", page="one") is None
    since = Hold.objects.get().since
    against = review_locks.acquire(job.pk, by="avi", page="two")
    assert against is not None
    assert (against.by, against.since) == ("dana", since)
    assert review_locks.acquire(job.pk, by="dana", page="three") is None, "it is renewed, also by another page of hers"
    assert Hold.objects.get().since == since
    review_locks.release(job.pk, by="dana", page="one")
    assert review_locks.held_by_other(job.pk, by="avi") is not None, (
        "a page that was left must not end what a newer one has"
    )
    review_locks.release(job.pk, by="dana", page="three")
    assert review_locks.acquire(job.pk, by="avi", page="two") is None


def test_it_ends_by_itself_and_can_be_taken_over_on_purpose(make_waiting: MakeWaiting) -> None:
    job = make_waiting()
    review_locks.acquire(job.pk, by="dana")
    ran_out(job)
    assert review_locks.held_by_other(job.pk, by="avi") is None
    assert review_locks.acquire(job.pk, by="avi") is None
    assert review_locks.acquire(job.pk, by="dana", over=True) is None
    hold = Hold.objects.get()
    assert hold.by == "dana"
    assert hold.until - hold.since == timedelta(seconds=review_locks.HELD_FOR_S), "whoever takes it has it anew"


def test_the_next_one_is_behind_it_and_nobody_elses(make_waiting: MakeWaiting, batch_id: UUID) -> None:
    first, second, third, fourth = (make_waiting() for _ in range(4))
    make_waiting(status=JobStatus.DONE)
    review_locks.acquire(third.pk, by="avi")
    assert take_next(batch_id, by="dana", after=second.pk) == fourth.pk
    assert take_next(batch_id, by="dana", after=fourth.pk) == first.pk
    assert take_next(batch_id, by="avi") == second.pk
    assert take_next(batch_id, by="noa") is None


@pytest.mark.django_db(transaction=True)
def test_reviewers_who_begin_at_same_instant_get_different_jobs(make_waiting: MakeWaiting, batch_id: UUID) -> None:
    jobs = [make_waiting() for _ in range(4)]
    names = ("dana", "avi", "noa", "tal")
    found = all_done_at_once([lambda by=name: take_next(batch_id, by=by) for name in names])  # type: ignore[misc]
    assert sorted(map(str, found)) == sorted(str(job.pk) for job in jobs)
