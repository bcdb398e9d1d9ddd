"""Sessions end without a request for some time, and at their end whatever is asked."""

from datetime import timedelta
from typing import Any

import pytest
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from kb_project.accounts.second_look import SIGNED_IN_AT

pytestmark = pytest.mark.django_db
PAGE = "/account/sessions/"
IDLE = timedelta(minutes=120)


def ends_in() -> timedelta:
    return Session.objects.get().expire_date - timezone.now()


def passes(by: timedelta) -> None:
    """Time goes by for the session that there is."""
    row = Session.objects.get()
    Session.objects.update(expire_date=row.expire_date - by)


def test_a_session_ends_without_a_request_and_lasts_with_one(staff_client: Client) -> None:
    assert IDLE - timedelta(minutes=1) < ends_in() <= IDLE
    passes(timedelta(minutes=90))
    assert staff_client.get(PAGE).status_code == 200
    assert ends_in() > IDLE - timedelta(minutes=1)
    passes(timedelta(minutes=121))
    assert staff_client.get(PAGE).status_code == 302
    assert staff_client.get("/kb/watches").status_code == 401


def test_requests_do_not_prolong_it_beyond_its_hours(staff_client: Client, settings: Any) -> None:
    session = staff_client.session
    session[SIGNED_IN_AT] -= settings.SESSION_COOKIE_AGE - 60
    session.save()
    passes(timedelta(minutes=119, seconds=30))
    staff_client.get(PAGE)
    assert ends_in() < timedelta(seconds=61)


def test_the_end_named_by_a_sign_in_of_the_organisation_stays(staff_client: Client) -> None:
    session = staff_client.session
    session.set_expiry(timezone.now() + timedelta(minutes=5))
    session.save()
    passes(timedelta(minutes=4))
    staff_client.get(PAGE)
    assert ends_in() < timedelta(minutes=5)


def test_a_busy_session_is_written_seldom_and_nothing_else_of_it(
    staff_client: Client, django_assert_num_queries: Any
) -> None:
    session = staff_client.session
    passes(timedelta(minutes=30))
    other = staff_client.session  # a request that has read it
    other["kept"] = "by another"
    other.save()
    passes(timedelta(minutes=30))
    session.load()
    assert staff_client.session["kept"] == "by another"
    with django_assert_num_queries(1):
        staff_client.session.load()


def test_without_a_limit_a_session_lasts_its_hours(client: Client, staff: Any, settings: Any) -> None:
    settings.KB_SESSION_IDLE_MINUTES = 0
    client.force_login(staff)
    assert ends_in() > timedelta(hours=11)
    passes(timedelta(hours=10))
    assert client.get(PAGE).status_code == 200
    assert ends_in() < timedelta(hours=2)
