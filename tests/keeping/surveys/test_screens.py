"""`/surveys/`: asking for a survey, its lists and its certificate, and its workbook."""

import io
import re
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from openpyxl import load_workbook

from keeping.models import Survey
from keeping.surveys import certificate, making, screens
from law.questions.surveyed import RULES
from sources.models import Source
from tests.factories import first_topic, make_topic
from tests.keeping.surveys.reader import text_of
from tests.search.corpus import add_document, replace_text
from topics.models import OpenTo, Topic

pytestmark = pytest.mark.django_db
GIVEN = {"description": "penalties", "kind": "law", "label": "", "as_of": ""}


@pytest.fixture
def rina(client: Client) -> Client:
    client.force_login(User.objects.create_user("rina", password="x"))
    return client


def text(response: Any) -> str:
    return str(response.content.decode())


def make(client: Client, **more: Any) -> str:
    made = client.post("/surveys/new/", {**GIVEN, "topic": first_topic().pk, **more})
    assert made.status_code == 302
    return str(made["Location"])


def laws(count: int) -> None:
    for number in range(1, count + 1):
        add_document(text_of(number), kind="law", title=f"Ferries Act {number}", unread_pages=[])


def test_a_survey_is_asked_for_and_shown_with_its_certificate(rina: Client) -> None:
    laws(2)
    page = make(rina, as_of="2024-05-01")
    one = Survey.objects.get()
    assert page == f"/surveys/{one.pk}/"
    assert (one.rows, str(one.as_of), one.by) == ({"kind": ["law"]}, "2024-05-01", "rina")
    assert "waits for its turn" in text(rina.get(page))
    making.run_next()
    shown = text(rina.get(page))
    assert "liable to a fine not exceeding 901 crowns" in shown
    assert "No model read anything." in shown
    assert "1 May 2024" in shown
    listed = text(rina.get("/surveys/"))
    assert "penalties" in listed
    assert "2 yes, 0 undecided" in listed
    hebrew = text(rina.get(page, headers={"accept-language": "he"}))
    assert "שום מודל לא קרא" in hebrew
    assert "<bdi>עונשים</bdi>" in hebrew


def test_every_kind_of_rules_has_a_name_for_people() -> None:
    assert {row.name for row in RULES} == set(certificate.RULES)


def test_a_page_that_waits_asks_how_far_it_is_and_is_loaded_anew_when_it_is_done(rina: Client) -> None:
    laws(1)
    page = make(rina)
    making.run_next()
    rina.post(f"{page}act/", {"action": "repeat"})
    whole = text(rina.get(page))
    assert "Below is what was found the last time." in whole
    assert "liable to a fine" in whole
    waiting = rina.get(page, headers={"HX-Request": "true"})
    assert 'role="status"' in text(waiting)
    assert "liable to a fine" not in text(waiting)
    assert "HX-Refresh" not in waiting.headers
    making.run_next()
    assert rina.get(page, headers={"HX-Request": "true"}).headers["HX-Refresh"] == "true"


def test_what_cannot_be_is_said_in_the_form(rina: Client) -> None:
    for more in ({"description": ""}, {"as_of": "x"}):
        assert rina.post("/surveys/new/", {**GIVEN, "topic": first_topic().pk, **more}).status_code == 400, more
    assert not Survey.objects.exists()


def test_a_repeat_shows_what_is_new_and_what_is_gone(rina: Client) -> None:
    laws(1)
    page = make(rina)
    making.run_next()
    assert "<b>new</b>" not in text(rina.get(page))
    replace_text(Source.objects.get(), "Ferries Act 1\n1. Council\nThere is a council.")
    add_document(text_of(2), kind="law", title="Ferries Act 2", unread_pages=[])
    rina.post(f"{page}act/", {"action": "repeat"})
    assert "Below is what was found the last time." in text(rina.get(page))
    making.run_next()
    shown = text(rina.get(page))
    assert shown.count("<b>new</b>") == 1
    assert "Gone since the last time" in shown
    assert "1 new, 1 gone" in shown
    replace_text(Source.objects.get(title="Ferries Act 2"), "Ferries Act 2\n1. Council\nThere is a council.")
    rina.post(f"{page}act/", {"action": "repeat"})
    making.run_next()
    shown = text(rina.get(page))
    assert "0 new, 1 gone" in shown
    assert "<b>new</b>" not in shown  # it was, the last time


