"""The first steps: which are done, and the example that comes and goes at once."""

import pytest
from django.test import Client
from django.urls import reverse

from ingest.intake import demo
from ingest.job_states import JobStatus
from ingest.models import Job
from sources.models import Source, TrashedSource
from tests.factories import make_job, make_source

pytestmark = pytest.mark.django_db


def done(client: Client) -> list[bool]:
    return [step.is_done for step in client.get(reverse("welcome")).context["steps"]]


def test_steps_are_done_by_documents_of_ones_own(staff_client: Client) -> None:
    assert done(staff_client) == [True, False, False, False]
    job = make_job(status=JobStatus.AWAITING_REVIEW, confirmed=None)
    assert done(staff_client) == [True, True, False, False]
    assert "1 file awaits review." in staff_client.get(reverse("welcome")).content.decode()
    Job.objects.filter(pk=job.pk).update(status=JobStatus.DONE, source=make_source())
    answer = staff_client.get(reverse("welcome"))
    assert [step.is_done for step in answer.context["steps"]] == [True, True, True, False]
    assert answer.context["now"].way == reverse("home")


def test_the_example_comes_goes_and_comes_back(staff_client: Client) -> None:
    staff_client.post(reverse("welcome-example"))
    jobs = list(Job.objects.all())
    assert len(jobs) == len(demo.manifest()) == staff_client.get(reverse("welcome")).context["coming"]
    kept = make_source(title="Of our own")
    example = make_source(content_sha256=jobs[-1].content_sha256)
    Job.objects.filter(pk=jobs[-1].pk).update(status=JobStatus.DONE, source=example)
    assert staff_client.get(reverse("welcome")).context["examples"] == 1
    assert done(staff_client)[1:] == [False, True, False]
    answer = staff_client.post(reverse("welcome-example-remove"), follow=True)
    assert answer.context["examples"] == 0
    assert list(Source.objects.all()) == [kept]
    assert TrashedSource.objects.count() == 1
    assert 'data-key="z"' in answer.content.decode()


def test_home_leads_there_who_may_upload_and_nobody_else(staff_client: Client) -> None:
    assert reverse("welcome") in staff_client.get("/").content.decode()
    assert reverse("welcome") not in Client().get("/").content.decode()
