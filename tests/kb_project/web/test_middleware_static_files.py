"""Static files come with all headers of the service, and what is none is Django's to answer."""

from pathlib import Path
from typing import Any

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

pytestmark = pytest.mark.django_db
SHEET = "kb_project/api_docs.css"


def test_a_static_file_is_served_with_the_headers_of_every_answer() -> None:
    response = Client().get(f"/static/{SHEET}")
    assert response.status_code == 200
    assert b"".join(response) == Path(str(finders.find(SHEET))).read_bytes()
    assert response.headers["Content-Type"].startswith("text/css")
    assert response.headers["Content-Security-Policy"].startswith("default-src 'none'")
    assert response.headers["X-Content-Type-Options"] == "nosniff"


@pytest.mark.parametrize("path", ["/static/", "/static/nothing.js", "/static/../manage.py", "/static", "/staticfiles"])
def test_what_is_no_static_file_is_a_page_that_is_not_there(path: str) -> None:
    assert Client().get(path).status_code == 404


def test_files_are_looked_up_when_the_first_is_asked_for(settings: Any) -> None:
    """Not when the chain is made: a test client makes one, and to look takes longer than most tests."""
    settings.STATICFILES_FINDERS = ["no.such.Finder"]
    client = Client()
    assert client.get("/healthz").status_code == 200
    with pytest.raises(ImportError, match=r"'no'"):
        client.get(f"/static/{SHEET}")
