"""A model's reading of an instruction: in its words, beside what it makes of the act, and named for what it is."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.db import connections
from django.test import Client
from django.urls import reverse

from ingest.consolidation.correcting import corrections_of
from ingest.models import Job
from kb_project.llm import spending
from kb_project.llm.protocol import Usage
from sources.models import Source
from tests.ingest.consolidation.acts import planned, ports, reform, stored
from tests.openai_server import OpenAIServer, in_settings

pytestmark = pytest.mark.django_db(transaction=True)
UNREAD = "Section 4 of the Ports Act 2010 is amended so that “30 days” becomes “60 days”."
TEXT = (
    f"Harbours Reform Act\nS.C. 2025, c. 7\nAssented to 2025-03-04\n1.\n{UNREAD}\n2.\nSection 5 of the Act is repealed."
)
READING = {"place": "Section 4", "old": "30 days", "new": "60 days"}


@pytest.fixture
def chat(settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[OpenAIServer]:
    with in_settings(settings, monkeypatch, KB_AMENDER="openai") as server:
        yield server


def path(amending: Source) -> str:
    return reverse("library-consolidation", args=[amending.pk])


def asked(client: Client, amending: Source) -> str:
    return client.post(path(amending), {"number": 0, "propose": "1"}, follow=True).content.decode()


def test_no_model_is_asked_where_nothing_is_said(staff_client: Client, tmp_path: Path) -> None:
    ports(tmp_path)
    amending = reform(tmp_path, TEXT)
    page = staff_client.get(path(amending), {"correct": "0"}).content.decode()
    assert 'name="old"' in page
    assert 'name="propose"' not in page
    assert "No model proposed anything" in asked(staff_client, amending)


def test_a_proposal_is_shown_with_its_change_and_its_model_and_stays_with_the_version(
    chat: OpenAIServer, staff_client: Client, tmp_path: Path
) -> None:
    act, amending = ports(tmp_path), reform(tmp_path, TEXT)
    assert 'name="propose"' in staff_client.get(path(amending), {"correct": "0"}).content.decode()
    chat.will_say(READING)
    page = asked(staff_client, amending)
    assert "becomes “60 days”" in str(chat.requests[0].body)
    assert "proposed by a model:" in page
    assert "openai a-model" in page
    assert "60</ins>" in page
    row = page.split('name="chosen" value="0"')[1][:40]
    assert "data-alone" in row  # `a` leaves it out
    assert "checked" not in row
    fingerprint = page.split('name="fingerprint" value="')[1].split('"')[0]
    staff_client.post(path(amending), {"base": act.pk, "fingerprint": fingerprint, "chosen": [0]})
    made = stored(Job.objects.get(consolidation__isnull=False))
    assert made.consolidation is not None
    assert made.consolidation["changes"][0]["corrected"]["proposed_by"] == "openai a-model"
    assert "openai a-model" in Client().get(f"/documents/{made.pk}/").content.decode()


@pytest.mark.parametrize(
    "reading",
    [
        {**READING, "new": "90 days"},
        {**READING, "place": "section 5"},
        {**READING, "place": "Section"},
        {**READING, "old": ""},
        {**READING, "old": "days"},
        {**READING, "old": "60 days", "new": "30 days"},
        {"old": 5},
    ],
)
def test_words_that_are_not_of_the_instruction_are_refused(
    chat: OpenAIServer, staff_client: Client, tmp_path: Path, reading: dict[str, Any]
) -> None:
    act, amending = ports(tmp_path), reform(tmp_path, TEXT)
    chat.will_say(reading)
    page = asked(staff_client, amending)
    assert ("not all that the instruction says" in page) or ("No model proposed anything" in page)
    assert "proposed by a model:" not in page
    assert 0 not in planned(amending, act).possible


def test_what_is_not_in_the_act_is_proposed_and_cannot_be_ticked(
    chat: OpenAIServer, staff_client: Client, tmp_path: Path
) -> None:
    ports(tmp_path)
    amending = reform(tmp_path, TEXT.replace("30 days", "31 days"))
    chat.will_say({**READING, "old": "31 days"})
    page = asked(staff_client, amending)
    assert "proposed by a model:" in page
    assert 'name="chosen" value="0"' not in page
    assert "The place, or the words, are not there." in page


@pytest.mark.parametrize("reply", [{"status": 500}, {"delay_s": 3.0}, {"raw": b"no JSON"}, {"finish_reason": "length"}])
def test_a_model_that_errs_or_hangs_leaves_the_instruction_to_a_person(
    chat: OpenAIServer, staff_client: Client, tmp_path: Path, settings: Any, reply: dict[str, Any]
) -> None:
    settings.KB_AMENDER_TIMEOUT_S = 1.0
    ports(tmp_path)
    amending = reform(tmp_path, TEXT)
    chat.will_say(READING, **reply)
    page = asked(staff_client, amending)
    assert "No model proposed anything" in page
    assert "proposed by a model:" not in page


def test_a_repeal_is_none_of_the_models_business(chat: OpenAIServer, staff_client: Client, tmp_path: Path) -> None:
    ports(tmp_path)
    amending = reform(tmp_path, TEXT)
    assert 'name="propose"' not in staff_client.get(path(amending), {"correct": "1"}).content.decode()
    page = staff_client.post(path(amending), {"number": 1, "propose": "1"}).content.decode()
    assert "only about words" in page
    assert not chat.requests


def test_what_rules_read_is_none_of_its_business_either(
    chat: OpenAIServer, staff_client: Client, tmp_path: Path
) -> None:
    ports(tmp_path)
    amending = reform(tmp_path, TEXT.replace("so that “30 days” becomes", "by replacing “30 days” with"))
    assert 'name="propose"' not in staff_client.get(path(amending), {"correct": "0"}).content.decode()
    assert "that rules did not read" in asked(staff_client, amending)
    assert not chat.requests


@pytest.mark.parametrize(
    ("sent", "by"),
    [
        ({}, "openai a-model"),
        ({"day": "2026-05-01"}, "openai a-model"),
        ({"new": "61 days"}, ""),
        ({"place": "section 5"}, ""),
    ],
)
def test_the_model_is_named_while_its_words_stay_and_its_day_may_be_given(
    chat: OpenAIServer, staff_client: Client, tmp_path: Path, sent: dict[str, str], by: str
) -> None:
    ports(tmp_path)
    amending = reform(tmp_path, TEXT)
    chat.will_say(READING)
    assert "and a model those that name it" in asked(staff_client, amending)
    page = staff_client.post(path(amending), {"number": 0, **READING, **sent}, follow=True).content.decode()
    assert corrections_of(staff_client.session, amending)[0].proposed_by == by
    assert ("proposed by a model:" in page, "and a model those that name it" in page) == (bool(by), bool(by))


@pytest.mark.parametrize("posted", [True, False])
def test_a_day_that_was_given_stays_with_the_proposal(
    chat: OpenAIServer, staff_client: Client, tmp_path: Path, posted: bool
) -> None:
    ports(tmp_path)
    amending = reform(tmp_path, TEXT)
    chat.will_say(READING)
    day = {"number": 0, "day": "2026-05-01"}
    staff_client.post(path(amending), {**day, "propose": "1"} if posted else day)
    if not posted:
        asked(staff_client, amending)
    kept = corrections_of(staff_client.session, amending)[0]
    assert (kept.old, str(kept.day), kept.proposed_by) == ("30 days", "2026-05-01", "openai a-model")


def test_what_is_corrected_meanwhile_stays(
    chat: OpenAIServer, staff_client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ports(tmp_path)
    amending = reform(tmp_path, TEXT)
    chat.will_say(READING)
    other, answer = Client(), chat.next_reply
    other.cookies = staff_client.cookies

    def corrected_before_the_answer(body: dict[str, Any]) -> Any:
        assert other.post(path(amending), {"number": 1, "place": "section 7"}).status_code == 302
        connections.close_all()
        return answer(body)

    monkeypatch.setattr(chat, "next_reply", corrected_before_the_answer)
    page = asked(staff_client, amending)
    assert ("proposed by a model:" in page, "corrected by hand" in page) == (True, True)


def test_who_is_signed_out_meanwhile_stays_so(
    chat: OpenAIServer, staff_client: Client, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ports(tmp_path)
    amending = reform(tmp_path, TEXT)
    chat.will_say(READING)
    answer = chat.next_reply

    def ended_before_the_answer(body: dict[str, Any]) -> Any:
        Session.objects.all().delete()
        connections.close_all()
        return answer(body)

    monkeypatch.setattr(chat, "next_reply", ended_before_the_answer)
    assert staff_client.post(path(amending), {"number": 0, "propose": "1"}).status_code == 400
    assert not Session.objects.exists()


def test_a_budget_that_is_spent_is_said(
    chat: OpenAIServer, staff_client: Client, tmp_path: Path, settings: Any
) -> None:
    ports(tmp_path)
    amending = reform(tmp_path, TEXT)
    settings.KB_LLM_DAILY_TOKENS = 1
    spending.count(Usage(input_tokens=2, calls=1), role="test", provider="test", topic=amending.topic.name)
    assert "1 tokens that models may cost it in a day" in asked(staff_client, amending)
    sent = {"number": 0, "propose": "1"}
    refused = staff_client.post(path(amending), sent, headers={"accept-language": "he"})
    assert refused.status_code == 503
    assert "הנושא ניצל את 1 האסימונים" in refused.content.decode()
    assert not chat.requests
