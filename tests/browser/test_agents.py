"""An agent is let in by a person in a real browser, and put out again; and the audit of it."""

import json
from collections.abc import Callable
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

import httpx2
import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import both_looks, looks_wrong
from tests.factories import make_topic
from tests.topics.oauth.agent import CHALLENGE, VERIFIER

pytestmark = pytest.mark.django_db(transaction=True)
TEXTS = {
    "en": ("Allow", "Revoke", "The agent can no longer enter."),
    "he": ("לאשר", "ביטול", "הסוכן אינו יכול עוד להיכנס."),
}


@pytest.mark.parametrize("language", ["en", "he"])
def test_an_agent_is_let_in_and_put_out(
    page: Page,
    log_in: Callable[..., None],
    asgi_server: str,
    complaints: list[str],
    settings: Any,
    language: str,
) -> None:
    settings.KB_OAUTH = settings.KB_PUBLIC_REQUIRES_KEY = True
    make_topic(slug="library", name="Libraries")
    log_in(language=language)
    let_in, revoke, revoked = TEXTS[language]
    back = f"{asgi_server}/sign-in/done/"  # in the place of the agent's own page
    body = {"client_name": "Agent Smith", "redirect_uris": [back]}
    client_id = httpx2.post(f"{asgi_server}/oauth/register", json=body).json()["client_id"]
    asked = {
        "response_type": "code",
        "client_id": client_id,
        "redirect_uri": back,
        "state": "xyz",
        "code_challenge": CHALLENGE,
        "code_challenge_method": "S256",
        "resource": f"{asgi_server}/mcp/library",
    }
    found: list[str] = []

    page.goto(f"{asgi_server}/oauth/authorize/?{urlencode(asked)}")
    expect(page.locator("main")).to_contain_text("Libraries")
    for _ in both_looks(page):
        found += looks_wrong(page)
    page.get_by_role("button", name=let_in, exact=True).click()
    page.wait_for_url("**/sign-in/done/?*")
    code = parse_qs(urlsplit(page.url).query)["code"][0]
    form = {"grant_type": "authorization_code", "client_id": client_id, "code": code, "redirect_uri": back}
    token = httpx2.post(f"{asgi_server}/oauth/token", data={**form, "code_verifier": VERIFIER}).json()["access_token"]

    def status() -> int:
        message = json.dumps({"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}})
        headers = {
            "Authorization": f"Bearer {token}",
            "Accept": "application/json, text/event-stream",
            "Content-Type": "application/json",
        }
        return httpx2.post(f"{asgi_server}/mcp/library/", content=message, headers=headers, timeout=60).status_code

    assert status() == 200
    page.goto(f"{asgi_server}/account/agents/?show=all")
    for _ in both_looks(page):
        found += looks_wrong(page)
    page.get_by_role("button", name=f"{revoke}: Agent Smith").click()
    expect(page.locator("main")).to_contain_text(revoked)
    assert status() == 401

    page.goto(f"{asgi_server}/audit/?what=agent.")
    expect(page.locator("tbody tr")).to_have_count(2)
    page.locator("summary", has_text="2").first.click()
    for _ in both_looks(page):
        found += looks_wrong(page)
    assert found == []
    assert complaints == []
