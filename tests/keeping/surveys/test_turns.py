"""Surveys for a model wait, take turns and stop: for a provider, a budget, a person, or who took the claim."""

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone
from rest_framework.test import APIClient

from kb_project.llm import chain, spending
from kb_project.llm.protocol import Usage
from keeping.models import Survey, SurveyReading
from keeping.surveys import making
from keeping.surveys.reading import by_model
from keeping.tables.reading.document import CellReason
from tests.factories import first_topic
from tests.keeping.surveys.reader import ProvisionReader, begin, laws, make_all, report
from tests.openai_server import Reply

pytestmark = pytest.mark.django_db


def test_a_provider_that_fails_puts_it_off_and_what_was_read_stays(
    rina: APIClient, reader: ProvisionReader, monkeypatch: Any
) -> None:
    laws(8)
    monkeypatch.setattr(by_model, "MAX_PART_UNITS", 4)
    whole = reader.reply
    count = iter(range(100))
    monkeypatch.setattr(reader, "reply", lambda said: whole(said) if next(count) < 3 else Reply(status=500))
    survey_id = begin(rina)
    assert making.run_next()
    out = report(rina, survey_id)
    assert out["status"] == "queued"
    assert out["put_off"] == CellReason.PROVIDER.label
    assert not making.run_next()  # until later
    kept = SurveyReading.objects.count()
    assert kept == 12
    for _ in range(making.MAX_ATTEMPTS):
        Survey.objects.update(next_at=None)
        for one in by_model_models():
            chain.note_answer(one, role=by_model.ROLE)
        making.run_next()
    assert report(rina, survey_id)["status"] == "failed"
    monkeypatch.setattr(reader, "reply", whole)
    for one in by_model_models():
        chain.note_answer(one, role=by_model.ROLE)
    reader.read.clear()
    rina.post(f"/kb/surveys/{survey_id}/repeat")
    make_all()
    out = report(rina, survey_id)
    assert out["status"] == "done"
    assert len(reader.read) == out["certificate"]["provisions_read"] - kept
    assert len(out["yes"]) == 8


def by_model_models() -> list[Any]:
    from kb_project.llm.roles import ANSWERS

    return [one.key for one in ANSWERS.models()]


def test_the_budget_of_the_topic_stops_it(rina: APIClient, reader: ProvisionReader, settings: Any) -> None:
    laws(1)
    settings.KB_LLM_DAILY_TOKENS = 10
    spending.count(Usage(calls=1, input_tokens=11), role="x", provider="x", topic=first_topic().name)
    survey_id = begin(rina)
    making.run_next()
    assert reader.requests == []
    assert report(rina, survey_id)["put_off"] == CellReason.BUDGET.label


def test_a_paused_survey_waits(rina: APIClient, reader: ProvisionReader) -> None:
    laws(1)
    survey_id = begin(rina)
    assert rina.patch(f"/kb/surveys/{survey_id}", {"paused": True}, format="json").json()["paused"]
    assert not making.run_next()
    assert not making.are_waiting()
    rina.patch(f"/kb/surveys/{survey_id}", {"paused": False}, format="json")
    make_all()
    assert report(rina, survey_id)["status"] == "done"


def test_surveys_take_turns_and_go_on_where_they_were(
    rina: APIClient, reader: ProvisionReader, monkeypatch: Any
) -> None:
    laws(4)
    monkeypatch.setattr(by_model, "TURN_S", 0.0)
    monkeypatch.setattr(by_model, "MAX_PART_UNITS", 2)
    first, second = begin(rina), begin(rina, description="penalties for ferries")
    Survey.objects.filter(pk=first).update(progress_at=timezone.now() - timedelta(minutes=1))
    turns = []
    while making.run_next():
        turns.append(str(Survey.objects.latest("progress_at").pk))
    assert turns[:4] == [first, second, first, second]
    for survey_id in (first, second):
        out = report(rina, survey_id)
        assert out["status"] == "done"
        assert out["certificate"]["read_by_model"] == out["certificate"]["provisions_read"]
    assert len(reader.read) == 2 * out["certificate"]["provisions_read"]


def test_one_survey_is_read_at_a_time_and_words_do_not_wait_for_it(rina: APIClient, reader: ProvisionReader) -> None:
    laws(1)
    begin(rina)
    assert making._claimed() is not None
    begin(rina)
    assert making._claimed() is None
    by_words = begin(rina, by_model=False)
    assert making.run_next()
    out = report(rina, by_words)
    assert (out["status"], out["certificate"]["model"], reader.requests) == ("done", "", [])
    Survey.objects.update(progress_at=timezone.now() - timedelta(hours=1))
    make_all()
    assert set(Survey.objects.values_list("status", flat=True)) == {"done"}


def test_who_lost_the_claim_records_nothing(rina: APIClient, reader: ProvisionReader, monkeypatch: Any) -> None:
    laws(1)
    survey_id = begin(rina)
    whole = reader.reply

    def lose(verdicts: list[dict[str, Any]]) -> Reply:
        return Reply(text=whole(verdicts).text, delay_s=1.0)

    monkeypatch.setattr(reader, "reply", lose)
    read_more = by_model.read_more

    def lost(one: Survey, *given: Any, **more: Any) -> None:
        Survey.objects.filter(pk=one.pk).update(claim=None)
        read_more(one, *given, **more)

    monkeypatch.setattr(making, "read_more", lost)
    assert making.run_next()
    assert not SurveyReading.objects.exists()
    assert Survey.objects.get(pk=survey_id).calls == 0
