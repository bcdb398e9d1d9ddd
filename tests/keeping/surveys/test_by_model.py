"""A model reads provisions: what it says counts where its quote is there, and no provision is read twice."""

from typing import Any

import pytest
from django.db.models import F
from rest_framework.test import APIClient

from kb_project.llm import spending
from keeping.surveys import certificate, making
from keeping.surveys.reading import by_model
from keeping.surveys.reading.by_model import SurveyReason
from sources.models import Chunk, Source
from tests.factories import first_topic
from tests.keeping.surveys.reader import ProvisionReader, begin, laws, make_all, report, report_of, text_of
from tests.openai_server import Reply
from tests.search.corpus import add_document, replace_text
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db


def test_every_provision_is_read_and_the_certificate_says_by_whom(rina: APIClient, reader: ProvisionReader) -> None:
    laws(3)
    before = spending.spent_today(first_topic().name)
    out = report_of(rina)
    assert [one["quote"] for one in out["yes"]] == [
        f"is liable to a fine not exceeding {900 + number} crowns" for number in (1, 2, 3)
    ]
    assert all("model" in one["ways"] for one in out["yes"])
    told = out["certificate"]
    assert told["read_by_model"] == told["read_anew"] == told["provisions_read"] == len(reader.read)
    assert (told["model"], told["prompt"]) == ("openai a-model", by_model.PROMPT_VERSION)
    assert told["calls"] == len(reader.requests)
    assert told["tokens"] == spending.spent_today(first_topic().name) - before > 0


def test_invented_quotes_are_never_a_yes(rina: APIClient, reader: ProvisionReader, monkeypatch: Any) -> None:
    laws(1)

    def invent(one: dict[str, Any]) -> dict[str, Any]:
        return {"number": one["number"], "says": "yes", "quote": "shall be keelhauled"}

    monkeypatch.setattr(reader, "verdict", invent)
    out = report_of(rina)
    assert out["yes"] == []
    assert {one["why"] for one in out["undecided"]} == {SurveyReason.NOT_THERE}
    assert all("keelhauled" not in one["quote"] for one in out["undecided"])
    assert out["undecided"][0]["reason"]


def test_a_heading_is_no_quote_and_a_provision_of_one_line_is_no_heading(
    rina: APIClient, reader: ProvisionReader, monkeypatch: Any
) -> None:
    add_document("1. חובה\nאדם ישלם אגרה.\n2. דיווח\nאדם ידווח.", kind="law", title="חוק האגרות", unread_pages=[])
    line = "2. העובר על הוראות סעיף 1 לחוק זה, דינו – קנס."
    add_document(f"1. לא ישיט אדם מעבורת.\n{line}", kind="law", title="חוק המעבורות", unread_pages=[])
    Chunk.objects.filter(text=line).update(heading=line.removeprefix("2. "))

    def said(one: dict[str, Any]) -> dict[str, Any]:
        quote = line if line in one["text"] else "דיווח" if "ידווח" in one["text"] else ""
        return {"number": one["number"], "says": "yes" if quote else "no", "quote": quote}

    monkeypatch.setattr(reader, "verdict", said)
    out = report_of(rina)
    assert [one["quote"] for one in out["yes"]] == [line]
    assert [one["number"] for one in out["undecided"]] == ["2"]


def test_what_the_model_is_silent_on_is_asked_once_more_and_then_undecided(
    rina: APIClient, reader: ProvisionReader, monkeypatch: Any
) -> None:
    laws(1)
    whole = reader.reply
    monkeypatch.setattr(reader, "reply", lambda verdicts: whole([one for one in verdicts if one["says"] == "yes"]))
    out = report_of(rina)
    assert [one["eid"] for one in out["yes"]] == ["sec_3"]
    assert {one["why"] for one in out["undecided"]} == {SurveyReason.UNUSABLE}
    read = out["certificate"]["provisions_read"]
    assert (len(out["undecided"]), out["certificate"]["read_by_model"]) == (read - 1, 1)
    assert len(reader.read) == 2 * read - 1


def test_an_answer_that_was_too_long_is_asked_for_in_halves(
    rina: APIClient, reader: ProvisionReader, monkeypatch: Any
) -> None:
    laws(3)
    whole, parts = reader.reply, list[int]()

    def cut(verdicts: list[dict[str, Any]]) -> Reply:
        parts.append(len(verdicts))
        return whole(verdicts) if len(verdicts) <= by_model.MAX_PART_UNITS // 2 else Reply(text='{"provisions": [{"num')

    monkeypatch.setattr(reader, "reply", cut)
    out = report_of(rina)
    assert len(out["yes"]) == 3
    assert out["certificate"]["read_by_model"] == out["certificate"]["provisions_read"] == 15
    assert sorted(parts) == [3, 6, 6, 12]


def test_a_model_that_takes_long_does_not_look_as_if_nobody_made_the_survey(
    rina: APIClient, reader: ProvisionReader, monkeypatch: Any
) -> None:
    laws(1)
    monkeypatch.setattr(by_model, "SIGN_OF_LIFE_S", 0.05)
    noted = list[Any]()
    slow = reader.reply

    def reply(verdicts: list[dict[str, Any]]) -> Reply:
        wait_until(lambda: len(noted) > 1)
        return slow(verdicts)

    def note(self: Any, **values: Any) -> None:
        noted.append(values)
        return record(self, **values)

    record = making._Progress._note
    monkeypatch.setattr(reader, "reply", reply)
    monkeypatch.setattr(making._Progress, "_note", note)
    assert len(report_of(rina)["yes"]) == 1


