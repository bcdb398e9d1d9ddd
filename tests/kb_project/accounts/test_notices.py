"""Mail of what was done to what opens an account, and the second look before it is done."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import translation

from kb_project.accounts.people import editing
from kb_project.accounts.second_factor import factors
from kb_project.models import AuditEntry
from tests.factories import make_staff
from tests.kb_project.accounts.browsers import long_ago
from tests.kb_project.accounts.mails import mails_in, text_of
from tests.kb_project.accounts.second_factor.codes import with_app
from tests.waiting import wait_until
from topics.keys import issue_key
from topics.models import ApiKey

pytestmark = pytest.mark.django_db
Callbacks = Callable[..., Any]
NEW = {"new_password1": "wide green rivers", "new_password2": "wide green rivers"}
CONFIRM = "/account/second-factor/confirm/"


def test_each_change_is_mailed_to_whose_account_it_is(
    start_worker: Callable[..., Any],
    settings: Any,
    client: Client,
    tmp_path: Path,
    django_capture_on_commit_callbacks: Callbacks,
) -> None:
    settings.EMAIL_URL = f"filemail:///{tmp_path}/mail"
    start_worker(
        EMAIL_URL=settings.EMAIL_URL, DEFAULT_FROM_EMAIL="kb@acme.example", KB_PUBLIC_URL="https://kb.acme.example"
    )
    dana, boss = make_staff("dana", email="dana@acme.example"), make_staff("boss", is_superuser=True)
    client.force_login(dana)
    person = {"role": "manager", "first_name": "", "last_name": ""}
    with django_capture_on_commit_callbacks(execute=True):
        client.post("/account/keys/new/", {"name": "script"}, headers={"Accept-Language": "he"})
        translation.activate("en")
        factors.remove_all(dana, by=boss)  # there is none: nothing to tell
        with_app(dana)
        editing.change(dana.pk, {**person, "email": "new@acme.example"}, by=boss)
        editing.change(dana.pk, {**person, "email": "new@acme.example", "last_name": "D"}, by=boss)
        client.post("/password/", {"old_password": "x", "standing": "keep", **NEW})
        issue_key(name="of nobody", by="manage.py create_api_key")
    folder = tmp_path / "mail"
    wait_until(lambda: len(mails_in(folder)) >= 5)
    mails = mails_in(folder)
    assert sorted((str(mail["To"]), str(mail["Subject"]).strip()) for mail in mails) == [
        ("dana@acme.example", "The e-mail address of your account was changed."),
        ("dana@acme.example", "The second factors of your account were changed."),
        ("dana@acme.example", "נוצר מפתח בחשבון שלכם."),
        ("new@acme.example", "The e-mail address of your account was changed."),
        ("new@acme.example", "The password of your account was changed."),
    ]
    for mail in mails:
        assert "dana" in text_of(mail)
        assert "https://kb.acme.example" in text_of(mail, "html")


def test_nothing_is_mailed_where_no_mail_is_sent(django_capture_on_commit_callbacks: Callbacks) -> None:
    dana = make_staff("dana", email="dana@acme.example")
    with django_capture_on_commit_callbacks() as callbacks:
        with_app(dana)
    assert callbacks == []
    assert AuditEntry.objects.filter(after={"second_factor": "added: app"}).exists()


@pytest.mark.parametrize("path", ["/keys/new/", "/account/keys/new/"])
def test_who_signed_in_long_ago_shows_their_password_before_a_key_is_made(staff_client: Client, path: str) -> None:
    long_ago(staff_client)
    assert staff_client.post(path, {"name": "mine"}).status_code == 403
    asked = staff_client.get(path)
    assert asked["Location"].startswith(CONFIRM)
    assert staff_client.get(path, headers={"HX-Request": "true"})["HX-Redirect"].startswith(CONFIRM)
    assert not ApiKey.objects.exists()
    assert staff_client.post(asked["Location"], {"second_look_password": "y"}).status_code == 403
    assert staff_client.post(asked["Location"], {"second_look_password": "x", "next": path})["Location"] == path
    assert staff_client.post(path, {"name": "mine"}).status_code == 200
    assert ApiKey.objects.get().name == "mine"


@pytest.mark.parametrize("dialog", ["", "link/", "second-factor/", "deactivate/", "activate/"])
def test_who_signed_in_long_ago_shows_their_password_before_an_account_is_opened(
    staff_client: Client, dialog: str
) -> None:
    paths = ["/people/invite/", f"/people/{make_staff('noa').pk}/{dialog}"]
    assert [staff_client.get(path).status_code for path in paths] == [200, 200]
    long_ago(staff_client)
    for path in paths:
        assert staff_client.get(path)["Location"].startswith(CONFIRM)
        assert staff_client.post(path).status_code == 403


def test_the_api_makes_no_key_for_who_signed_in_long_ago(staff_client: Client) -> None:
    def ask() -> Any:
        return staff_client.post("/kb/account/keys", {"name": "mine"}, content_type="application/json")

    assert ask().status_code == 201
    long_ago(staff_client)
    refused = ask()
    assert (refused.status_code, refused.json()["type"]) == (403, "urn:kb:problem:permission_denied")
    assert CONFIRM in refused.json()["detail"]


@pytest.mark.usefixtures("organisation")
def test_who_has_no_password_is_led_to_the_organisation(client: Client) -> None:
    user = make_staff("noa")
    user.set_unusable_password()
    user.save()
    client.force_login(user)
    page = client.get(CONFIRM, {"next": "/account/keys/new/"}).content.decode()
    assert 'href="/sign-in/organisation/?next=%2Faccount%2Fkeys%2Fnew%2F&amp;again=1"' in page
    assert "is not kept" not in page
    long_ago(client)
    assert "is not kept" in client.post("/account/keys/new/", {"name": "mine"}).content.decode()


@pytest.fixture
def organisation(settings: Any) -> None:
    settings.KB_OIDC_ISSUER = "https://acme.example"


def test_a_manager_needs_a_second_factor_once_another_has_one(settings: Any) -> None:
    first, second, reviewer = make_staff("first"), make_staff("second"), make_staff("avi", role="reviewer")
    with_app(reviewer)
    assert not factors.is_required(first)
    with_app(first)
    assert factors.is_required(User.objects.get(pk=second.pk))
    assert not factors.is_required(User.objects.get(pk=first.pk))  # who has the only one may remove it
    assert not factors.is_required(User.objects.get(pk=reviewer.pk))
    settings.KB_REQUIRE_MFA = False
    assert not factors.is_required(User.objects.get(pk=second.pk))
