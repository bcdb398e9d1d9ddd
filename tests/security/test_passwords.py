"""Passwords: what a new one may be, and how it is asked for."""

import pytest
from django.test import Client

from tests.factories import make_staff

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("password", "taken"),
    [
        ("short1!", False),
        ("password12", False),
        ("Password2026!", False),
        ("1234567890", False),
        ("dragondragon", False),
        ("dana-levi-77", False),  # the account's own name
        ("wide green rivers", True),
        ("abcdefgzqxwvut", True),  # letters alone
        ("729461835520", True),  # digits alone
        ("סיסמה ארוכה מאוד", True),
        ("x" * 20 + "é" * 60, True),
    ],
)
def test_what_a_new_password_may_be(client: Client, password: str, taken: bool) -> None:
    dana = make_staff("dana-levi")
    client.force_login(dana)
    given = {"old_password": "x", "new_password1": password, "new_password2": password}
    assert (client.post("/password/", given).status_code == 302) is taken
    dana.refresh_from_db()
    assert dana.check_password(password) is taken
    assert dana.check_password(password.upper()) is False or (password.upper() == password and taken)


def test_changing_a_password_takes_the_present_one(client: Client) -> None:
    client.force_login(make_staff("dana"))
    given = {"old_password": "wrong", "new_password1": "wide green rivers", "new_password2": "wide green rivers"}
    assert client.post("/password/", given).status_code == 200


def test_password_boxes_are_masked_and_fit_password_managers(client: Client) -> None:
    page = client.get("/sign-in/").content.decode()
    assert 'type="password"' in page
    assert 'autocomplete="current-password"' in page
    assert "onpaste" not in page
    client.force_login(make_staff("dana"))
    assert client.get("/password/").content.decode().count('type="password"') == 3
