"""Static files: their addresses, how long they are kept, and that what is none is Django's to answer."""

import gzip
import re
from pathlib import Path
from typing import Any
from urllib.parse import urljoin

import pytest
from django.contrib.staticfiles import finders
from django.templatetags.static import static
from django.test import Client

pytestmark = pytest.mark.django_db
SHEET = "kb/kb.css"
SCRIPT = "kb/site.js"
MAX_BYTES = 45_000  # of the style sheet


def content_of(name: str) -> bytes:
    return Path(str(finders.find(name))).read_bytes()


def test_a_file_has_its_hash_in_its_address_and_is_kept_a_year() -> None:
    address = static(SCRIPT)
    assert re.fullmatch(r"/static/kb/site\.[0-9a-f]{12}\.js", address)
    response = Client().get(address)
    assert response.content == content_of(SCRIPT)
    assert response.headers["Content-Type"] == "text/javascript; charset=utf-8"
    assert response.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert response.headers["Content-Security-Policy"].startswith("default-src 'none'")
    assert response.headers["X-Content-Type-Options"] == "nosniff"


def test_an_address_of_another_version_gives_the_present_file_for_a_minute() -> None:
    """While a service is upgraded. With the old content kept under the new address it would stay for a year."""
    for address in (f"/static/{SCRIPT}", "/static/kb/site.0123456789ab.js"):
        response = Client().get(address)
        assert response.content == content_of(SCRIPT)
        assert response.headers["Cache-Control"] == "public, max-age=60"


def test_browser_that_has_file_gets_it_compressed_and_only_once() -> None:
    whole = Client().get(static(SCRIPT))
    packed = Client().get(static(SCRIPT), headers={"Accept-Encoding": "br, gzip"})
    assert gzip.decompress(packed.content) == whole.content
    assert len(packed.content) < len(whole.content) / 2
    assert "accept-encoding" in whole.headers["Vary"].lower()
    again = Client().get(static(SCRIPT), headers={"If-None-Match": packed.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert Client().head(static(SCRIPT)).headers["Content-Length"] == str(len(whole.content))
    assert Client().post(static(SCRIPT)).status_code == 405


def test_every_address_in_a_style_sheet_leads_to_a_file() -> None:
    for sheet in (SHEET, "admin/css/base.css"):
        for relative in re.findall(rb"(?:url\(|@import )['\"]?([^'\")#?]+)", content_of(sheet)):
            if not relative.startswith(b"data:"):
                assert Client().get(urljoin(static(sheet), relative.decode())).status_code == 200, relative


def test_what_a_style_sheet_refers_to_is_kept_for_a_year_and_what_a_page_preloads_is_the_same_file() -> None:
    served = Client().get(static(SHEET)).content.decode()
    fonts = [urljoin(static(SHEET), relative) for relative in re.findall(r'url\("([^"]+)"\)', served)]
    assert len(fonts) == 8
    for font in fonts:
        assert "immutable" in Client().get(font).headers["Cache-Control"], font
    for language, most in (("en", 2), ("he", 4)):
        page = Client().get("/", headers={"Accept-Language": language}).content.decode()
        preloaded = re.findall(r'<link rel="preload" href="([^"]+)" as="font" type="font/woff2" crossorigin>', page)
        assert len(preloaded) == most
        assert set(preloaded) < set(fonts)


def test_the_style_sheet_is_one_and_light() -> None:
    assert len(content_of(SHEET)) <= MAX_BYTES
    page = Client().get("/").content.decode()
    assert page.count('rel="stylesheet"') == 1


def test_who_develops_sees_a_change_at_once(settings: Any) -> None:
    settings.DEBUG = True
    assert static(SHEET) == f"/static/{SHEET}"
    assert Client().get(f"/static/{SHEET}").headers["Cache-Control"] == "public, max-age=0"


@pytest.mark.parametrize(
    "path", ["/static/", "/static/kb", "/static/nothing.js", "/static/../manage.py", "/static/kb//kb.css", "/static"]
)
def test_what_is_no_static_file_is_a_page_that_is_not_there(path: str) -> None:
    assert Client().get(path).status_code == 404


def test_address_of_a_file_that_is_not_there_is_the_plain_one() -> None:
    assert static("kb/nothing.css") == "/static/kb/nothing.css"
