"""Traces of answers in the admin: read by whoever may, shown as text, never edited."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from answers.models import AnswerFeedback, AnswerTrace
from tests.factories import make_staff

pytestmark = pytest.mark.django_db


@pytest.fixture
def trace(db: None) -> AnswerTrace:
    return AnswerTrace.objects.create(
        by="Api-Key journey",
        topic_id=1,
        question="<b>כמה</b>?",
        expanded=["דמי איחור"],
        passages=[{"chunk_id": 7, "source_id": 5, "match": "lexical", "score": 0.5, "coverage": 0.9}],
        status="answered",
        answer="שקל. [1] זה הכול.",
        citations=[{"n": 1, "title": "חוק", "section": "3", "quote": "שקל ליום"}],
        dropped=[
            {"passage": 0, "label": "kb:chunk:9", "quote": "אלף שקלים", "why": "not in the passage"},
            {"passage": None, "label": "", "quote": "בתוך 30 ימים.", "why": "a statement without a quote"},
        ],
        provider="anthropic",
        model="claude",
        retrieval_ms=12.5,
        took_ms=2000.0,
    )


@pytest.fixture
def superuser(client: Client) -> Client:
    client.force_login(make_staff(is_superuser=True))
    return client


def test_a_trace_shows_who_asked_and_why_a_citation_was_dropped(superuser: Any, trace: AnswerTrace) -> None:
    page = superuser.get(reverse("admin:answers_answertrace_change", args=[trace.pk])).content.decode()
    for shown in (
        "Api-Key journey",
        "&lt;b&gt;כמה",
        "דמי איחור",
        "שקל ליום",
        "not in the passage",
        "אלף שקלים",
        "בתוך 30 ימים.",
    ):
        assert shown in page
    assert "שקל. [1] <mark>זה הכול.</mark>" in page
    listed = superuser.get(reverse("admin:answers_answertrace_changelist"), {"status": "answered"}).content.decode()
    assert "&lt;b&gt;כמה" in listed


def test_feedback_is_read_and_filtered_with_the_traces(superuser: Any, trace: AnswerTrace) -> None:
    listed = reverse("admin:answers_answertrace_changelist")
    assert "&lt;b&gt;כמה" in superuser.get(listed).content.decode()  # without any feedback
    AnswerFeedback.objects.create(trace=trace, helpful=False, note="<i>לא נכון", by="dana")
    for helpful, shown in ((0, True), (1, False)):
        page = superuser.get(listed, {"feedback__helpful__exact": helpful}).content.decode()
        assert ("&lt;b&gt;כמה" in page) is shown
    page = superuser.get(reverse("admin:answers_answertrace_change", args=[trace.pk])).content.decode()
    assert "not helpful · dana · &lt;i&gt;לא נכון" in page


def test_a_trace_is_not_edited_and_not_deleted(superuser: Any, trace: AnswerTrace) -> None:
    change = reverse("admin:answers_answertrace_change", args=[trace.pk])
    delete = reverse("admin:answers_answertrace_delete", args=[trace.pk])
    assert superuser.post(change, {"question": "x"}).status_code == 403
    assert superuser.post(delete, {"post": "yes"}).status_code == 403
    assert superuser.get(reverse("admin:answers_answertrace_add")).status_code == 403


def test_staff_without_the_permission_see_no_traces(client: Client, trace: AnswerTrace) -> None:
    client.force_login(make_staff(role=None))
    assert client.get(reverse("admin:answers_answertrace_changelist")).status_code == 403
