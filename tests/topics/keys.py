"""API clients that hold a key, for tests."""

from datetime import datetime
from typing import Any

from rest_framework.test import APIClient

from topics.keys import issue_key
from topics.models import ApiKey


def authorization(plaintext: str) -> dict[str, Any]:
    return {"HTTP_AUTHORIZATION": f"Api-Key {plaintext}"}


def client_with_key(*, expires_at: datetime | None = None, **options: Any) -> APIClient:
    """A client whose every request carries a new key; the options are those of `issue_key`.

    `expires_at` may lie in the past: the key has then expired since it was made.
    """
    key, plaintext = issue_key(**{"name": "test", "by": "tests", **options})
    ApiKey.objects.filter(pk=key.pk).update(expires_at=expires_at)
    client = APIClient()
    client.credentials(**authorization(plaintext))
    return client
