"""What depends on who asks is kept by no cache."""

from typing import Any

import pytest
from django.test import Client
from rest_framework.test import APIClient

from tests.contract.things import Things
from tests.factories import first_topic
from tests.topics.keys import client_with_key

pytestmark = pytest.mark.django_db


def varies(response: Any) -> set[str]:
    return {name.strip().lower() for name in response.headers.get("Vary", "").split(",")}


@pytest.mark.parametrize(
    "path",
    [
        "/kb/topics",
        "/kb/sources",
        "/kb/sources/{source}",
        "/kb/sources/{source}/file",
        "/kb/sources/0",
        "/kb/labels",
        "/admin/kb/labels",
        "/admin/kb/jobs",
        "/admin/kb/jobs/{job}/file",
        "/admin/kb/stats",
        "/admin/kb/nothing",
    ],
)
def test_no_cache_keeps_an_answer_of_the_api(staff_client: Client, path: str) -> None:
    things = Things(first_topic())
    path = path.format(source=things.source().pk, job=things.job().pk)
    for client in (APIClient(), client_with_key(admin=True), staff_client):
        response = client.get(path)
        assert response.headers["Cache-Control"] == "no-store"
        assert {"authorization", "cookie"} <= varies(response)


def test_a_picture_of_a_page_is_kept_by_its_reader_alone(staff_client: Client) -> None:
    response = staff_client.get(f"/admin/kb/jobs/{Things(first_topic()).job().pk}/pages/1.png")
    assert response.status_code == 200
    assert response.headers["Cache-Control"].startswith("private")
    assert {"authorization", "cookie"} <= varies(response)


def test_a_search_is_kept_by_no_cache() -> None:
    response = APIClient().post("/kb/search", {"query": "law"}, format="json")
    assert response.headers["Cache-Control"] == "no-store"


def test_what_a_screen_gives_the_signed_in_is_kept_by_no_cache(staff_client: Client) -> None:
    response = staff_client.get("/labels/")
    assert "no-store" in response.headers["Cache-Control"]
    assert "cookie" in varies(response)
    assert "no-store" not in Client().get("/static/favicon.ico").headers.get("Cache-Control", "")
