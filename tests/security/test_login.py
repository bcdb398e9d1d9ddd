"""Signing in: how often it may fail, and what a failure tells."""

import logging
import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.hashers import MD5PasswordHasher
from django.contrib.auth.models import User
from django.test import Client

from kb_project.accounts import login_throttle
from kb_project.accounts.login_throttle import Attempt, LocalStore, TooManyLogins
from tests import redis_keys
from tests.factories import make_staff
from tests.security.paths import every_path
from tests.waiting import wait_until

pytestmark = pytest.mark.django_db
LOGIN = "/sign-in/"
HOME = "127.0.0.1"


@pytest.fixture(autouse=True)
def limits(settings: Any) -> Iterator[None]:
    """Three failures of an account from one address, six of an account, nine from an address; none so far."""
    settings.KB_LOGIN_FAILURES = {"account_and_address": "3/h", "account": "6/h", "address": "9/h"}

    def forget() -> None:
        redis_keys.forget(f"{login_throttle.PREFIX}*")
        login_throttle._local.__init__()  # type: ignore[misc]

    forget()
    yield
    forget()


def enter(name: str = "dana", password: str = "wrong", *, address: str = HOME, language: str = "en") -> Any:
    return Client(REMOTE_ADDR=address).post(
        LOGIN, {"username": name, "password": password}, headers={"Accept-Language": language}
    )


@pytest.mark.parametrize("name", ["dana", "nobody"])
def test_after_some_failures_no_account_is_looked_at(name: str) -> None:
    make_staff("dana")
    answers = [enter(name) for _ in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 200]
    refused = enter(name, "x")  # the right password of the one that is there
    assert refused.status_code == 429
    assert 3500 < int(refused.headers["Retry-After"]) <= 3600
    assert "Too many attempts" in refused.content.decode()
    assert "sessionid" not in refused.cookies


def test_a_failure_says_the_same_of_every_account(settings: Any) -> None:
    settings.KB_LOGIN_FAILURES = dict.fromkeys(settings.KB_LOGIN_FAILURES, "100/h")
    make_staff("dana")
    make_staff("gone", is_active=False)
    User.objects.create_user("reader", password="x")  # no staff
    pages = {}
    for name, password in (("dana", "wrong"), ("nobody", "x"), ("gone", "x"), ("reader", "wrong")):
        answer = enter(name, password)
        pages[name] = [str(error) for error in answer.context["form"].errors["__all__"]]
        assert answer.status_code == 200
    assert len({tuple(page) for page in pages.values()}) == 1


