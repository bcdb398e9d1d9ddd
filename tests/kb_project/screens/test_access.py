"""Who may see a screen, and what the others are shown."""

import pytest
from django.test import Client

from kb_project.accounts.roles import REVIEWER
from tests.factories import make_staff

pytestmark = pytest.mark.django_db


def test_a_stranger_is_sent_to_the_login_page(client: Client) -> None:
    response = client.get("/review/")
    assert response.status_code == 302
    assert response["Location"] == "/admin/login/?next=/review/"


def test_a_piece_of_a_page_asks_a_stranger_to_load_the_page_again(client: Client) -> None:
    assert client.get("/review/", headers={"HX-Request": "true"})["HX-Refresh"] == "true"


def test_staff_without_a_role_are_told_so_in_their_language(client: Client) -> None:
    client.force_login(make_staff(role=None))
    response = client.get("/review/", headers={"Accept-Language": "he"})
    assert response.status_code == 403
    assert "מנהל" in response.content.decode()


def test_a_reviewer_may_look_and_upload(client: Client) -> None:
    client.force_login(make_staff(role=REVIEWER))
    assert client.get("/review/").status_code == 200
    assert client.head("/review/").status_code == 200
    assert client.get("/review/upload/").status_code == 200


def test_a_method_that_a_page_does_not_know_is_405(staff_client: Client) -> None:
    assert staff_client.post("/review/").status_code == 405
