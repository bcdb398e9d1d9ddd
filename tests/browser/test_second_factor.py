"""A second factor in a real browser: an app and a passkey are added, and open the account again."""

from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import BrowserContext, Page, expect

from kb_project.models import SecondFactor
from tests.browser.axe import both_looks, looks_wrong
from tests.factories import make_staff
from tests.kb_project.accounts.second_factor.codes import code_of

pytestmark = pytest.mark.django_db(transaction=True)
TEXTS = {
    "en": ("Use a passkey", "Second factor"),
    "he": ("שימוש במפתח גישה", "אימות נוסף"),
}


@pytest.fixture
def address(asgi_server: str, settings: Any) -> str:
    """The same server by a name: no address in digits has passkeys."""
    return f"http://localhost:{urlsplit(asgi_server).port}"


@pytest.fixture
def authenticator(page: Page) -> None:
    """One that a person has touched already."""
    session = page.context.new_cdp_session(page)
    session.send("WebAuthn.enable")
    options = {
        "protocol": "ctap2",
        "transport": "usb",
        "hasUserVerification": False,
        "automaticPresenceSimulation": True,
    }
    session.send("WebAuthn.addVirtualAuthenticator", {"options": options})


def sign_in(page: Page, address: str) -> None:
    page.goto(f"{address}/sign-in/?next=/library/")
    page.locator("[name=username]").fill("dana")
    page.locator("[name=password]").fill("x")
    page.locator("[name=password]").press("Enter")


@pytest.mark.parametrize("language", ["en", "he"])
def test_a_manager_adds_an_app_and_a_passkey_and_comes_in_with_either(
    page: Page,
    context: BrowserContext,
    address: str,
    authenticator: None,
    complaints: list[str],
    settings: Any,
    language: str,
) -> None:
    settings.KB_REQUIRE_MFA = True
    make_staff()
    cookie = {"name": settings.LANGUAGE_COOKIE_NAME, "value": language, "url": address}
    context.add_cookies([cookie])  # type: ignore[list-item]  # Playwright's own dictionary
    use_passkey, title = TEXTS[language]
    found: list[str] = []

    sign_in(page, address)
    expect(page.locator("main h1")).to_have_text(title)
    found += looks_wrong(page)
    page.locator("a[href$='/second-factor/app/']").click()
    expect(page.locator("main img")).to_be_visible()
    secret = (page.locator("main code").text_content() or "").replace(" ", "")
    found += looks_wrong(page)
    page.locator("#code").fill(code_of(secret, ahead=-1))
    page.locator("#code").press("Enter")
    expect(page.locator("main ol li")).to_have_count(10)
    found += looks_wrong(page)
    page.locator("main a.primary").click()
    page.wait_for_url("**/library/")

    page.goto(f"{address}/account/second-factor/")
    page.locator("a[href$='/second-factor/passkey/']").click()
    found += looks_wrong(page)
    page.locator("#name").fill("Blue stick")
    page.locator("form[data-passkey] button").click()
    page.wait_for_url("**/account/second-factor/")
    expect(page.locator("main")).to_contain_text("Blue stick")
    for _ in both_looks(page):
        found += looks_wrong(page)

    context.clear_cookies(name=settings.SESSION_COOKIE_NAME)
    sign_in(page, address)
    page.get_by_role("button", name=use_passkey).wait_for()
    for _ in both_looks(page):
        found += looks_wrong(page)
    page.goto(f"{address}/library/")  # nothing opens before
    assert "/sign-in/" in page.url
    page.goto(f"{address}/sign-in/second-factor/")
    page.get_by_role("button", name=use_passkey).click()
    page.wait_for_url("**/library/")
    assert SecondFactor.objects.get(kind="passkey").last_used_at is not None

    context.clear_cookies(name=settings.SESSION_COOKIE_NAME)
    sign_in(page, address)
    page.locator("#code").fill(code_of(secret))
    page.locator("#code").press("Enter")
    page.wait_for_url("**/library/")
    assert found == []
    assert complaints == []
