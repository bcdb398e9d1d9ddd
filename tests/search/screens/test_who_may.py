"""Who sees the search screens, and how often."""

from typing import Any
from urllib.parse import parse_qs, urlsplit

import pytest
from django.test import Client

from sources.models import Source
from tests.factories import make_staff
from tests.pages import page

pytestmark = pytest.mark.django_db


def test_with_a_key_required_only_those_signed_in_see_the_pages(
    client: Client, library: dict[str, Source], settings: Any
) -> None:
    settings.KB_PUBLIC_REQUIRES_KEY = True
    paths = [
        "/?q=deposit",
        "/ask/?q=deposit",
        "/documents/?kind=law",
        "/changes/?kind=law",
        f"/documents/{library['law'].pk}/",
    ]
    for path in paths:
        response = client.get(path)
        assert response.status_code == 302
        assert parse_qs(urlsplit(response["Location"]).query)["next"] == [path]
        assert client.get(path, headers={"HX-Request": "true"}).status_code == 401
    client.force_login(make_staff(role=None))
    for path in paths:
        assert client.get(path).status_code == 200


def test_the_pages_are_only_read(client: Client) -> None:
    assert client.post("/").status_code == 405
    assert client.head("/").status_code == 200


def test_searches_on_page_and_over_the_api_are_counted_together(
    client: Client, library: dict[str, Source], rates: Any
) -> None:
    rates(search="2/day")
    page(client, q="deposit")
    assert client.post("/kb/search", {"query": "x"}, content_type="application/json").status_code == 200
    response = client.get("/", {"q": "deposit"})
    assert response.status_code == 429
    assert int(response["Retry-After"]) > 0
    assert "Too many requests came from your address" in response.content.decode()
    page(client)  # a page without a search is not one
    page(client, q="deposit", ask=1)


@pytest.mark.parametrize(
    "path", ["/", "/ask/?q=deposit", "/documents/", "/documents/1/", "/changes/", "/changes/feed/"]
)
def test_every_page_is_counted(client: Client, rates: Any, path: str) -> None:
    rates(anon="1/day")
    client.get("/kb/topics")
    response = client.get(path)
    assert response.status_code == 429
    assert int(response["Retry-After"]) > 0


def test_what_a_page_fetches_while_it_is_read_is_counted_apart(
    client: Client, library: dict[str, Source], rates: Any
) -> None:
    rates(anon="2/day", reading="4/day")
    document = f"/documents/{library['law'].pk}/"
    page(client, document)
    for fetched in ("part/?part=1", "contents/", "find/?text=x", "preview/"):
        assert client.get(document + fetched).status_code == 200
    assert client.get(f"{document}part/?part=1").status_code == 429
    page(client, q="deposit")
    assert client.get(document).status_code == 429


def test_answers_are_counted_apart(client: Client, library: dict[str, Source], rates: Any) -> None:
    rates(ask="1/day")
    page(client, "/ask/", q="What is a deposit?")
    text = page(client, "/ask/", status=429, q="What is a deposit?")
    assert "Too many requests came from your address" in text
    page(client, q="deposit")
