"""A model reads provisions: what it says counts where its quote is there, and no provision is read twice."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.db.models import F
from django.utils import timezone
from rest_framework.test import APIClient

from kb_project.llm import circuit_breaker, spending
from kb_project.llm.protocol import Usage
from keeping.models import Survey, SurveyReading
from keeping.surveys import certificate, making
from keeping.surveys.reading import by_model
from keeping.surveys.reading.by_model import SurveyReason
from keeping.tables.reading.document import CellReason
from sources.models import Chunk, Source
from tests.factories import first_topic
from tests.keeping.surveys.reader import ProvisionReader, text_of
from tests.openai_server import Reply
from tests.search.corpus import add_document, replace_text
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db


@pytest.fixture
def reader(settings: Any) -> Iterator[ProvisionReader]:
    with ProvisionReader() as server:
        settings.KB_LLM_BASE_URL, settings.KB_LLM_MODEL, settings.KB_LLM_API_KEY = server.url, "a-model", "test-key"
        settings.KB_ANSWERER = "openai"
        yield server


@pytest.fixture
def rina(db: None) -> APIClient:
    client = APIClient()
    client.force_login(User.objects.create_user("rina", password="x"))
    return client


def laws(count: int) -> list[Source]:
    return [
        add_document(text_of(number), kind="law", title=f"Ferries Act {number}", unread_pages=[])
        for number in range(1, count + 1)
    ]


def begin(client: APIClient, **more: Any) -> str:
    made = client.post("/kb/surveys", {"description": "penalties", **more}, format="json")
    assert made.status_code == 202
    return str(made.json()["id"])


def make_all() -> None:
    while making.run_next():
        Survey.objects.update(next_at=None)


def report(client: APIClient, survey_id: str) -> Any:
    return client.get(f"/kb/surveys/{survey_id}").json()


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


def report_of(client: APIClient, **more: Any) -> Any:
    survey_id = begin(client, **more)
    make_all()
    return report(client, survey_id)


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
            circuit_breaker.note_answer(one, role=by_model.ROLE)
        making.run_next()
    assert report(rina, survey_id)["status"] == "failed"
    monkeypatch.setattr(reader, "reply", whole)
    for one in by_model_models():
        circuit_breaker.note_answer(one, role=by_model.ROLE)
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
