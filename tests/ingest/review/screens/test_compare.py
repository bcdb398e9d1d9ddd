"""What a reviewer is told and asked of a document that is nearly the same as one that is here."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.test import Client
from django.urls import reverse

from ingest.models import Job, Similar
from kb_project.configuration.roles import REVIEWER
from sources.models import Source
from tests.factories import decision_of, make_staff, make_topic
from tests.ingest.review.screens.test_job import form_of, url_of
from tests.ingest.similar.texts import ENGLISH, HEBREW
from tests.search.corpus import add_document

MakeWaiting = Callable[..., Job]


@pytest.fixture
def here(db: None) -> Source:
    return add_document(HEBREW, title='חוק גינות הקהילה, <b>התשפ"ו', identifier="ס-1", kind="law")


@pytest.fixture
def job(here: Source, make_waiting: MakeWaiting) -> Job:
    """One that is nearly the same as a source."""
    key = "inbox/general/law/new-law.txt"
    default_storage.delete(key)
    default_storage.save(key, ContentFile(HEBREW.replace("עשרה שקלים", "עשרים שקלים").encode()))
    made = make_waiting(file_key=key, filename="new-law.txt", title="חוק הגינות")
    Similar.objects.create(job=made, source=here, similarity=0.9634)
    return made


def test_form_names_it_and_takes_no_decision_without_a_choice(staff_client: Client, job: Job, here: Source) -> None:
    page = staff_client.get(url_of(job)).content.decode()
    assert "חוק גינות הקהילה, &lt;b&gt;" in page
    assert "<bdi>96%</bdi>" in page
    assert "Title, Identifier, Text" in page
    refused = staff_client.post(url_of(job), form_of(job))
    assert refused.status_code == 409
    assert 'aria-describedby="similar-errors"' in refused.content.decode()
    assert staff_client.post(url_of(job), form_of(job, similar="other")).status_code == 400
    assert staff_client.post(url_of(job), form_of(job, similar="replaces:99999")).status_code == 400
    elsewhere = add_document(HEBREW, topic=make_topic(), title="x")
    assert staff_client.post(url_of(job), form_of(job, similar=f"replaces:{elsewhere.pk}")).status_code == 400
    job.refresh_from_db()
    assert job.confirmed is None


def test_both_stay_or_one_replaces_the_other_as_the_person_says(
    staff_client: Client, job: Job, here: Source, make_waiting: MakeWaiting
) -> None:
    assert staff_client.post(url_of(job), form_of(job, similar="another")).status_code == 302
    assert "replaces" not in decision_of(Job.objects.get(pk=job.pk))
    assert f"though nearly the same as source_id {here.pk}" in job.events.get().why
    second = make_waiting()
    Similar.objects.create(job=second, source=here, similarity=1)
    assert staff_client.post(url_of(second), form_of(second, similar=f"replaces:{here.pk}")).status_code == 302
    assert decision_of(Job.objects.get(pk=second.pk))["replaces"] == here.pk


def test_it_may_be_a_new_version_of_the_other(client: Client, job: Job, here: Source) -> None:
    client.force_login(make_staff("noa", role=REVIEWER))
    assert f'value="version_of:{here.pk}" data-key="v"' in client.get(url_of(job)).content.decode()
    undated = client.post(url_of(job), form_of(job, similar=f"version_of:{here.pk}"))
    assert undated.status_code == 400
    assert 'id="valid_from-errors"' in undated.content.decode()
    day = {"similar": f"version_of:{here.pk}", "valid_from": "2024-01-01"}
    assert client.post(url_of(job), form_of(job, **day)).status_code == 302
    decided = decision_of(Job.objects.get(pk=job.pk))
    assert (decided["version_of"], decided["valid_from"]) == (here.pk, "2024-01-01")
    assert f"another version of source_id {here.pk}" in job.events.get().why


def test_who_may_not_delete_a_source_cannot_replace_one(client: Client, job: Job, here: Source) -> None:
    client.force_login(make_staff("noa", role=REVIEWER))
    page = client.get(url_of(job)).content.decode()
    assert f'value="replaces:{here.pk}" disabled' in page
    assert client.post(url_of(job), form_of(job, similar=f"replaces:{here.pk}")).status_code == 403
    job.refresh_from_db()
    assert job.confirmed is None
    assert client.post(url_of(job), form_of(job, similar="another")).status_code == 302


def test_a_batch_is_filtered_by_it_and_confirming_many_leaves_it_out(
    staff_client: Client, job: Job, make_waiting: MakeWaiting, batch_id: UUID
) -> None:
    plain = make_waiting(filename="plain.txt")
    batch = reverse("review-batch", args=[batch_id])
    page = staff_client.get(batch, {"warning": "similar"}).content.decode()
    assert "new-law.txt" in page
    assert "plain.txt" not in page
    assert '<option value="similar" selected>Nearly the same document (1)</option>' in page
    act = reverse("review-act", args=[batch_id])
    sent: dict[str, Any] = {"action": "confirm", "jobs": [job.pk, plain.pk]}
    asked = staff_client.post(act, sent).content.decode()
    assert "<bdi>new-law.txt</bdi>: Nearly the same document is here: decide it on its own page." in asked
    staff_client.post(act, sent | {"sure": "1"})
    assert list(Job.objects.filter(confirmed__isnull=True)) == [job]


def test_both_texts_are_shown_side_by_side_with_what_differs_marked(
    staff_client: Client, job: Job, here: Source, make_waiting: MakeWaiting
) -> None:
    row = job.similar.get()
    address = reverse("review-similar", args=[job.batch_id, job.pk, row.pk])
    assert address in staff_client.get(url_of(job)).content.decode()
    page = staff_client.get(address).content.decode()
    assert "<mark>עשרה</mark>" in page
    assert "<mark>עשרים</mark>" in page
    assert page.count("<mark>") == 2
    assert "paragraphs are the same" in page
    assert "&lt;b&gt;" in page
    other = make_waiting(file_key="inbox/gone.txt", filename="gone.txt")
    between_jobs = Similar.objects.create(job=job, other=other, similarity=0.8)
    gone = reverse("review-similar", args=[job.batch_id, job.pk, between_jobs.pk])
    assert "The file is not there any more." in staff_client.get(gone).content.decode()
    here.delete()
    assert staff_client.get(address).headers["Location"] == url_of(job)
    assert staff_client.get(reverse("review-similar", args=[job.batch_id, job.pk, 2**70])).status_code == 302


def test_a_document_in_english_is_told_apart_in_hebrew_too(staff_client: Client, make_waiting: MakeWaiting) -> None:
    source, job = add_document(ENGLISH, title="Rooftop Beehives Act 2026"), make_waiting()
    Similar.objects.create(job=job, source=source, similarity=0.5)
    staff_client.cookies["django_language"] = "he"
    assert "<bdi>50%</bdi>" in staff_client.get(url_of(job)).content.decode()
