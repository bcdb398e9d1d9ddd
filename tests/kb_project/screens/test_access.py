"""Who may see a screen, and what the others are shown."""

import pytest
from django.test import Client

from kb_project.configuration.roles import REVIEWER
from tests.factories import make_staff

pytestmark = pytest.mark.django_db


def test_a_stranger_is_sent_to_the_login_page(client: Client) -> None:
    response = client.get("/review/")
    assert response.status_code == 302
    assert response["Location"] == "/sign-in/?next=/review/"


def test_whose_session_has_ended_is_told_so(client: Client) -> None:
    client.force_login(make_staff(role=REVIEWER))
    client.session.flush()
    response = client.get("/review/")
    assert response["Location"] == "/sign-in/?ended=1&next=/review/"
    assert "Your session has ended." in client.get(response["Location"]).content.decode()


def test_a_script_gets_401_and_a_form_is_led_back_to_its_page(client: Client) -> None:
    for headers in ({"HX-Request": "true"}, {"Sec-Fetch-Dest": "empty"}):
        refused = client.get("/review/", headers=headers)
        assert (refused.status_code, refused.content) == (401, b"")
    page = "http://testserver/labels/?q=%D7%97"
    sent = client.post("/labels/1/merge/", headers={"Referer": page})
    assert sent["Location"] == "/sign-in/?next=/labels/%3Fq%3D%25D7%2597"
    for referer in ("https://evil.example/labels/", ""):
        assert client.post("/labels/1/merge/", headers={"Referer": referer})["Location"] == "/sign-in/?next=/"


def test_who_is_no_staff_any_more_is_told_so(client: Client) -> None:
    client.force_login(make_staff(is_staff=False))
    assert client.get("/review/").status_code == 403


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
