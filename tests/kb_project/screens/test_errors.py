"""Every error of a screen is a page of ours in the reader's language, or a notice for the page that is open."""

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from tests.factories import make_staff

pytestmark = [pytest.mark.urls("tests.kb_project.screens.failing"), pytest.mark.django_db]
HEBREW = {"Accept-Language": "he"}


@pytest.fixture
def lenient() -> Client:
    """Gets the page, where Django's own client would raise what caused it."""
    return Client(raise_request_exception=False)


def heading(response: Any) -> str:
    page = response.content.decode()
    assert response["Content-Type"] == "text/html; charset=utf-8"
    assert "Content-Security-Policy" in response.headers
    assert page.count("<h1") == 1
    assert "Traceback" not in page
    assert "secret" not in page
    found = re.search(r"<h1[^>]*>(.*?)</h1>", page)
    assert found
    return found[1]


@pytest.mark.parametrize(
    ("path", "status", "english", "hebrew"),
    [
        ("/nothing", 404, "There is nothing here", "אין כאן דבר"),
        ("/fail/denied/", 403, "Not allowed", "אין הרשאה"),
        ("/fail/large/", 413, "This is too large", "זה גדול מדי"),
        ("/fail/throttled/", 429, "Too many requests", "יותר מדי בקשות"),
        ("/fail/conflict/", 409, "This could not be done", "הפעולה לא בוצעה"),
        ("/form/", 405, "This address cannot be opened", "אי אפשר לפתוח את הכתובת הזאת"),
        ("/fail/unforeseen/", 500, "Something went wrong", "משהו השתבש"),
        ("/fail/database/", 503, "Not available now", "לא זמין כרגע"),
    ],
)
def test_each_error_is_a_page_in_the_reader_s_language(
    lenient: Client, path: str, status: int, english: str, hebrew: str
) -> None:
    lenient.force_login(make_staff())
    response = lenient.get(path, headers={"Referer": "http://testserver/labels/"})
    assert (response.status_code, heading(response)) == (status, english)
    page = response.content.decode()
    assert 'href="http://testserver/labels/"' in page
    assert ("<bdi>dana</bdi>" in page) is (status < 500)  # from there on the database may be away
    translated = lenient.get(path, headers=HEBREW)
    assert (heading(translated), 'dir="rtl"' in translated.content.decode()) == (hebrew, True)
    notice = lenient.get(path, headers={"HX-Request": "true"})
    assert (notice.status_code, notice["X-Notice"], "<html" in notice.content.decode()) == (status, "1", False)
    assert english in notice.content.decode()


def test_what_a_refusal_says_is_shown(lenient: Client) -> None:
    assert "Ask Miri." in lenient.get("/fail/denied/").content.decode()
    assert "Somebody else was first." in lenient.get("/fail/conflict/").content.decode()
    assert lenient.get("/fail/throttled/")["Retry-After"] == "7"
    assert int(lenient.get("/fail/database/")["Retry-After"]) > 0


@pytest.mark.parametrize("path", ["/fail/database/", "/fail/unforeseen/", "/nothing"])
def test_a_page_is_made_while_the_database_is_away(lenient: Client, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    lenient.force_login(make_staff())

    def away(*args: object, **kwargs: object) -> None:
        from django.db import OperationalError

        raise OperationalError("connection refused")

    monkeypatch.setattr(connection, "cursor", away)
    assert heading(lenient.get(path)) in ("Not available now", "Something went wrong")


def test_a_form_without_its_token_gets_a_page_that_leads_back() -> None:
    client = Client(enforce_csrf_checks=True)
    client.force_login(make_staff())
    refused = client.post("/form/", headers={"Referer": "http://testserver/form/"})
    assert (refused.status_code, heading(refused)) == (403, "This form can no longer be sent")
    assert 'href="http://testserver/form/"' in refused.content.decode()
    assert heading(client.post("/form/", headers=HEBREW)) == "אי אפשר עוד לשלוח את הטופס הזה"


def test_no_page_leads_elsewhere_or_fails_for_a_foreign_host(lenient: Client, settings: Any) -> None:
    assert "evil" not in lenient.get("/nothing", headers={"Referer": "https://evil.example/"}).content.decode()
    settings.ALLOWED_HOSTS = ["kb.example"]
    assert lenient.get("/nothing", headers={"Host": "evil.example"}).status_code == 400


def test_programs_keep_their_problem_objects(lenient: Client) -> None:
    for path in ("/kb/nothing", "/admin/kb/nothing"):
        assert lenient.get(path, headers=HEBREW)["Content-Type"] == "application/problem+json"
