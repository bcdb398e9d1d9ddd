"""The official SDK's own OAuth client, from a refusal to the tool: a person allows it, in a browser's place."""

import asyncio
import html
import re
from collections.abc import AsyncGenerator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx2
import pytest
from django.conf import settings as django_settings
from django.test import Client as DjangoClient
from mcp import Client
from mcp.client.auth import OAuthClientProvider
from mcp.client.streamable_http import streamable_http_client
from mcp.shared.auth import AuthorizationCodeResult, OAuthClientInformationFull, OAuthClientMetadata, OAuthToken

from kb_project.configuration.roles import REVIEWER
from tests.answers.agent.mcp.clients import call, run
from tests.factories import make_staff
from topics.models import Topic
from topics.oauth.models import AgentConnection

BACK = "http://127.0.0.1:1/callback"


class Storage:
    """What the agent keeps."""

    tokens: OAuthToken | None = None
    client: OAuthClientInformationFull | None = None

    async def get_tokens(self) -> OAuthToken | None:
        return self.tokens

    async def set_tokens(self, tokens: OAuthToken) -> None:
        self.tokens = tokens

    async def get_client_info(self) -> OAuthClientInformationFull | None:
        return self.client

    async def set_client_info(self, client_info: OAuthClientInformationFull) -> None:
        self.client = client_info


class Person:
    """Signed in with a browser that follows the agent's link, and says yes."""

    def __init__(self, *, session: str) -> None:
        self.asked = 0
        self._session = session
        self._answer: dict[str, str] = {}

    async def follow(self, address: str) -> None:
        self.asked += 1
        await asyncio.to_thread(self._say_yes, address)

    async def answer(self) -> AuthorizationCodeResult:
        return AuthorizationCodeResult(code=self._answer["code"], state=self._answer.get("state"))

    def _say_yes(self, address: str) -> None:
        cookies = {django_settings.SESSION_COOKIE_NAME: self._session}
        with httpx2.Client(cookies=cookies, timeout=60) as browser:
            page = browser.get(address).text
            token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', page)
            assert token, page
            said = browser.post(address, data={"csrfmiddlewaretoken": token[1], "allow": "1"}).text
        link = re.search(r'class="button primary" href="([^"]+)"', said)
        assert link, said
        assert link[1].startswith(BACK)
        query = parse_qs(urlsplit(html.unescape(link[1])).query)
        self._answer = {name: values[0] for name, values in query.items()}


@asynccontextmanager
async def agent(url: str, *, person: Person, storage: Storage) -> AsyncGenerator[Client]:
    metadata = OAuthClientMetadata(client_name="SDK", redirect_uris=[BACK])  # type: ignore[list-item]
    auth = OAuthClientProvider(url, metadata, storage, person.follow, person.answer)
    async with AsyncExitStack() as stack:
        http_client = await stack.enter_async_context(httpx2.AsyncClient(auth=auth, timeout=60))
        yield await stack.enter_async_context(Client(streamable_http_client(url, http_client=http_client)))


@pytest.fixture
def session(settings: Any, transactional_db: None) -> str:
    settings.KB_OAUTH = settings.KB_PUBLIC_REQUIRES_KEY = True
    browser = DjangoClient()
    browser.force_login(make_staff(role=REVIEWER))
    return browser.cookies[django_settings.SESSION_COOKIE_NAME].value


@pytest.mark.parametrize("end", ["/", ""])
def test_the_official_client_finds_its_way_from_a_refusal_to_the_tool(
    asgi_server: str, library: Topic, harbour: Topic, session: str, end: str
) -> None:
    person, storage = Person(session=session), Storage()

    async def talk() -> None:
        async with agent(f"{asgi_server}/mcp/library{end}", person=person, storage=storage) as client:
            text, is_error = await call(client, query="how many books")
            assert not is_error
            assert "title: Library law" in text
            assert "nine books" not in text
        assert person.asked == 1

        first = storage.tokens
        assert first is not None
        await asyncio.to_thread(lambda: AgentConnection.objects.update(access_ends_at="2020-01-01T00:00Z"))
        async with agent(f"{asgi_server}/mcp/library{end}", person=person, storage=storage) as client:
            await call(client, query="how many books")

        assert storage.tokens is not None
        assert storage.tokens.access_token != first.access_token

    run(talk)


def test_its_token_does_not_open_another_topic(asgi_server: str, library: Topic, harbour: Topic, session: str) -> None:
    person, storage = Person(session=session), Storage()

    async def talk() -> None:
        async with agent(f"{asgi_server}/mcp/library/", person=person, storage=storage) as client:
            await client.list_tools()

    run(talk)
    assert storage.tokens is not None
    body = {"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}
    headers = {
        "Authorization": f"Bearer {storage.tokens.access_token}",
        "Accept": "application/json, text/event-stream",
    }
    statuses = [
        httpx2.post(f"{asgi_server}/mcp/{slug}/", json=body, headers=headers, timeout=60).status_code
        for slug in ("library", "harbour")
    ]
    assert statuses == [200, 403]
