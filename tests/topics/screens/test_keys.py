"""`/keys/`: a key is shown once, when it is made, and can then only be revoked."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.utils import timezone

from kb_project.models import AuditEntry
from tests.factories import make_staff
from topics.keys import expiry_of, find_usable_key, issue_key, revoke
from topics.models import ApiKey

pytestmark = pytest.mark.django_db


def shown(client: Client, query: str = "") -> list[str]:
    return [key.name for key in client.get(f"/keys/{query}").context["page"].object_list]


def test_a_new_key_is_shown_once_and_works(staff_client: Client) -> None:
    day = timezone.localdate() + timedelta(days=30)
    answer = staff_client.post("/keys/new/", {"name": "partner", "admin": "1", "topic": "1", "expires_at": str(day)})
    (plaintext,) = re.findall(r"[A-Za-z0-9]{8}\.[A-Za-z0-9]{32}", answer.content.decode())
    key = find_usable_key(plaintext)
    assert key is not None
    assert (key.name, key.admin, key.topic_id, key.expires_at, key.last_day) == (
        "partner",
        True,
        1,
        expiry_of(day),
        day,
    )
    assert answer.headers["Cache-Control"] == "no-store"
    page = staff_client.get("/keys/").content.decode()
    assert key.prefix in page
    assert plaintext not in page
    assert key.secret_hash not in page
    entry = AuditEntry.objects.get()
    assert (entry.by, entry.action, entry.topic_id) == ("dana", "key.create", 1)
    assert entry.after["admin"] is True
    assert "secret" not in str(entry.after)


@pytest.mark.parametrize(
    ("wrong", "sentence"),
    [
        ({"name": "a\x85b"}, "one line, without control characters"),
        ({"name": "bootstrap"}, "kept for the first key of the installation"),
        ({"name": ""}, "This field is required"),
        ({"name": "x" * 201}, "at most 200 characters"),
        ({"expires_at": "2020-01-01"}, "cannot have expired already"),
        ({"expires_at": "9999-12-31"}, "too far ahead"),
        ({"expires_at": "soon"}, "Enter a valid date"),
        ({"topic": "999999"}, "not one of the available choices"),
    ],
)
def test_what_cannot_be_is_refused_in_the_form(staff_client: Client, wrong: dict[str, Any], sentence: str) -> None:
    for path in ("/keys/new/", "/account/keys/new/") if "topic" not in wrong else ("/keys/new/",):
        answer = staff_client.post(path, {"name": "late", **wrong})
        assert answer.status_code == 400
        assert sentence in answer.content.decode()
    assert not ApiKey.objects.exists()


def test_the_live_and_the_ended_keys_are_two_lists(staff_client: Client) -> None:
    make_staff("ruth")
    issue_key(name="live", by="dana")
    issue_key(name="of who left", by="ruth")
    revoke(issue_key(name="revoked", by="dana")[0], by="dana")
    late, _plaintext = issue_key(name="late", by="manage.py", expires_at=timezone.now() + timedelta(hours=1))
    assert shown(staff_client) == ["late", "of who left", "live"]
    ApiKey.objects.filter(pk=late.pk).update(expires_at=timezone.now() - timedelta(hours=1))
    User.objects.filter(username="ruth").update(is_active=False)
    assert shown(staff_client) == ["live"]
    ended = staff_client.get("/keys/?show=ended")
    assert [(key.name, key.state.value) for key in ended.context["page"].object_list] == [
        ("late", "expired"),
        ("revoked", "revoked"),
        ("of who left", "ended"),
    ]
    assert "/revoke/" not in ended.content.decode()


def test_a_key_is_revoked_after_one_question_and_once(staff_client: Client) -> None:
    key, plaintext = issue_key(name="partner", by="manage.py")
    address = f"/keys/{key.pk}/revoke/"
    assert "Revoke the key" in staff_client.get(address).content.decode()
    assert find_usable_key(plaintext)
    for _again in range(2):
        assert staff_client.post(address)["Location"] == "/keys/"
    assert find_usable_key(plaintext) is None
    assert [entry.action for entry in AuditEntry.objects.order_by("id")] == ["key.create", "key.revoke"]
    assert staff_client.post("/keys/999999/revoke/").status_code == 404


def test_a_reviewer_does_not_come_in(reviewer_client: Client) -> None:
    key, _plaintext = issue_key(name="partner", by="manage.py")
    for path in ("/keys/", "/keys/new/", f"/keys/{key.pk}/revoke/"):
        assert reviewer_client.get(path).status_code == 403
        assert reviewer_client.post(path, {"name": "mine"}).status_code in (403, 405)
    assert [(one.name, one.state.value) for one in ApiKey.objects.select_related("made_by")] == [("partner", "usable")]
