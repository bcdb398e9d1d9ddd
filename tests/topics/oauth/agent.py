"""An agent that asks for a person's access, step by step, over Django's test client."""

import base64
import hashlib
import html
import json
import re
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from django.test import Client

HOST = "https://testserver"
BACK = "https://agent.example/callback"
VERIFIER = "a-verifier-of-at-least-forty-three-characters-in-all"
CHALLENGE = base64.urlsafe_b64encode(hashlib.sha256(VERIFIER.encode()).digest()).decode().rstrip("=")


def register(**metadata: Any) -> Any:
    body = {"client_name": "Agent Smith", "redirect_uris": [BACK], **metadata}
    return Client().post("/oauth/register", json.dumps(body), content_type="application/json", secure=True)


def new_client_id() -> str:
    return str(register().json()["client_id"])


def question(client_id: str, *, slug: str = "library", **changed: str) -> str:
    """The address that the agent sends the person to."""
    asked = {
        "response_type": "code",
        "client_id": client_id,
        "redirect_uri": BACK,
        "state": "xyz",
        "code_challenge": CHALLENGE,
        "code_challenge_method": "S256",
        "resource": f"{HOST}/mcp/{slug}",
        **changed,
    }
    return "/oauth/authorize/?" + urlencode({name: value for name, value in asked.items() if value})


def onward(page: str) -> dict[str, str]:
    """What the page leads back to the agent with."""
    link = re.search(r'class="button primary" href="([^"]+)"', page)
    assert link, page
    return {name: values[0] for name, values in parse_qs(urlsplit(html.unescape(link[1])).query).items()}


def allow(person: Client, address: str) -> str:
    """The code."""
    answer = onward(person.post(address, {"allow": "1"}, secure=True).content.decode())
    assert answer["state"] == "xyz"
    return answer["code"]


def exchange(client_id: str, code: str, /, **changed: str) -> Any:
    asked = {"grant_type": "authorization_code", "client_id": client_id, "code": code, "redirect_uri": BACK}
    return Client().post("/oauth/token", {**asked, "code_verifier": VERIFIER, **changed}, secure=True)


def refresh(client_id: str, token: str, **changed: str) -> Any:
    asked = {"grant_type": "refresh_token", "client_id": client_id, "refresh_token": token}
    return Client().post("/oauth/token", {**asked, **changed}, secure=True)


def message(token: str, *, slug: str = "library") -> int:
    """The status of a message to MCP."""
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    headers = {"Authorization": f"Bearer {token}", "Accept": "application/json, text/event-stream"}
    answer = Client().post(
        f"/mcp/{slug}/", json.dumps(body), content_type="application/json", headers=headers, secure=True
    )
    return int(answer.status_code)
