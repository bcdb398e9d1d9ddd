"""Signing in with a second factor, having one, losing it, and being made to have one."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth import SESSION_KEY
from django.contrib.auth.models import User
from django.test import Client

from kb_project.accounts import links, login_throttle
from kb_project.accounts.second_factor import entering, factors
from kb_project.configuration.roles import REVIEWER
from kb_project.errors import Conflict
from kb_project.models import AuditEntry, Identity, SecondFactor
from tests import redis_keys
from tests.factories import make_staff
from tests.kb_project.accounts.browsers import long_ago
from tests.kb_project.accounts.second_factor.codes import code_of, with_app
from topics.models import Topic, TopicMember, TopicRole

pytestmark = pytest.mark.django_db
SHOW, OVERVIEW, APP = "/sign-in/second-factor/", "/account/second-factor/", "/account/second-factor/app/"


@pytest.fixture(autouse=True)
def no_failures_counted() -> Iterator[None]:
    redis_keys.forget(f"{login_throttle.PREFIX}*")
    yield
    redis_keys.forget(f"{login_throttle.PREFIX}*")


def type_password(client: Client, username: str = "dana", then: str = "/review/") -> str:
    """Where the sign-in page leads to."""
    answer = client.post("/sign-in/", {"username": username, "password": "x", "next": then})
    assert answer.status_code == 302, answer.content
    return str(answer["Location"])


def is_signed_in(client: Client) -> bool:
    return SESSION_KEY in client.session


def test_without_one_the_password_is_enough(client: Client) -> None:
    make_staff()
    assert type_password(client) == "/review/"
    assert is_signed_in(client)


def test_a_password_alone_opens_nothing_where_there_is_one(client: Client) -> None:
    secret, _codes = with_app(make_staff())
    assert type_password(client) == SHOW
    assert not is_signed_in(client)
    for path in ("/review/", "/people/", "/admin/", OVERVIEW, APP, "/password/", "/admin/kb/jobs"):
        answer = client.get(path)
        assert answer.status_code == 401 or answer["Location"].startswith(("/sign-in/", "/admin/login/")), path
    for wrong in ("000000", "abcd-abcd-abcd-abcd", "", code_of(secret, ahead=9)):
        assert client.post(SHOW, {"code": wrong}).status_code == 403
    assert client.post(SHOW, {"code": code_of(secret)})["Location"] == "/review/"
    assert is_signed_in(client)
    assert client.get("/review/").status_code == 200


def test_no_code_counts_twice(client: Client) -> None:
    secret, codes = with_app(make_staff())
    code = code_of(secret)
    for shown, status in ((code, 302), (code, 403), (codes[0], 302), (codes[0], 403), (codes[1].upper(), 302)):
        other = Client()
        type_password(other)
        assert other.post(SHOW, {"code": shown}).status_code == status, shown
    assert SecondFactor.objects.filter(kind="recovery").count() == 8
    assert [entry.after["second_factor"] for entry in AuditEntry.objects.filter(action="user.edit").order_by("pk")] == [
        "added: app",
        "recovery code used",
        "recovery code used",
    ]
    ways = AuditEntry.objects.exclude(action="user.edit").order_by("pk").values_list("action", "after__way")
    entered, refused = ("user.sign_in", "second factor"), ("user.refuse", "second factor")
    assert list(ways) == [entered, refused, entered, refused, entered]


def test_guesses_are_counted(client: Client, settings: Any) -> None:
    settings.KB_LOGIN_FAILURES = {"account_and_address": "3/h", "account": "9/h", "address": "100/h"}
    secret, _codes = with_app(make_staff())
    type_password(client)
    said = [client.post(SHOW, {"code": "000000"}).content.decode() for _n in range(4)]
    assert ["Too many attempts" in page for page in said] == [False, False, False, True]
    assert client.post(SHOW, {"code": code_of(secret)}).status_code == 403  # a right one is not looked at either


def test_who_waits_too_long_or_has_another_password_by_then_begins_again(client: Client) -> None:
    user = make_staff()
    secret, _codes = with_app(user)
    type_password(client)
    session = client.session
    session[entering.PENDING] = [*session[entering.PENDING][:3], 0]
    session.save()
    assert client.post(SHOW, {"code": code_of(secret)})["Location"] == "/sign-in/"
    type_password(client)
    user.set_password("another one")
    user.save()
    assert client.post(SHOW, {"code": code_of(secret)})["Location"] == "/sign-in/"
    assert not is_signed_in(client)


@pytest.mark.parametrize("language", ["en", "he"])
def test_an_app_is_added_by_its_code_and_recovery_codes_are_shown_once(client: Client, language: str) -> None:
    make_staff()
    type_password(client)
    client.cookies["django_language"] = language
    page = client.get(APP).content.decode()
    assert "data:image/svg+xml" in page
    assert client.post(APP, {"code": "000000"}).status_code == 400
    secret = client.session["second_factor_app"]
    assert " ".join(re.findall("....", secret)) in page
    shown = re.findall(
        r"<code dir=\"ltr\">([a-z2-7-]+)</code>", client.post(APP, {"code": code_of(secret)}).content.decode()
    )
    assert len(shown) == 10
    overview = client.get(OVERVIEW).content.decode()
    assert ("10 recovery codes are left" if language == "en" else "נותרו 10 קודי שחזור") in overview
    assert shown[0] not in overview
    renewed = client.post(f"{OVERVIEW}codes/").content.decode()
    assert shown[0] not in renewed
    assert not factors.take_code(User.objects.get(), shown[0])


def test_who_signed_in_long_ago_shows_the_password_before_anything_is_changed(client: Client) -> None:
    user = make_staff()
    client.force_login(user)
    long_ago(client)
    for path in (OVERVIEW, APP, f"{OVERVIEW}passkey/"):
        assert client.get(path)["Location"] == "/account/second-factor/confirm/"
    assert client.post("/account/second-factor/confirm/", {"second_look_password": "y"}).status_code == 403
    assert client.post("/account/second-factor/confirm/", {"second_look_password": "x"})["Location"] == OVERVIEW
    assert client.get(APP).status_code == 200


def test_the_last_one_takes_the_recovery_codes_with_it_and_nobody_removes_anothers(settings: Any) -> None:
    settings.KB_REQUIRE_MFA = False
    user, other = make_staff(), make_staff("avi")
    with_app(user)
    with_app(other)
    with pytest.raises(Exception, match="no such second factor"):
        factors.remove(user, factors.factors_of(other).get().pk)
    factors.remove(user, factors.factors_of(user).get().pk)
    assert set(SecondFactor.objects.values_list("user__username", flat=True)) == {"avi"}


def test_a_manager_removes_a_lost_one(client: Client) -> None:
    boss, user = make_staff("boss"), make_staff()
    with_app(user)
    open_tab = Client()
    open_tab.force_login(user)
    client.force_login(boss)
    assert "Second factor lost…" in client.get("/people/").content.decode()
    path = f"/people/{user.pk}/second-factor/"
    assert "signed out everywhere" in client.get(path).content.decode()
    client.post(path)
    assert open_tab.get("/review/").status_code == 302
    assert type_password(Client()) == "/review/"
    assert AuditEntry.objects.filter(action="user.edit").latest("pk").after == {"second_factor": "removed: all"}
    reviewer = Client()
    reviewer.force_login(make_staff("rina", role=REVIEWER))
    assert reviewer.post(path).status_code == 403


class TestRequired:
    @pytest.fixture(autouse=True)
    def required(self, settings: Any) -> None:
        settings.KB_REQUIRE_MFA = True

    def test_a_manager_adds_one_before_anything_else_opens(self, client: Client) -> None:
        make_staff()
        assert type_password(client) == OVERVIEW
        assert "Your role needs a second factor" in client.get(OVERVIEW).content.decode()
        assert client.get("/review/").status_code == 302
        assert not is_signed_in(client)
        client.get(APP)
        page = client.post(APP, {"code": code_of(client.session["second_factor_app"])}).content.decode()
        assert 'href="/review/"' in page
        assert client.get("/review/").status_code == 200
        with pytest.raises(Conflict, match="needs a second factor"):
            factors.remove(User.objects.get(), factors.factors_of(User.objects.get()).get().pk)

    def test_a_reviewer_needs_none(self, client: Client) -> None:
        make_staff(role=REVIEWER)
        assert type_password(client) == "/review/"

    def test_a_session_from_before_is_nobodys(self, client: Client) -> None:
        client.force_login(make_staff())
        assert client.get("/review/")["Location"].startswith("/sign-in/")
        assert client.get("/admin/kb/jobs").status_code == 401
        reviewer = Client()
        reviewer.force_login(make_staff("rina", role=REVIEWER))
        assert reviewer.get("/review/").status_code == 200

    def test_an_invited_manager_adds_one_at_once(self, client: Client) -> None:
        user = make_staff(email="dana@acme.example")
        form = client.get(links.invitation_path(user))["Location"]
        answer = client.post(form, {"new_password1": "wide green rivers", "new_password2": "wide green rivers"})
        assert answer["Location"] == OVERVIEW
        assert not is_signed_in(client)

    def test_the_operators_link_opens_without_one(self, client: Client) -> None:
        user = make_staff()
        with_app(user)
        client.post(links.path_for(user))
        assert client.get("/review/").status_code == 200

    def test_who_has_one_of_the_organisations_accounts_is_told_that_it_asks(self, client: Client) -> None:
        user = make_staff()
        user.set_unusable_password()
        user.save()
        Identity.objects.create(user=user, issuer="https://acme.example", subject="1")
        client.force_login(user)
        session = client.session
        session[entering.PROVEN] = True
        session.save()
        assert client.get("/review/").status_code == 200
        assert "with the organisation" in client.get("/account/second-factor/confirm/").content.decode()

    def test_whoever_manages_one_topic_needs_one(self) -> None:
        person = User.objects.create_user("tami", password="x")
        member = TopicMember.objects.create(topic=Topic.objects.get(pk=1), person=person, role=TopicRole.REVIEWER)
        assert not factors.is_required(person)
        member.role = TopicRole.MANAGER
        member.save()
        assert factors.is_required(User.objects.get(pk=person.pk))