def test_too_much_for_a_model_is_refused_before_it_costs_anything(
    rina: APIClient, reader: ProvisionReader, monkeypatch: Any
) -> None:
    laws(2)
    survey_id = begin(rina)
    monkeypatch.setattr(making, "MAX_READ", 3)
    refused = rina.post("/kb/surveys", {"description": "penalties"}, format="json")
    assert refused.status_code == 400
    assert f"{by_model.MAX_READ:,} provisions" in refused.json()["errors"]["rows"][0]
    make_all()  # what came since is as much too much
    assert report(rina, survey_id)["status"] == "failed"
    assert not reader.requests
    assert rina.post("/kb/surveys", {"description": "penalties", "by_model": False}, format="json").status_code == 202


def test_one_person_has_few_surveys_for_a_model_at_a_time(
    rina: APIClient, reader: ProvisionReader, monkeypatch: Any
) -> None:
    laws(1)
    monkeypatch.setattr(making, "MAX_READ_AT_ONCE", 1)
    first = begin(rina)
    assert rina.post("/kb/surveys", {"description": "penalties"}, format="json").status_code == 409
    begin(rina, by_model=False)
    make_all()
    second = begin(rina)
    assert rina.post(f"/kb/surveys/{first}/repeat").status_code == 409
    rina.patch(f"/kb/surveys/{second}", {"paused": True}, format="json")
    assert rina.post(f"/kb/surveys/{first}/repeat").status_code == 202


def test_a_repeat_reads_only_what_changed_and_says_so(rina: APIClient, reader: ProvisionReader) -> None:
    first, *_others = laws(3)
    survey_id = begin(rina)
    make_all()
    before = len(reader.read)
    replace_text(first, text_of(1).replace("liable to a fine", "liable to nothing, neither a fine"))
    add_document(text_of(9), kind="law", title="Ferries Act 9", unread_pages=[])
    assert rina.post(f"/kb/surveys/{survey_id}/repeat").status_code == 202
    assert rina.post(f"/kb/surveys/{survey_id}/repeat").status_code == 409
    make_all()
    out = report(rina, survey_id)
    new = out["certificate"]["provisions_read"] - before
    assert len(reader.read) == before + new + 1
    assert out["certificate"]["read_anew"] == new + 1
    assert out["certificate"]["read_by_model"] == before + new
    assert [one["title"] for one in out["yes"] if one["is_new"]] == ["Ferries Act 9"]
    assert [one["title"] for one in out["gone"]] == ["Ferries Act 1"]
    assert out["certificate"]["since"]["new"] == out["certificate"]["since"]["lost"] == 1


def test_what_was_not_read_is_read_by_the_repeat(rina: APIClient, reader: ProvisionReader, monkeypatch: Any) -> None:
    laws(1)
    with monkeypatch.context() as broken:
        broken.setattr(reader, "reply", lambda verdicts: Reply(text="Let me think."))
        survey_id = begin(rina)
        make_all()
    told = report(rina, survey_id)["certificate"]
    assert told["read_by_model"] == 0
    said = dict(certificate.lines(told))
    assert said["Read by a model"] == "No model read anything."
    assert said["Cost this time"].startswith(f"{told['calls']} calls, ")
    assert dict(certificate.lines({**told, "calls": 1, "tokens": 1}))["Cost this time"] == "1 call, 1 token"
    rina.post(f"/kb/surveys/{survey_id}/repeat")
    make_all()
    out = report(rina, survey_id)
    assert out["undecided"] == []
    assert out["certificate"]["read_by_model"] == out["certificate"]["provisions_read"]


def test_a_provision_that_is_too_long_is_said_not_to_be_read(
    rina: APIClient, reader: ProvisionReader, monkeypatch: Any
) -> None:
    laws(1)
    monkeypatch.setattr(by_model, "MAX_UNIT_LENGTH", 100)
    out = report_of(rina)
    assert SurveyReason.TOO_LONG in {one["why"] for one in out["undecided"]}
    told = out["certificate"]
    assert told["read_by_model"] < told["provisions_read"]


def test_a_model_is_asked_for_only_where_there_is_one(rina: APIClient) -> None:
    laws(1)
    refused = rina.post("/kb/surveys", {"description": "penalties", "by_model": True}, format="json")
    assert refused.status_code == 400
    assert not report_of(rina)["by_model"]


def test_the_law_of_another_day_is_read(rina: APIClient, reader: ProvisionReader) -> None:
    [one] = laws(1)
    Source.objects.filter(pk=one.pk).update(valid_to="2020-01-01", valid_from=F("valid_from"))
    assert report_of(rina)["yes"] == []
    out = report_of(rina, as_of="2019-06-01")
    assert len(out["yes"]) == 1
    assert out["certificate"]["as_of"] == out["as_of"] == "2019-06-01"
