"""API clients that hold a key, for tests."""

from __future__ import annotations

from typing import Any

from rest_framework.test import APIClient

from topics.keys import issue_key


def authorization(plaintext: str) -> dict[str, str]:
    return {"HTTP_AUTHORIZATION": f"Api-Key {plaintext}"}


def client_with_key(**options: Any) -> APIClient:
    """A client whose every request carries a new key; the options are those of `issue_key`."""
    _key, plaintext = issue_key(**{"name": "test", **options})
    client = APIClient()
    client.credentials(**authorization(plaintext))
    return client
