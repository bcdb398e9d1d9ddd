"""What is said of the day that a text holds for."""

from datetime import date, timedelta
from typing import Any

import pytest
from django.utils import timezone, translation
from django.utils.formats import date_format

from answers.agent import read_legal_provision, search_legal_kb
from law.timeline import Period
from sources.models import Source
from sources.validity import said
from tests.factories import first_topic
from tests.search.corpus import add_document

TODAY = timezone.localdate()
BEFORE, AFTER = TODAY - timedelta(days=400), TODAY + timedelta(days=400)
LONG_BEFORE = TODAY - timedelta(days=900)


def shown(day: date) -> str:
    return date_format(day, "DATE_FORMAT")


@pytest.mark.parametrize(
    ("days", "followed", "on", "sentence"),
    [
        (Period(), False, None, "as of {today}; no day in force is stated"),
        (Period(BEFORE), False, None, "in force on {today}"),
        (Period(LONG_BEFORE, BEFORE), True, None, "superseded: not in force since {before}"),
        (Period(LONG_BEFORE, BEFORE), False, None, "repealed: not in force since {before}"),
        (Period(AFTER), False, None, "not yet in force: only from {after}"),
        (
            Period(LONG_BEFORE, BEFORE),
            True,
            LONG_BEFORE,
            "in force on {long_before}; superseded: not in force since {before}",
        ),
        (Period(AFTER), False, AFTER, "in force on {after}; not yet in force: only from {after}"),
        (Period(BEFORE), False, LONG_BEFORE, "not in force on {long_before}"),
    ],
)
def test_whatever_day_is_asked_for_an_old_text_is_called_one(
    days: Period, followed: bool, on: date | None, sentence: str
) -> None:
    names = {"today": TODAY, "before": BEFORE, "after": AFTER, "long_before": LONG_BEFORE}
    wanted = sentence.format(**{name: shown(day) for name, day in names.items()})
    assert said(days, kind="law", is_followed=followed, on=on) == wanted


def test_a_judgment_without_days_has_none() -> None:
    assert said(Period(), kind="caselaw", is_followed=False) == ""


def test_it_is_said_in_both_languages() -> None:
    with translation.override("he"):
        assert said(Period(end=BEFORE), kind="law", is_followed=True).startswith("הוחלף: אינו בתוקף מיום")


TEXT = "1. Lending\nA member may borrow four maps at a time."


@pytest.fixture
def old(db: None) -> Source:
    old = add_document(TEXT, kind="law", title="Maps Act 2001", valid_from=LONG_BEFORE, valid_to=BEFORE)
    later = TEXT.replace("four", "nine")
    add_document(later, kind="law", title="Maps Act 2001", valid_from=BEFORE, work_id=old.work_id)
    return old


def test_every_door_says_it(old: Source, client: Any) -> None:
    ended = f"superseded: not in force since {shown(BEFORE)}"
    both = f"in force on {shown(LONG_BEFORE)}; {ended}"
    asked = {"query": "borrow maps", "as_of": LONG_BEFORE.isoformat()}
    found = client.post("/kb/search", asked, content_type="application/json").json()
    assert (found["as_of"], found["results"][0]["source"]["holds"]) == (LONG_BEFORE.isoformat(), both)
    question = {"question": "How many maps may a member borrow?", "as_of": LONG_BEFORE.isoformat()}
    answer = client.post("/kb/ask", question, content_type="application/json").json()
    assert (answer["as_of"], answer["citations"][0]["holds"]) == (LONG_BEFORE.isoformat(), both)
    assert client.get(f"/kb/sources/{old.pk}").json()["holds"] == ended
    assert client.get(f"/kb/sources/{old.pk}/provisions/sec_1").json()["holds"] == ended
    read = client.get(f"/kb/sources/{old.pk}/provisions/sec_1?as_of={LONG_BEFORE}").json()
    assert read["holds"] == both
    for path in (
        f"/documents/{old.pk}/",
        f"/documents/{old.pk}/preview/?eid=sec_1",
        f"/?q=maps&as_of={LONG_BEFORE}",
        f"/ask/?q=How+many+maps+may+a+member+borrow%3F&as_of={LONG_BEFORE}",
    ):
        assert ended in client.get(path).content.decode(), path
    assert ended not in client.get("/?q=maps").content.decode()


def test_agent_is_told_in_english_whatever_language_is_active(old: Source) -> None:
    ended = f"superseded: not in force since {shown(BEFORE)}"
    with translation.override("he"):
        found = search_legal_kb(first_topic()).run({"query": "borrow maps", "as_of": LONG_BEFORE.isoformat()})
        read = read_legal_provision(first_topic()).run({"reference": f"{old.pk}#sec_1"})
    assert f"holds: in force on {shown(LONG_BEFORE)}; {ended}\n" in found
    assert f"holds: {ended}\n" in read


def test_nothing_found_tells_what_other_days_have(client: Any, db: None) -> None:
    gone = add_document("1. Ferries\nA walrus travels free.", kind="law", title="Ferry Act", valid_to=BEFORE)
    add_document("1. Ferries\nA dog pays half.", kind="law", title="Harbour Act")
    found = client.post("/kb/search", {"query": '"walrus"'}, content_type="application/json").json()
    assert found["results"] == []
    (other,) = found["other_versions"]
    assert (other["source_id"], other["status"]) == (gone.pk, "repealed")
    assert other["holds"] == f"repealed: not in force since {shown(BEFORE)}"
    text = client.get('/?q="walrus"').content.decode()
    assert "Nothing was found" in text
    assert f'href="/documents/{gone.pk}/' in text.split("Texts that are not in force on this day have them:")[1]
    assert (
        "other_versions" not in client.post("/kb/search", {"query": '"badger"'}, content_type="application/json").json()
    )
