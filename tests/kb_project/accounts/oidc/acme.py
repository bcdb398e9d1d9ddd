"""The organisation of the tests: its provider's process, and a person's way through its sign-in page."""

import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import requests
from django.test import Client

from tests.kb_project.accounts.oidc.site import CLIENT_ID, CLIENT_SECRET
from tests.local_server import server_process

TEST_CLIENT = "http://testserver"  # where Django's test client says that it is
GROUPS = {"groups": ["legal"], "preferred_username": "noa", "email": "noa@acme.example", "email_verified": True}


class Acme:
    """A running provider, as it is to anybody: at rest it knows noa, of the group `legal`, and answers rightly."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.issuer = f"{url}/o"

    def set(self, **what: Any) -> None:
        assert requests.post(f"{self.url}/control", json=what, timeout=60).ok

    def logout_token(self, subject: str = "sub-of-noa", **claims: Any) -> str:
        """A token that signs somebody out, with other claims in the place of its own; None leaves one out."""
        now = int(time.time())
        own = {"iss": self.issuer, "aud": CLIENT_ID, "sub": subject, "iat": now, "exp": now + 60, "jti": "1"}
        events: dict[str, Any] = {"http://schemas.openid.net/event/backchannel-logout": {}}
        said = {name: value for name, value in {**own, "events": events, **claims}.items() if value is not None}
        return requests.post(f"{self.url}/control", json={"sign": said}, timeout=60).text

    def reset(self, *clients: str) -> None:
        self.set(tamper="", userinfo_only=[], answers={}, people={"noa": GROUPS}, clients=clients)

    def settings(self) -> dict[str, Any]:
        return {
            "KB_OIDC_ISSUER": self.issuer,
            "KB_OIDC_CLIENT_ID": CLIENT_ID,
            "KB_OIDC_CLIENT_SECRET": CLIENT_SECRET,
            "KB_OIDC_ROLES": "legal=reviewer;CN=Leads,OU=Legal=manager;operators=superuser",
            "KB_OIDC_LABEL": "Acme",
        }

    def answer_for(self, client: Client, name: str = "noa", **asked: str) -> str:
        """Begin in the client, sign in here, and give the path that the browser is then sent to."""
        begun = client.get("/sign-in/organisation/", asked)
        assert begun.status_code == 302, begun.content.decode()
        with requests.Session() as browser:
            page = browser.get(begun["Location"], timeout=60)
            token = re.search(r'csrfmiddlewaretoken" value="(\w+)"', page.text)
            assert token, page.text
            sent = {"username": name, "password": "x", "csrfmiddlewaretoken": token[1]}
            answer = browser.post(page.url, {**sent, "next": _next_of(page.text)}, timeout=60, allow_redirects=False)
            answer = browser.get(f"{self.url}{answer.headers['Location']}", timeout=60, allow_redirects=False)
        parts = urlsplit(answer.headers["Location"])
        return f"{parts.path}?{parts.query}"

    def enter(self, client: Client, name: str = "noa", **options: Any) -> Any:
        return client.get(self.answer_for(client, name, **options))


def _next_of(page: str) -> str:
    found = re.search(r'name="next" value="([^"]*)"', page)
    return found[1].replace("&amp;", "&") if found else ""


@contextmanager
def running(folder: Path) -> Iterator[Acme]:
    site = "tests.kb_project.accounts.oidc.site"
    with open(folder / "log", "wb") as log, server_process(site, str(folder), log=log) as process:
        yield Acme(process.url)
