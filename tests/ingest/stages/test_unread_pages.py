"""Which pages are not read is said before a person confirms, and wherever the document is shown afterwards."""

from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from ingest.decide.commit import commit
from ingest.decisions import Decision
from ingest.documents.reindex import reindex
from ingest.intake.batches import create_batch
from ingest.models import Job
from ingest.stages.run import run_job
from sources.models import Source
from tests.extraction.pdf.making import damage_page, english_pdf
from tests.factories import LAW, first_topic, upload_text
from tests.topics.keys import client_with_key

pytestmark = pytest.mark.django_db(transaction=True)

UNREAD = "Pages that were not read, or not in full: 4."
HEAD = "Only the first 3 of 5 pages were read for the proposal."
UNKNOWN = "Whether every page was read is not known"


def proposed(path: Path) -> Job:
    """The job of a batch with this file, classified."""
    taken = create_batch([(path.name, [path.read_bytes()])], topic=first_topic(), by="dana")
    job = run_job(taken.jobs[0].pk)
    assert job is not None
    return job


def confirmed(job: Job) -> Source:
    """The source of the job, confirmed."""
    commit(job.pk, Decision(kind="law", title="Harbour Rules"), by="dana", allow_duplicate=False)
    done = run_job(job.pk)
    assert done is not None
    assert done.source is not None
    return done.source


def test_it_is_said_in_batch_review_library_reading_page_and_api(staff_client: Client, tmp_path: Path) -> None:
    texts = [f"Rule {number}. A vessel carries {number} lamps at night." for number in range(1, 6)]
    job = proposed(damage_page(english_pdf(tmp_path / "rules.pdf", *texts), 4))
    assert (job.status, job.unread_pages) == ("awaiting_review", [4])
    batch = staff_client.get(reverse("review-batch", args=[job.batch_id])).content.decode()
    assert f'<span class="warning" title="{UNREAD}">Pages not read</span>' in batch
    assert f'<span class="warning mild" title="{HEAD}">Only the beginning was read</span>' in batch
    screen = staff_client.get(reverse("review-job", args=[job.batch_id, job.pk])).content.decode()
    assert UNREAD in screen
    assert HEAD in screen
    api = client_with_key(admin=True)
    assert api.get(f"/admin/kb/jobs/{job.pk}").json()["unread_pages"] == [4]

    source = confirmed(job)
    assert (source.unread_pages, source.warnings) == ([4], ["Page 4 is damaged and was not read."])
    job.refresh_from_db()
    assert (job.unread_pages, job.warnings) == ([4], source.warnings)
    for path in (f"/admin/kb/sources/{source.pk}", f"/kb/sources/{source.pk}"):
        assert api.get(path).json()["unread_pages"] == [4]
    for path in (f"/documents/{source.pk}/", f"/library/{source.pk}/", "/library/", "/library/?check=unread"):
        assert UNREAD in staff_client.get(path).content.decode()
    assert UNREAD not in staff_client.get("/library/?check=unknown").content.decode()


def test_of_an_older_source_it_is_not_known_until_it_is_indexed_again(staff_client: Client, tmp_path: Path) -> None:
    source = confirmed(proposed(english_pdf(tmp_path / "rules.pdf", "Rule 1. A vessel carries two lamps at night.")))
    assert source.unread_pages == []
    for path in (f"/documents/{source.pk}/", f"/library/{source.pk}/"):
        assert UNKNOWN not in staff_client.get(path).content.decode()
    Source.objects.update(unread_pages=None)
    assert client_with_key(admin=True).get(f"/kb/sources/{source.pk}").json()["unread_pages"] is None
    for path in (f"/documents/{source.pk}/", f"/library/{source.pk}/"):
        assert UNKNOWN in staff_client.get(path).content.decode()
    assert "Harbour Rules" in staff_client.get("/library/?check=unknown").content.decode()
    run_job(reindex(source.pk, by="dana").pk)
    source.refresh_from_db()
    assert source.unread_pages == []


def test_a_format_without_pages_has_none_that_are_unread(tmp_path: Path) -> None:
    job = upload_text(tmp_path, LAW * 30)
    Job.objects.filter(pk=job.pk).update(confirmed=None)
    found = run_job(job.pk)
    assert found is not None
    assert (found.unread_pages, found.warnings) == ([], ["Only the beginning of the text was read for the proposal."])
