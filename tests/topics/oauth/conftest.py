"""Topics, a reviewer and tokens of theirs, with agents allowed."""

from typing import Any

import pytest
from django.test import Client

from kb_project.configuration.roles import REVIEWER
from tests import redis_keys
from tests.factories import make_staff, make_topic
from tests.topics.oauth.agent import (
    allow,
    exchange,
    new_client_id,
    question,
)


@pytest.fixture(autouse=True)
def on(settings: Any) -> None:
    settings.KB_OAUTH = True
    settings.KB_PUBLIC_REQUIRES_KEY = True
    make_topic(slug="library", name="Libraries")
    make_topic(slug="harbour", name="Harbours")
    redis_keys.forget("kb:throttle:register:*")


@pytest.fixture
def dana(client: Client) -> Client:
    client.force_login(make_staff(role=REVIEWER))
    return client


@pytest.fixture
def tokens(dana: Client) -> dict[str, str]:
    client_id = new_client_id()
    answer = exchange(client_id, allow(dana, question(client_id)))
    assert answer.status_code == 200, answer.content
    return {**answer.json(), "client_id": client_id}
