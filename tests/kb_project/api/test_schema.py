"""The API's document and the page to browse it are open, and the page lives under the strict CSP."""

import re
from html.parser import HTMLParser
from typing import Any

import pytest
from django.test import Client
from rest_framework.test import APIClient

pytestmark = [pytest.mark.urls("tests.kb_project.api.probes"), pytest.mark.django_db]


class Page(HTMLParser):
    """What a strict CSP would block, and where the page's scripts and styles come from."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.inline: list[str] = []
        self.sources: list[str] = []
        self._inside = ""
        self.feed(html)

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = dict(attributes)
        self._inside = tag if tag in ("script", "style") else ""
        self.inline += [name for name in given if name == "style" or name.startswith("on")]
        source = given.get("src") or (given.get("href") if tag == "link" else None)
        if source:
            self.sources.append(source)

    def handle_endtag(self, tag: str) -> None:
        self._inside = ""

    def handle_data(self, data: str) -> None:
        if self._inside and data.strip():
            self.inline.append(data)


def test_the_document_comes_as_json_or_yaml() -> None:
    assert "/kb/topics" in APIClient().get("/api/schema/?format=json").json()["paths"]
    response = APIClient().get("/api/schema/")
    assert response["Content-Type"].startswith("application/vnd.oai.openapi")
    assert response.content.startswith(b"openapi: 3.1")


@pytest.mark.parametrize("query", ["?lang=%00", "?version=1%0d%0ax:y", "?nope=1", "?format=json&format=yaml"])
def test_the_document_takes_nothing_else(query: str) -> None:
    response = APIClient().get(f"/api/schema/{query}")
    assert response.status_code == 400
    assert response["Content-Type"] == "application/problem+json"


def test_a_format_that_there_is_not_is_404() -> None:
    assert APIClient().get("/api/schema/?format=xml").status_code == 404


def test_the_page_has_nothing_inline_and_everything_from_here(client: Client) -> None:
    response = client.get("/api/docs/", headers={"accept": "text/html"})
    policy = response["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe-inline" not in policy
    page = Page(response.content.decode())
    assert page.inline == []
    assert len(page.sources) >= 5
    for source in page.sources:
        assert source.startswith("/")
        assert client.get(source, headers={"accept": "*/*"}).status_code == 200, source


def test_the_page_s_script_starts_swagger_ui_on_the_document(client: Client) -> None:
    script = next(s for s in Page(client.get("/api/docs/").content.decode()).sources if "script" in s)
    response = client.get(script)
    assert response["Content-Type"].startswith("application/javascript")
    assert re.search(r'url: "[^"]*schema', response.content.decode().replace("\\u002D", "-").replace("\\u002F", "/"))


def test_both_are_open_also_with_a_false_key(settings: Any) -> None:
    settings.KB_PUBLIC_REQUIRES_KEY = True
    client = APIClient(HTTP_AUTHORIZATION="Api-Key false")
    assert client.get("/api/schema/?format=json").status_code == 200
    assert client.get("/api/docs/").status_code == 200
