"""Every path for every kind of caller: the statuses that `docs/access.md` promises."""

import os
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from django.contrib.auth.models import User
from django.utils import timezone
from drf_spectacular.generators import SchemaGenerator
from rest_framework.test import APIClient

from kb_project.configuration.roles import MANAGER, REVIEWER
from tests.contract.requests import OPERATIONS
from tests.contract.things import Things
from tests.factories import make_staff, make_topic
from tests.topics.keys import client_with_key
from topics.models import ApiKey, Topic

pytestmark = pytest.mark.django_db
TABLE = Path(__file__).resolve().parents[2] / "docs" / "access.md"
NOT_IN_THE_TABLE = {"GET /readyz"}  # its answer depends on what is up


def in_session(user: User) -> APIClient:
    client = APIClient()
    client.force_login(user)
    return client


def expired(topic: Topic) -> APIClient:
    client = client_with_key(admin=True, expires_at=timezone.now() + timedelta(minutes=1))
    ApiKey.objects.update(expires_at=timezone.now() - timedelta(seconds=1))
    return client


CALLERS: dict[str, Callable[[Topic], APIClient]] = {
    "anonymous": lambda topic: APIClient(),
    "reader key": lambda topic: client_with_key(),
    "pinned admin key": lambda topic: client_with_key(admin=True, topic=topic),
    "admin key": lambda topic: client_with_key(admin=True),
    "no role": lambda topic: in_session(make_staff(role=None)),
    "reviewer": lambda topic: in_session(make_staff(role=REVIEWER)),
    "manager": lambda topic: in_session(make_staff(role=MANAGER)),
    "expired key": expired,
}


def promised() -> dict[str, list[str]]:
    """The rows of the table: the request, and a status for each caller."""
    lines = TABLE.read_text(encoding="utf-8").split("## Paths")[1].splitlines()
    rows = [[cell.strip(" `") for cell in line.strip("|").split("|")] for line in lines if line.startswith("|")]
    assert rows[0][1:] == list(CALLERS)
    return {row[0]: row[1:] for row in rows[2:]}


def test_the_table_has_every_operation_of_the_api() -> None:
    paths = SchemaGenerator().get_schema(request=None, public=True)["paths"]
    operations = {f"{method.upper()} {path}" for path, methods in paths.items() for method in methods}
    assert operations - NOT_IN_THE_TABLE == set(promised()) == set(OPERATIONS)


@pytest.mark.parametrize("caller", CALLERS)
def test_every_caller_is_answered_as_promised(caller: str) -> None:
    topic = make_topic(slug="pinned", name="Pinned")
    things = Things(topic)
    client = CALLERS[caller](topic)
    column = list(CALLERS).index(caller)
    table = promised()
    answered = {operation: str(OPERATIONS[operation](things).by(client, operation.split()[0])) for operation in table}
    if os.environ.get("KB_SHOW_ACCESS"):
        print(caller, answered)
    assert answered == {operation: row[column] for operation, row in table.items()}


@pytest.mark.parametrize("method", ["GET", "PATCH", "DELETE"])
def test_what_lies_in_another_topic_is_not_there_for_pinned_key(method: str) -> None:
    topic, other = make_topic(slug="mine"), make_topic(slug="other")
    client, theirs = client_with_key(admin=True, topic=topic), Things(other)
    for operation, prepare in OPERATIONS.items():
        named, path = operation.split()
        if named == method and ("source_id" in path or "job_id" in path or "batch_id" in path):
            assert prepare(theirs).by(client, method) == 404, operation
    for operation in ("POST /kb/search", "POST /kb/ask", "POST /kb/ask/stream", "POST /admin/kb/upload"):
        assert OPERATIONS[operation](theirs).by(client, "POST") == 403, operation
