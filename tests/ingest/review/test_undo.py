"""One undo for what was done last in review and library, single or many."""

import re
from typing import Any

import pytest
from django.contrib.auth.models import Permission
from django.test import Client
from django.urls import reverse

from ingest.decide.commit import commit
from ingest.decide.reopen import reopen
from ingest.decisions import Decision
from ingest.intake.batches import create_batch
from ingest.job_states import AWAITING_REVIEW, EMBEDDING, FAILED
from ingest.models import Job, Similar
from ingest.review import undo as undoing
from ingest.stages.run import run_job
from sources.models import Source, TrashedSource
from tests.factories import LAW, first_topic, make_source

pytestmark = pytest.mark.django_db(transaction=True)
ACT = re.compile(r'name="act" value="(\w+)"')


@pytest.fixture
def jobs() -> list[Job]:
    """Three different files of one batch that await review."""
    files = [(f"{name}.txt", [f"{name}\n{LAW}".encode()]) for name in ("alef", "bet", "gimel")]
    taken = create_batch(files, topic=first_topic(), by="dana")
    for job in taken.jobs:
        run_job(job.pk)
    Similar.objects.all().delete()
    return list(Job.objects.order_by("created_at"))


def page_of(client: Client, job: Job) -> str:
    return client.get(reverse("review-job", args=[job.batch_id, job.pk])).content.decode()


def send(client: Client, job: Job, **sent: str) -> str:
    return client.post(
        reverse("review-job", args=[job.batch_id, job.pk]) + "?q=txt", sent, follow=True
    ).content.decode()


def act_on(client: Client, action: str, jobs: list[Job]) -> str:
    sent = {"action": action, "sure": "1", "jobs": [job.pk for job in jobs]}
    return client.post(reverse("review-act", args=[jobs[0].batch_id]), sent, follow=True).content.decode()


def undo(client: Client, page: str) -> str:
    """Press the button on the page."""
    found = ACT.search(page)
    assert found, "there is nothing to undo"
    return client.post(reverse("undo"), {"act": found[1]}, follow=True).content.decode()


def states(jobs: list[Job]) -> list[object]:
    return [Job.objects.get(pk=job.pk).state for job in jobs]


def test_last_is_undone_first_then_one_before_single_or_many(staff_client: Client, jobs: list[Job]) -> None:
    page = send(staff_client, jobs[0], kind="law", title="Confirmed by mistake", do="confirm")
    assert "Confirmed: <bdi>Confirmed by mistake</bdi>" in page
    page = act_on(staff_client, "discard", jobs[1:])
    assert "2 files were discarded." in page
    assert states(jobs) == [EMBEDDING, FAILED, FAILED]
    [other] = create_batch([("dalet.txt", [LAW.encode()])], topic=first_topic(), by="dana").jobs
    assert not ACT.search(page_of(staff_client, other))  # another batch
    page = undo(staff_client, page)
    assert "Undone: 2 files were taken back." in page
    assert states(jobs) == [EMBEDDING, AWAITING_REVIEW, AWAITING_REVIEW]
    page = undo(staff_client, page)
    assert "Undone: 1 file awaits review again." in page
    assert "<h1><bdi>alef.txt</bdi></h1>" in page
    assert "Confirmed by mistake</textarea>" in page
    assert states(jobs) == [AWAITING_REVIEW] * 3
    assert not ACT.search(page)


def test_many_that_were_confirmed_and_indexed_are_taken_back(staff_client: Client, jobs: list[Job]) -> None:
    page = act_on(staff_client, "confirm", jobs)
    assert "3 files were confirmed." in page
    for job in jobs[:2]:
        run_job(job.pk)
    assert Source.objects.count() == 2
    undo(staff_client, page)
    assert states(jobs) == [AWAITING_REVIEW] * 3
    assert not Source.objects.exists()


def test_what_another_decided_since_is_left_and_told(staff_client: Client, jobs: list[Job]) -> None:
    page = act_on(staff_client, "discard", jobs[:2])
    reopen(jobs[0].pk, by="avi")
    commit(jobs[0].pk, Decision(kind="law", title="By avi"), by="avi", allow_duplicate=False)
    page = undo(staff_client, page)
    assert "<bdi>alef.txt</bdi>: avi has decided it since." in page
    assert states(jobs[:2]) == [EMBEDDING, AWAITING_REVIEW]


def test_an_act_is_undone_once_and_not_when_it_is_old(
    staff_client: Client, jobs: list[Job], monkeypatch: pytest.MonkeyPatch
) -> None:
    page = send(staff_client, jobs[0], do="discard")
    undo(staff_client, page)
    assert "That was undone already" in undo(staff_client, page)
    page = send(staff_client, jobs[0], do="discard")
    assert ACT.search(page_of(staff_client, jobs[1]))
    later = undoing.time.time() + 601
    monkeypatch.setattr(undoing.time, "time", lambda: later)
    assert not ACT.search(page_of(staff_client, jobs[1]))


def test_sources_that_were_deleted_in_the_library_are_put_back(staff_client: Client, settings: Any) -> None:
    one, two, three = (make_source(title=title) for title in ("Boats", "Ports", "Piers"))
    page = staff_client.post(reverse("library-source-delete", args=[one.pk]), follow=True).content.decode()
    assert "Deleted: <bdi>Boats</bdi>" in page
    sent = {"action": "delete", "sources": [two.pk, three.pk]}
    asked = staff_client.post(reverse("library-act"), sent).content.decode()
    (work,) = re.findall(r'name="work" value="([^"]+)"', asked)
    page = staff_client.post(reverse("library-act-on"), {"work": work}, follow=True).content.decode()
    assert page.count("2 sources were deleted.</p>") == 1
    page = undo(staff_client, page)
    assert "Undone: 2 sources were put back." in page
    assert TrashedSource.objects.get().pk == one.pk
    assert "<h1><bdi>Boats</bdi></h1>" in undo(staff_client, staff_client.get(reverse("library")).content.decode())
    settings.KB_TRASH_DAYS = 0
    page = staff_client.post(reverse("library-source-delete", args=[one.pk]), follow=True).content.decode()
    assert "Deleted: <bdi>Boats</bdi>" in page
    assert not ACT.search(page)


def test_who_may_not_delete_may_not_put_back_nor_is_offered_it(
    staff_client: Client, staff: Any, jobs: list[Job]
) -> None:
    source = make_source(title="Boats")
    page = staff_client.post(reverse("library-source-delete", args=[source.pk]), follow=True).content.decode()
    staff.groups.clear()
    staff.user_permissions.set(Permission.objects.filter(codename__in=["view_job", "view_source"]))
    assert not ACT.search(staff_client.get(reverse("library")).content.decode())
    assert staff_client.post(reverse("undo"), {"act": ACT.search(page)[1]}).status_code == 403  # type: ignore[index]
    assert not Source.objects.exists()
