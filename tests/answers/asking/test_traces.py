"""Traces: why a citation fell, what a lost trace costs, and when traces are forgotten."""

from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.utils import timezone

from answers.insights import queries
from answers.models import AnswerTrace
from answers.tasks import forget_old_traces
from sources.models import Source
from tests.answers.asking.asking import ask
from tests.anthropic_server import AnthropicServer, Block, cited
from tests.topics.keys import client_with_key

pytestmark = pytest.mark.django_db

QUESTION = "כמה ישלם המאחר בהחזרת ספר?"


def test_a_dropped_citation_is_kept_with_the_reason(claude: AnthropicServer, law: Source) -> None:
    claude.will_stream(
        Block("א. ", [cited(0, search_result_index=9)]),
        Block("ב. ", [cited(0, source="kb:chunk:1")]),
        Block("ג. ", [cited(0, cited_text="...")]),
        Block("ד. ", [cited(0, cited_text="אלף שקלים")]),
        Block("ה.", [cited(0)]),
    )
    assert ask(QUESTION)["dropped_citations"] == 4
    reasons = [dropped["why"] for dropped in AnswerTrace.objects.all()[0].dropped]
    assert reasons == ["no such passage", "the label of another passage", "no words", "not in the passage"]


def test_a_trace_says_which_key_asked(law: Source) -> None:
    client_with_key(name="robot").post("/kb/ask", {"question": QUESTION}, format="json")
    assert AnswerTrace.objects.all()[0].by == "Api-Key robot"


@pytest.mark.django_db(transaction=True)
def test_an_answer_is_not_lost_because_its_trace_cannot_be_kept(law: Source) -> None:
    execute("ALTER TABLE kb_answer_trace RENAME TO elsewhere")
    try:
        assert ask(QUESTION)["status"] == "answered"
    finally:
        execute("ALTER TABLE elsewhere RENAME TO kb_answer_trace")


def test_a_refusal_with_a_nearest_passage_is_no_unanswered_question(law: Source) -> None:
    asked = ask("תוך כמה ימים רשאי הספרן לפטור שואל מדמי איחור?")
    assert (asked["status"], asked["reason"]) == ("insufficient_evidence", "no_sentence")
    [nearest] = asked["passages"]
    assert nearest["place"] == "סעיף 3"
    assert nearest["url"].startswith(f"/documents/{law.pk}/")
    ask("What is the orbit of Jupiter?")
    assert [trace.status for trace in AnswerTrace.objects.order_by("pk")] == ["nearest_shown", "insufficient_evidence"]
    listed = queries.refused_questions(queries.kept(None))
    assert [one.text for one in listed] == ["what is the orbit of jupiter?"]


def execute(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(statement)


def test_old_traces_are_forgotten_and_new_ones_kept(law: Source, settings: Any) -> None:
    ask(QUESTION)
    ask(QUESTION)
    settings.KB_TRACE_DAYS = 7
    new, old = AnswerTrace.objects.all()
    AnswerTrace.objects.filter(pk=old.pk).update(at=timezone.now() - timedelta(days=7, minutes=1))
    AnswerTrace.objects.filter(pk=new.pk).update(at=timezone.now() - timedelta(days=6, hours=23))
    assert forget_old_traces() == 1
    assert list(AnswerTrace.objects.all()) == [new]
