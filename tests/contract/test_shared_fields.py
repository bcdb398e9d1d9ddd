"""Threads share the fields of request serializers: checking a request leaves nothing behind in any of them."""

import gc
from typing import Any

import pytest
from django.test import Client
from rest_framework.fields import Field

from tests.contract.requests import OPERATIONS
from tests.contract.things import Things
from tests.factories import first_topic

pytestmark = [pytest.mark.django_db, pytest.mark.deep]


def ask_all(client: Client) -> set[int]:
    """Send the request of every operation that has a body of JSON. The statuses."""
    things, statuses = Things(first_topic()), set()
    for operation, request in OPERATIONS.items():
        send = request(things)
        if isinstance(send.body, dict) and not send.form:
            ask = getattr(client, operation.split()[0].lower())
            statuses.add(ask(send.path, send.body, content_type="application/json").status_code)
    return statuses


def test_checking_a_request_writes_to_no_field_that_others_have(
    staff_client: Client, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.REST_FRAMEWORK = {**settings.REST_FRAMEWORK, "DEFAULT_THROTTLE_RATES": {}}
    assert {200, 201} <= ask_all(staff_client)  # from now on the fields of each class are bound
    shared = {id(one): one for one in gc.get_objects() if issubclass(type(one), Field)}
    written: list[str] = []

    def noting(field: Any, name: str, value: Any) -> None:
        if id(field) in shared:
            written.append(f"{type(field).__name__} {field.__dict__.get('field_name')}.{name}")
        object.__setattr__(field, name, value)

    monkeypatch.setattr(Field, "__setattr__", noting, raising=False)
    ask_all(staff_client)
    assert written == []
