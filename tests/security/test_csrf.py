"""No change without a token: every form, and every path of the API that a browser's session opens."""

import re

import pytest
from django.test import Client
from rest_framework.authentication import SessionAuthentication

from answers.agent.mcp.http import Mcp
from tests.factories import make_staff
from tests.security.paths import Path, every_path

pytestmark = pytest.mark.django_db


@pytest.fixture
def browser() -> Client:
    """Signed in as a superuser, whom nothing else refuses, and checked as a browser is."""
    client = Client(enforce_csrf_checks=True)
    client.force_login(make_staff("root", is_superuser=True))
    return client


def takes_no_session(path: Path) -> bool:
    """MCP, what agents ask of OAuth, what the organisation says, and links of mails: whoever is signed in is nobody."""
    return (
        path.view is Mcp
        or path.name in ("sign-out-organisation", "watches-stop")
        or (path.view is not None and path.view.authentication_classes == [])
    )


def test_every_unsafe_request_of_a_session_without_a_token_is_refused(browser: Client) -> None:
    let_through = {}
    for path in every_path():
        for method in path.unsafe_methods:
            if path.path and not takes_no_session(path):
                browser.cookies.pop("csrftoken", None)  # pages that say no set it, and with it the body is read first
                response = browser.generic(method, path.path, b"{}", content_type="application/json")
                if response.status_code != 403 or "csrf" not in response.content.decode().lower():
                    let_through[f"{method} {path.path}"] = response.status_code
    assert let_through == {}


def test_a_form_without_a_token_is_refused_as_json_is(browser: Client) -> None:
    response = browser.post("/admin/kb/labels", {"name": "forged"})
    assert response.status_code == 403
    assert "CSRF" in response.json()["detail"]


def test_only_views_that_do_their_own_check_or_nothing_are_exempt() -> None:
    """DRF exempts its views and checks where a session is what opens them; one of ours changes nothing."""
    exempt = {path.name for path in every_path() if path.view is None and getattr(path.callback, "csrf_exempt", False)}
    assert exempt == {r"^admin/kb(/|$)", "sign-out-organisation", "watches-stop"}
    for path in every_path():
        if path.view is not None and path.unsafe_methods:
            sessions = [one for one in path.view.authentication_classes if issubclass(one, SessionAuthentication)]
            assert sessions or takes_no_session(path), path


def test_session_counts_for_nothing_where_no_token_is_asked_for(browser: Client, settings: object) -> None:
    settings.KB_PUBLIC_REQUIRES_KEY = True  # type: ignore[attr-defined]
    response = browser.post("/mcp/general/", {}, content_type="application/json")
    assert response.status_code == 401


@pytest.mark.parametrize(
    "path",
    ["/", "/review/", "/review/upload/", "/library/", "/labels/", "/admin/", "/status/", "/topics/1/", "/keys/new/"],
)
def test_every_form_that_posts_carries_a_token(browser: Client, path: str) -> None:
    page = browser.get(path).content.decode()
    forms = re.findall(r"<form\b[^>]*method=\"?post.*?</form>", page, re.DOTALL | re.IGNORECASE)
    assert forms
    assert [form for form in forms if "csrfmiddlewaretoken" not in form] == []


def test_nothing_is_changed_by_a_safe_request(browser: Client) -> None:
    """`set_language` and signing out, which frameworks often let a link do, take no GET."""
    before = browser.session.session_key
    assert browser.get("/sign-out/").status_code == 405
    assert browser.session.session_key == before
    assert "django_language" not in browser.get("/i18n/setlang/?language=he").cookies