def test_as_much_is_computed_for_an_account_that_is_not_there(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    settings.KB_LOGIN_FAILURES = dict.fromkeys(settings.KB_LOGIN_FAILURES, "100/h")
    make_staff("dana")
    make_staff("gone", is_active=False)
    hashed: list[str] = []
    encode = MD5PasswordHasher.encode

    def noted(self: MD5PasswordHasher, password: str, salt: str) -> str:
        hashed.append(password)
        return encode(self, password, salt)

    monkeypatch.setattr(
        MD5PasswordHasher,
        "encode",
        noted,
    )
    for name in ("dana", "nobody", "gone"):
        hashed.clear()
        enter(name)
        assert len(hashed) == 1, name


def test_the_sentence_is_hebrew_in_hebrew() -> None:
    for _ in range(3):
        enter()
    assert "יותר מדי ניסיונות כניסה נכשלו" in enter(language="he").content.decode()


def test_spelling_the_name_otherwise_does_not_help() -> None:
    for name in ("dana", "DANA", "ｄana"):
        enter(name)
    assert enter("Dana").status_code == 429


def test_another_address_has_failures_of_its_own() -> None:
    for n in range(3):
        enter(address="10.0.0.1")
        assert enter(address="10.0.0.2").status_code == 200, n
    assert enter(address="10.0.0.3").status_code == 429


def test_nobody_can_lock_out_one_who_signed_in_before() -> None:
    make_staff("dana")
    assert enter("dana", "x").status_code == 302
    for n in range(8):
        enter(address=f"10.0.1.{n}")
    assert enter("dana", "x", address="10.0.2.1").status_code == 429  # a place that dana never signed in from
    assert enter("dana", "x").status_code == 302


def test_an_address_that_tries_many_accounts_is_refused() -> None:
    for n in range(9):
        assert enter(f"user{n}").status_code == 200
    assert enter("user9").status_code == 429
    assert enter("user9", address="10.0.0.9").status_code == 200


def test_the_addresses_of_one_network_of_ipv6_are_one() -> None:
    for n in range(9):
        enter(f"user{n}", address=f"2001:db8:1:2::{n}")
    assert enter("user9", address="2001:db8:1:2:ffff::1").status_code == 429
    assert enter("user9", address="2001:db8:1:3::1").status_code == 200


def test_a_right_password_takes_its_failures_with_it() -> None:
    make_staff("dana")
    for _ in range(4):
        enter()
        enter()
        assert enter("dana", "x").status_code == 302
    assert enter().status_code == 200


def test_a_refused_attempt_does_not_make_the_wait_longer(settings: Any) -> None:
    settings.KB_LOGIN_FAILURES = {**settings.KB_LOGIN_FAILURES, "account_and_address": "1/s"}
    enter()
    wait_until(lambda: enter().status_code == 200)


def test_without_redis_each_process_counts_by_itself(settings: Any, caplog: Any) -> None:
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    make_staff("dana")
    for _ in range(3):
        assert enter().status_code == 200
    assert enter("dana", "x").status_code == 429
    assert "counts failed sign-ins by itself" in caplog.text
    assert enter("dana", "x", address="10.0.0.1").status_code == 302


def test_what_a_process_counts_by_itself_has_an_end() -> None:
    store = LocalStore()
    for n in range(login_throttle.MAX_LOCAL_KEYS + 5):
        store.count({str(n): 60})
    assert len(store._counts) == login_throttle.MAX_LOCAL_KEYS


def test_an_attempt_that_outlasts_the_period_leaves_no_count_without_an_end() -> None:
    attempt = Attempt(account="dana", address=HOME)
    redis_keys.forget(f"{login_throttle.PREFIX}*")  # as when their periods have ended
    attempt.succeeded()
    assert [key.split(":")[2] for key in redis_keys.keys_like(f"{login_throttle.PREFIX}*")] == ["known"]


def test_parallel_attempts_do_not_slip_through() -> None:
    begun = [Attempt(account="dana", address=HOME) for _ in range(3)]  # none of them has ended
    with pytest.raises(TooManyLogins):
        Attempt(account="dana", address=HOME)
    begun[0].succeeded()
    Attempt(account="dana", address=HOME)


def test_sign_ins_are_in_the_log_without_passwords_or_the_names_of_failures(caplog: Any) -> None:
    make_staff("dana")
    with caplog.at_level(logging.INFO, logger="kb.security"):
        enter("my-own-pass-word", "hunter2hunter2")
        enter("dana", "x", address="10.1.2.3")
    assert f"sign-in from {HOME}: failed" in caplog.text
    assert "sign-in from 10.1.2.3: dana" in caplog.text
    assert "hunter2" not in caplog.text
    assert "my-own-pass-word" not in caplog.text


def test_no_name_of_an_account_stands_in_redis() -> None:
    enter("dana")
    keys = redis_keys.keys_like(f"{login_throttle.PREFIX}*")
    assert len(keys) == 3
    assert not [key for key in keys if "dana" in key or HOME in key]


def test_there_is_no_way_in_but_the_login_page() -> None:
    """No registration, no secret questions; the admin's login page is the same page."""
    words = "login|(?<!de)sign|password|reset|register|account|invit"
    ways = {path.name for path in every_path() if re.search(words, path.name)}
    assert ways == {
        *("sign-in", "signed-in", "sign-in-organisation", "sign-in-return", "sign-in-link", "sign-out", "signed-out"),
        "sign-out-organisation",
        *("password", "password-forgotten", "password-new"),
        # of who is signed in, and of programs, which sign nobody in
        *("account-keys", "account-key-make", "account-key-revoke", "kb-account-keys", "kb-account-key"),
        *("account-sessions", "account-sessions-end"),
        "oauth-register",
        *("admin:login", "admin:password_change", "admin:password_change_done", "invitation", "people-invite"),
    }


def test_who_signs_in_without_a_destination_comes_to_a_page() -> None:
    user = make_staff()
    user.set_password("a long enough password")
    user.save()
    sent = {"username": user.username, "password": "a long enough password", "next": "https://elsewhere.example/"}
    response = Client().post(LOGIN, sent, follow=True)
    assert [status for _, status in response.redirect_chain] == [302]
    assert (response.status_code, response.redirect_chain[-1][0]) == (200, "/")
