"""The language of an answer: the reader's on the screens, English for programs."""

from typing import Any

import pytest
from django.test import Client

from tests.search.corpus import add_source

pytestmark = pytest.mark.django_db
HEBREW = {"Accept-Language": "he"}


def test_a_screen_speaks_the_language_that_is_asked_for(staff_client: Client) -> None:
    answer = staff_client.get("/review/upload/", headers=HEBREW)
    assert (answer["Content-Language"], "Accept-Language" in answer["Vary"]) == ("he", True)
    assert 'dir="rtl"' in answer.content.decode()


def test_the_api_speaks_english_whatever_is_asked_for(staff_client: Client) -> None:
    staff_client.cookies["django_language"] = "he"
    answer = staff_client.get("/admin/kb/jobs", {"limit": "many"}, headers=HEBREW)
    assert (answer.status_code, answer["Content-Language"]) == (400, "en")
    assert answer.json()["errors"] == {"limit": ["Must be an integer."]}
    answer = staff_client.get("/admin/kb/jobs", {"status": "lost"}, headers=HEBREW)
    assert answer.json()["errors"] == {"status": ['"lost" is not a valid choice.']}
    assert "Accept-Language" not in answer.get("Vary", "")


@pytest.mark.parametrize(("shown_in", "said"), [("he", "נכון ליום"), ("en", "as of"), ("xx", "as of")])
def test_a_page_shows_what_the_api_answers_in_its_own_language(client: Client, shown_in: str, said: str) -> None:
    add_source("water of the river", kind="law")
    body = {"query": "water", "topic_id": 1}
    answer = client.post("/kb/search", body, "application/json", headers={"KB-Screen-Language": shown_in})
    assert said in answer.json()["results"][0]["source"]["holds"]


@pytest.mark.django_db
@pytest.mark.parametrize("path", ["/", "/kb/topics", "/healthz"])
def test_an_unknown_host_is_one_line_of_the_log(client: Client, path: str, caplog: pytest.LogCaptureFixture) -> None:
    assert client.get(path, HTTP_HOST="evil.example\nx").status_code == 400
    (line,) = caplog.records
    assert "the host 'evil.example\\nx' is not in ALLOWED_HOSTS" in line.getMessage()
    assert line.exc_info is None


@pytest.mark.parametrize("path", ["/library/export.csv", "/radar/radar.csv", "/kb/search.md?query=water"])
def test_a_file_refused_for_a_port_says_why_in_the_log(
    staff_client: Client, path: str, caplog: pytest.LogCaptureFixture, settings: Any
) -> None:
    add_source("water of the river", kind="law")
    refused = staff_client.get(path, HTTP_HOST="testserver:6666")
    (line,) = caplog.records
    assert refused.status_code == 400
    assert "the port of the host 'testserver:6666' is not this service's (KB_PUBLIC_URL)" in line.getMessage()
    assert "KB_PUBLIC_URL" not in refused.content.decode()
    settings.KB_PUBLIC_URL = "https://kb.acme.example"
    assert staff_client.get(path, HTTP_HOST="testserver:6666").status_code == 200


def test_a_long_value_is_not_repeated_whole_in_its_refusal(staff_client: Client) -> None:
    answer = staff_client.get("/admin/kb/jobs", {"status": "x" * 5000})
    (sentence,) = answer.json()["errors"]["status"]
    assert sentence.endswith('x" is not a valid choice.')
    assert len(answer.content) < 1000
