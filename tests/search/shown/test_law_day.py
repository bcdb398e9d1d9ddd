"""The day of the law that is held: what a cookie may say, and putting it back."""

from datetime import date, timedelta

import pytest
from django.test import Client
from django.utils import timezone

from tests.search.corpus import add_document

pytestmark = pytest.mark.django_db
HELD = "kb_law_day"


@pytest.mark.parametrize("said", ["2022-06-01", "tomorrow", "2022-13-01", "", "0"])
def test_only_a_day_holds(client: Client, said: str) -> None:
    client.cookies[HELD] = said
    page = client.get("/documents/")
    assert page.status_code == 200
    assert page.context["law_day"] == (date(2022, 6, 1) if said == "2022-06-01" else None)


def test_today_is_not_held(client: Client) -> None:
    client.cookies[HELD] = timezone.localdate().isoformat()
    assert client.get("/").context["law_day"] is None
    day = timezone.localdate() - timedelta(days=400)
    asked = client.get(f"/?q=law&as_of={day}", headers={"HX-Request": "true"})
    assert asked.cookies[HELD].value == day.isoformat()
    assert client.get("/?q=law").context["form"].scope.as_of == day
    cleared = client.get("/?q=law", headers={"HX-Request": "true"})
    assert cleared.cookies[HELD].value == ""


def test_it_is_put_back_on_the_page_that_one_is_on(client: Client) -> None:
    add_document("1. Law\nA law.")
    client.cookies[HELD] = "2022-06-01"
    back = client.post("/day/today/", {"next": "/?q=law&as_of=2022-06-01&kind=law"})
    assert back["Location"] == "/?q=law&kind=law"
    assert back.cookies[HELD].value == ""
    assert client.post("/day/today/", {"next": "https://elsewhere.example/"})["Location"] == "/"
    assert client.get("/day/today/").status_code == 405
