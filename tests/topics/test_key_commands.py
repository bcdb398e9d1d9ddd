"""`list_api_keys` shows what each key may do and no secret; `revoke_api_key` ends one by its prefix."""

from datetime import timedelta
from io import StringIO
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.core.management import CommandError, call_command
from django.utils import timezone

from kb_project.models import AuditEntry
from tests.factories import make_staff, make_topic
from topics.keys import find_usable_key, issue_key
from topics.models import ApiKey

pytestmark = pytest.mark.django_db


def run(*arguments: str) -> str:
    out = StringIO()
    call_command(*arguments, stdout=out)
    return out.getvalue()


def test_every_key_has_a_line_with_its_scope_and_state() -> None:
    pinned, secret = issue_key(name="סקריפט לילה", admin=True, topic=make_topic(slug="tax"), by="tests")
    expired, _secret = issue_key(name="old", by="tests")
    ApiKey.objects.filter(pk=expired.pk).update(expires_at=timezone.now() - timedelta(days=1))
    heading, first, second = run("list_api_keys").splitlines()
    assert "MADE BY" in heading
    assert heading.split()[:4] == ["PREFIX", "STATE", "SCOPE", "TOPIC"]
    assert first.split()[:4] == [pinned.prefix, "usable", "admin", "tax"]
    assert first.endswith("סקריפט לילה")
    assert second.split()[:5] == [expired.prefix, "expired", "public", "every", "topic"]
    assert secret.partition(".")[2] not in first


def test_a_key_whose_maker_left_is_listed_as_ended_with_the_maker_s_name() -> None:
    dana = make_staff("dana")
    key, _plaintext = issue_key(name="script", by="dana")
    assert run("list_api_keys").splitlines()[1].split()[1] == "usable"
    User.objects.filter(pk=dana.pk).update(is_active=False)
    line = run("list_api_keys").splitlines()[1].split()
    assert (line[0], line[1], line[-2]) == (key.prefix, "ended", "dana")


def test_listing_asks_the_database_once(django_assert_num_queries: Any) -> None:
    for name in ("dana", "miri"):
        make_staff(name)
        issue_key(name="script", by=name)
    with django_assert_num_queries(1):
        run("list_api_keys")


def test_a_key_is_revoked_by_its_prefix_and_is_then_listed_as_revoked() -> None:
    key, plaintext = issue_key(name="lost", by="tests")
    assert run("revoke_api_key", key.prefix).strip() == f"lost ({key.prefix}): revoked"
    assert find_usable_key(plaintext) is None
    assert AuditEntry.objects.get(action="key.revoke").by == "manage.py revoke_api_key"
    assert run("list_api_keys").splitlines()[1].split()[1] == "revoked"
    assert "was revoked before" in run("revoke_api_key", key.prefix)


def test_an_unknown_prefix_is_refused_and_not_repeated() -> None:
    _key, plaintext = issue_key(name="mine", by="tests")
    with pytest.raises(CommandError) as refused:
        run("revoke_api_key", plaintext)
    assert "No API key has this prefix" in str(refused.value)
    assert plaintext not in str(refused.value)