def test_long_lists_are_shown_in_part_until_all_is_asked_for(rina: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(screens, "ROWS_AT_FIRST", 1)
    laws(3)
    page = make(rina)
    making.run_next()
    assert len(re.findall("not exceeding 90. crowns.</q>", text(rina.get(page)))) == 1
    assert "Show 2 more" in text(rina.get(page))
    assert len(re.findall("not exceeding 90. crowns.</q>", text(rina.get(page, {"all": "1"})))) == 3


def test_the_workbook_has_the_lists_and_the_certificate(rina: Client) -> None:
    laws(2)
    make(rina)
    making.run_next()
    answer = rina.get(f"/kb/surveys/{Survey.objects.get().pk}.xlsx")
    book = load_workbook(io.BytesIO(b"".join(answer)))
    assert book.sheetnames == ["Yes", "Undecided", "No, the nearest", "Certificate"]
    rows = list(book["Yes"].iter_rows(values_only=True))
    assert rows[1][0] == "Ferries Act 1"
    assert "901 crowns" in rows[1][3]
    assert (book["Yes"].page_setup.orientation, book["Yes"].page_setup.fitToHeight) == ("landscape", 0)
    assert book["Yes"]["A2"].hyperlink.target.startswith("http://testserver/documents/")
    told = dict(book["Certificate"].iter_rows(values_only=True))
    assert told["Read by a model"] == "No model read anything."
    Survey.objects.update(description="עונשין")
    book = load_workbook(io.BytesIO(b"".join(rina.get(f"/kb/surveys/{Survey.objects.get().pk}.xlsx"))))
    assert book.worksheets[0].sheet_view.rightToLeft
    assert book.sheetnames[0] == "כן"


def test_a_long_quote_costs_no_name_of_its_document(rina: Client) -> None:
    long = " ".join(["בנמל או בקרבתו"] * 30)
    law = f"חוק המעבורות\n1. מועצה\nמוקמת בזה מועצה.\n2. שינה\nהמשיט מעבורת {long} תוך כדי שינה, דינו – מאסר שנה."
    add_document(law, kind="law", title="חוק המעבורות", unread_pages=[])
    make(rina, description="עונשין")
    making.run_next()
    answer = rina.get(f"/kb/surveys/{Survey.objects.get().pk}.xlsx")
    sheet = load_workbook(io.BytesIO(b"".join(answer)))["כן"]
    assert long in sheet["D2"].value
    assert sheet["A2"].value == "חוק המעבורות"
    assert sheet["A2"].hyperlink.target.startswith("http://testserver/documents/")


def test_it_is_paused_and_deleted_by_who_may(rina: Client, client: Client) -> None:
    laws(1)
    page = make(rina)
    rina.post(f"{page}act/", {"action": "pause"})
    assert "It is paused." in text(rina.get(page))
    rina.post(f"{page}act/", {"action": "resume"})
    assert not Survey.objects.get().paused
    client.force_login(User.objects.create_user("other", password="x"))
    assert "Delete…" not in text(client.get(page))
    assert client.post(f"{page}act/", {"action": "pause"}).status_code == 403
    assert client.post(f"{page}delete/").status_code == 403
    Topic.objects.update(open_to=OpenTo.MEMBERS)
    make_topic(name="Open to all")
    assert client.get(page).status_code == 404
    assert "penalties" not in text(client.get("/surveys/"))
    Topic.objects.update(open_to=OpenTo.EVERYBODY)
    client.force_login(User.objects.get(username="rina"))
    assert client.post(f"{page}delete/").status_code == 302
    assert not Survey.objects.exists()
