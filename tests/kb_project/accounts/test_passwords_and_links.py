"""Changing a password, a forgotten one, and the operator's link."""

import re
from collections.abc import Callable, Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.test import Client

from kb_project.accounts import login_throttle
from kb_project.models import AuditEntry
from tests import redis_keys
from tests.factories import make_staff
from tests.kb_project.accounts.mails import mails_in, text_of

pytestmark = pytest.mark.django_db
FORGOTTEN = "/password/forgotten/"
NEW = {"new_password1": "wide green rivers", "new_password2": "wide green rivers"}


@pytest.fixture
def mail(settings: Any) -> Iterator[None]:
    """The service can send mail, and nobody has asked for a link yet."""
    settings.EMAIL_URL, settings.DEFAULT_FROM_EMAIL = "memorymail://", "kb@acme.example"
    redis_keys.forget(f"{login_throttle.PREFIX}*")
    yield
    redis_keys.forget(f"{login_throttle.PREFIX}*")


def test_a_password_is_changed_where_one_is_and_noted(client: Client) -> None:
    client.force_login(make_staff("dana"))
    changed = client.post("/password/", {"old_password": "x", **NEW}, follow=True)
    assert changed.redirect_chain == [("/password/", 302)]
    assert "Other browsers have been signed out" in changed.content.decode()
    assert AuditEntry.objects.get().after == {"password": "changed"}
    User.objects.get().set_unusable_password()
    assert Client().get("/password/")["Location"] == "/sign-in/?next=/password/"


def test_without_mail_the_page_says_whom_to_ask(client: Client) -> None:
    assert "Ask a manager" in client.get(FORGOTTEN).content.decode()
    assert "פנו למנהל: תחת ניהול, אנשים" in client.get(FORGOTTEN, headers={"Accept-Language": "he"}).content.decode()
    assert client.post(FORGOTTEN, {"email": "dana@acme.example"}).status_code == 403


def test_a_forgotten_one_is_replaced_by_a_link_that_works_once(
    start_worker: Callable[..., Any], client: Client, mail: None, tmp_path: Path
) -> None:
    start_worker(EMAIL_URL=f"filemail:///{tmp_path}/mail", DEFAULT_FROM_EMAIL="kb@acme.example")
    make_staff("dana", email="Dana@acme.example")
    pages = [
        client.post(FORGOTTEN, {"email": address}, headers={"Accept-Language": "he"}).context["sent_to"]
        for address in ("nobody@acme.example", "dana@acme.example")
    ]
    assert pages == ["nobody@acme.example", "dana@acme.example"]  # the page says no more of the one than of the other
    (message,) = mails_in(tmp_path / "mail")
    body, shown = text_of(message), text_of(message, "html")
    assert (message["To"], message["Subject"].strip()) == ("Dana@acme.example", "סיסמה אחרת למאגר הידע המשפטי")
    assert "התבקשה סיסמה אחרת לחשבון dana" in body
    link = re.search(r"http://testserver(/password/new/\S+)", body)
    assert link
    assert '<html lang="he" dir="rtl">' in shown
    assert f'href="{link[0]}"' in shown
    form = client.get(link[1])["Location"]
    for language, said in (("en", "at least 10 characters"), ("he", "לפחות 10 תווים")):
        short = client.post(form, dict.fromkeys(NEW, "short"), headers={"Accept-Language": language})
        assert re.search(f'class="[^"]*error[^>]*>[^<]*{said}', short.content.decode())
    assert client.post(form, NEW)["Location"] == "/sign-in/"
    assert User.objects.get().check_password("wide green rivers")
    assert AuditEntry.objects.get().after == {"password": "changed"}
    assert "has been used, or is too old" in Client().get(link[1]).content.decode()


def test_links_are_not_sent_again_and_again(client: Client, mail: None, settings: Any) -> None:
    settings.KB_LOGIN_FAILURES = {"account_and_address": "2/h", "account": "9/h", "address": "100/h"}
    answers = [client.post(FORGOTTEN, {"email": "nobody@acme.example"}) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert int(answers[2]["Retry-After"]) > 3000


def test_operator_s_link_signs_in_once_also_without_passwords(client: Client, settings: Any, caplog: Any) -> None:
    settings.KB_OIDC_ISSUER, settings.KB_OIDC_LOCAL_ACCOUNTS = "https://acme.example", False
    make_staff("root", is_superuser=True)
    out = StringIO()
    call_command("sign_in_link", "root", stdout=out)
    link = out.getvalue().strip()
    assert "<bdi>root</bdi>" in client.get(link).content.decode()
    assert client.get("/review/").status_code == 302  # looking at it signs nobody in
    assert client.post(link)["Location"] == "/"
    assert client.get("/review/").status_code == 200
    again = Client().post(link)
    assert (again.status_code, "has been used" in again.content.decode()) == (403, True)
    token = link.rstrip("/").rpartition("/")[2]
    assert token not in caplog.text
    made, entered = AuditEntry.objects.order_by("pk")
    assert made.by == "manage.py sign_in_link"
    assert (entered.by, entered.action, entered.after["way"]) == ("root", "user.sign_in", "link")
    for made_up in ("/sign-in/link/MQ/abc-def/", "/sign-in/link/x/y/", f"/sign-in/link/{'9' * 50}/{token}/"):
        assert client.get(made_up).status_code == 403
    settings.KB_OIDC_LOCAL_ACCOUNTS = True
    assert "has been used" in client.get(f"/password/new/MQ/{token}/").content.decode()  # nor opens it anything else
    User.objects.update(is_staff=False)
    with pytest.raises(CommandError, match="no active account of the staff named 'root'"):
        call_command("sign_in_link", "root")
