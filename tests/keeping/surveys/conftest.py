"""A provider that reads provisions, and a person."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.contrib.auth.models import User
from rest_framework.test import APIClient

from tests.keeping.surveys.reader import ProvisionReader


@pytest.fixture
def reader(settings: Any) -> Iterator[ProvisionReader]:
    with ProvisionReader() as server:
        settings.KB_LLM_BASE_URL, settings.KB_LLM_MODEL, settings.KB_LLM_API_KEY = server.url, "a-model", "test-key"
        settings.KB_ANSWERER = "openai"
        yield server


@pytest.fixture
def rina(db: None) -> APIClient:
    client = APIClient()
    client.force_login(User.objects.create_user("rina", password="x"))
    return client
