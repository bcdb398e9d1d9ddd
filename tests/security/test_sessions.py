"""What becomes of a session: when it is made anew, and what ends it."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from kb_project.tasks import clear_sessions
from tests.factories import make_staff

pytestmark = pytest.mark.django_db
LOGIN = "/sign-in/"


def test_the_session_is_another_after_signing_in(client: Client) -> None:
    make_staff("dana")
    client.session["kept"] = 1
    planted = client.session
    planted.save()
    client.cookies["sessionid"] = str(planted.session_key)
    client.post(LOGIN, {"username": "dana", "password": "x"})
    assert client.cookies["sessionid"].value != planted.session_key
    assert not Session.objects.filter(pk=planted.session_key).exists()
    assert len(client.cookies["sessionid"].value) == 32  # of 36 letters and digits: 165 bits


def test_signing_out_ends_the_session_on_the_server(client: Client) -> None:
    make_staff("dana")
    client.post(LOGIN, {"username": "dana", "password": "x"})
    stolen = client.cookies["sessionid"].value
    assert client.get("/review/").status_code == 200
    client.post("/sign-out/")
    client.cookies["sessionid"] = stolen
    assert client.get("/review/").status_code == 302
    assert not Session.objects.filter(pk=stolen).exists()


def test_a_session_ends_by_itself(client: Client, settings: Any) -> None:
    assert settings.SESSION_COOKIE_AGE == 12 * 3600
    make_staff("dana")
    client.post(LOGIN, {"username": "dana", "password": "x"})
    assert client.cookies["sessionid"]["max-age"] == 12 * 3600
    Session.objects.update(expire_date=timezone.now() - timedelta(seconds=1))
    assert client.get("/review/").status_code == 302
    clear_sessions()
    assert not Session.objects.exists()


def test_a_made_up_session_opens_nothing(client: Client) -> None:
    client.cookies["sessionid"] = "a" * 32
    assert client.get("/review/").status_code == 302
    assert client.get("/admin/kb/jobs").status_code == 401


def test_who_is_deactivated_is_out_with_the_next_request(client: Client) -> None:
    dana = make_staff("dana")
    client.force_login(dana)
    assert client.get("/admin/kb/jobs").status_code == 200
    User.objects.filter(pk=dana.pk).update(is_active=False)
    assert client.get("/review/").status_code == 302
    assert client.get("/admin/kb/jobs").status_code == 401


def test_a_new_password_ends_the_other_sessions(client: Client) -> None:
    dana = make_staff("dana")
    client.force_login(dana)
    elsewhere = Client()
    elsewhere.force_login(dana)
    given = {"old_password": "x", "new_password1": "wide green rivers", "new_password2": "wide green rivers"}
    assert client.post("/password/", given).status_code == 302
    assert client.get("/review/").status_code == 200
    assert elsewhere.get("/review/").status_code == 302
