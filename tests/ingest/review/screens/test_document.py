"""The document beside the form: pages with marks, and the text as it was read."""

from pathlib import Path
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from fpdf import FPDF

from ingest.intake.batches import create_batch
from ingest.models import Job
from ingest.review.screens.job import text_runs
from tests.factories import LAW, first_topic

pytestmark = pytest.mark.django_db

DEMO_PDF = Path(__file__).resolve().parents[4] / "ingest" / "demo" / "hok-pikdonot-skhirut.pdf"


def taken_in(filename: str, content: bytes, **evidence: dict[str, Any]) -> Job:
    (job,) = create_batch([(filename, [content])], topic=first_topic(), by="dana").jobs
    job.ai_suggestions = {"title": "t", "evidence": evidence}
    job.save()
    return job


def piece(client: Client, name: str, job: Job) -> str:
    answer = client.get(reverse(name, args=[job.batch_id, job.pk]))
    assert answer.status_code == 200
    return answer.content.decode()


def test_pages_of_pdf_come_with_marks_where_quoted_words_stand(staff_client: Client) -> None:
    job = taken_in("law.pdf", DEMO_PDF.read_bytes(), title={"page": 1, "quote": "חוק הגנה על פיקדונות שכירות"})
    page = piece(staff_client, "review-job-pages", job)
    assert page.count('<figure class="page" data-coming="Loading…"') == 4
    assert page.count('<rect data-for="title"') == 1
    assert f"/admin/kb/jobs/{job.pk}/pages/4.png" in page


def test_the_text_shows_the_quoted_words(staff_client: Client) -> None:
    job = taken_in("law.txt", LAW.encode(), title={"page": None, "quote": "חוק הספריות הציבוריות"})
    assert '<mark data-for="title">חוק הספריות הציבוריות</mark>' in piece(staff_client, "review-job-text", job)
    again = piece(staff_client, "review-job-text", job)
    assert "דמי איחור" in again
    assert "Only the beginning" not in again


def test_a_text_of_which_the_beginning_alone_is_shown_says_so(staff_client: Client) -> None:
    job = taken_in("long.txt", ("A boat needs a light. " * 3_000).encode())
    assert "Only the beginning is shown" in piece(staff_client, "review-job-text", job)


def test_what_cannot_be_shown_is_said(staff_client: Client) -> None:
    job = taken_in("law.pdf", b"%PDF-1.7 /Root but no more")
    assert "cannot be opened" in piece(staff_client, "review-job-pages", job)
    Job.objects.filter(pk=job.pk).update(file_key="inbox/gone", content_sha256=uuid4().hex)
    for name in ("review-job-pages", "review-job-text"):
        assert "The file is not there any more." in piece(staff_client, name, job)


def test_pdf_under_a_password_is_called_so_beside_the_form_too(staff_client: Client) -> None:
    locked = FPDF()
    locked.add_page()
    locked.set_encryption(owner_password="owner", user_password="secret")
    job = taken_in("locked.pdf", bytes(locked.output()))
    assert "protected by a password" in piece(staff_client, "review-job-pages", job)


def test_every_page_of_a_long_pdf_can_be_gone_to(staff_client: Client) -> None:
    long = FPDF()
    for _page in range(607):
        long.add_page()
    page = piece(staff_client, "review-job-pages", taken_in("long.pdf", bytes(long.output())))
    assert page.count('<figure class="page"') == 607
    assert 'id="page-450"' in page


def test_text_is_cut_where_quotes_begin_and_end() -> None:
    found = text_runs("אבגדה", [("title", "בגד"), ("kind", "גדה"), ("subject", "לא")])
    assert [(one.text, one.fields) for one in found] == [
        ("א", ""),
        ("ב", "title"),
        ("גד", "title kind"),
        ("ה", "kind"),
    ]
    assert text_runs("", []) == []
