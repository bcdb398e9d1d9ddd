"""A model's reading of an instruction: in its words, beside what it makes of the act, and named for what it is."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from ingest.models import Job
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
    "reading", [{**READING, "new": "90 days"}, {**READING, "place": "section 5"}, {**READING, "old": ""}, {"old": 5}]
)
def test_words_that_are_not_of_the_instruction_are_refused(
    chat: OpenAIServer, staff_client: Client, tmp_path: Path, reading: dict[str, Any]
) -> None:
    act, amending = ports(tmp_path), reform(tmp_path, TEXT)
    chat.will_say(reading)
    page = asked(staff_client, amending)
    assert ("words of the instruction" in page) or ("No model proposed anything" in page)
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
