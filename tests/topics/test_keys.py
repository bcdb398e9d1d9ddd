"""Keys have one form, are known only to their holders, and the environment's key is made once."""

import re
from datetime import timedelta
from itertools import product
from typing import Any

import pytest
from django.contrib.auth.models import Group, Permission, User
from django.core.exceptions import ValidationError
from django.utils import timezone
from rest_framework.test import APIClient

from kb_project.configuration.roles import MANAGER, REVIEWER
from kb_project.models import AuditEntry
from tests.factories import first_topic, make_staff
from tests.topics.keys import authorization
from topics.keys import (
    BOOTSTRAP_NAME,
    KeyNameTaken,
    MalformedKey,
    Plaintext,
    ensure_bootstrap_key,
    find_usable_key,
    issue_key,
    live,
    revoke,
)
from topics.models import ApiKey, KeyState

pytestmark = pytest.mark.django_db
BOOTSTRAP = "kbAdmin1." + "0123456789abcdefABCDEF0123456789"
NEXT = "kbAdmin2." + "0123456789abcdefABCDEF0123456789"


def test_a_key_has_the_contract_s_form_and_is_found_by_it() -> None:
    key, plaintext = issue_key(name="mine", by="tests")
    assert re.fullmatch(r"[A-Za-z0-9]{8}\.[A-Za-z0-9]{32}", plaintext)
    assert find_usable_key(plaintext) == key


def _maker(kind: str) -> User:
    """Somebody who may make keys by their role or as a superuser, or by no role any more."""
    is_staff = kind in ("superuser", "manager", "given", "reviewer")
    user = User.objects.create_user(
        "dana", is_staff=is_staff, is_superuser=kind == "superuser", is_active=kind != "deactivated"
    )
    if kind in ("manager", "no staff", "deactivated"):
        user.groups.add(Group.objects.get(name=MANAGER))
    if kind == "given":
        user.user_permissions.add(Permission.objects.get(codename="add_apikey"))
    if kind == "reviewer":
        user.groups.add(Group.objects.get(name=REVIEWER))
    return user


@pytest.mark.parametrize(
    ("revoked", "expiry", "maker", "pinned"),
    list(
        product(
            [False, True],
            [None, -1, 1],
            [None, "superuser", "manager", "given", "reviewer", "no staff", "deactivated", "personal"],
            [False, True],
        )
    ),
)
def test_key_is_found_where_table_s_own_rule_calls_it_usable(
    revoked: bool, expiry: int | None, maker: str | None, pinned: bool
) -> None:
    key, plaintext = issue_key(name="mine", topic=first_topic() if pinned else None, by="tests")
    state: dict[str, Any] = {
        "revoked_at": timezone.now() if revoked else None,
        "expires_at": timezone.now() + timedelta(hours=expiry) if expiry else None,
        "made_by": _maker(maker) if maker else None,
        "personal": maker == "personal",
    }
    ApiKey.objects.filter(pk=key.pk).update(**state)
    stored = ApiKey.objects.select_related("topic", "made_by").get(pk=key.pk)
    expected = stored if stored.state is KeyState.USABLE else None
    found = find_usable_key(plaintext)
    assert found == expected
    lost = maker in ("reviewer", "no staff", "deactivated")
    assert (found is not None) == (not revoked and expiry != -1 and not lost)
    assert ApiKey.objects.filter(live()).exists() == (found is not None)
    if found and expected:
        fields = [field.attname for field in ApiKey._meta.concrete_fields]
        assert [getattr(found, name) for name in fields] == [getattr(expected, name) for name in fields]
        assert found.topic == expected.topic
        assert found.made_by == expected.made_by
        assert found.made_by is None or "password" in found.made_by.get_deferred_fields()


def test_the_secret_is_not_stored() -> None:
    key, plaintext = issue_key(name="mine", by="tests")
    secret = plaintext.partition(".")[2]
    assert len(key.secret_hash) == 64
    assert not any(secret in str(value) for value in ApiKey.objects.filter(pk=key.pk).values_list()[0])


def test_two_keys_differ() -> None:
    assert issue_key(name="one", by="tests")[1] != issue_key(name="one", by="tests")[1]


@pytest.mark.parametrize("text", ["", ".", "a" * 41, "aaaaaaaa." + "a" * 31, "aaaaaaaa." + "a" * 32 + "\n", "é" * 8])
def test_another_form_is_no_key(text: str) -> None:
    with pytest.raises(MalformedKey, match="8 letters or digits, a dot, 32 letters or digits"):
        Plaintext.parse(text)
    assert find_usable_key(text) is None


@pytest.mark.parametrize("name", ["", " ", "\u200f", "a\nb", "x" * 201])
def test_a_name_must_fit(name: str) -> None:
    with pytest.raises(ValidationError):
        issue_key(name=name, by="tests")


def test_the_bootstrap_key_is_an_admin_key_for_every_topic() -> None:
    key = ensure_bootstrap_key(BOOTSTRAP)
    assert (key.admin, key.topic, key.expires_at) == (True, None, None)
    assert find_usable_key(BOOTSTRAP) == key


def test_making_the_bootstrap_key_again_changes_nothing() -> None:
    assert ensure_bootstrap_key(BOOTSTRAP) == ensure_bootstrap_key(BOOTSTRAP)
    assert ApiKey.objects.count() == 1


def test_another_bootstrap_key_replaces_the_one_before() -> None:
    ensure_bootstrap_key(BOOTSTRAP)
    ensure_bootstrap_key(NEXT)
    assert find_usable_key(BOOTSTRAP) is None
    assert find_usable_key(NEXT)
    ensure_bootstrap_key(BOOTSTRAP)
    assert find_usable_key(BOOTSTRAP)


def test_a_new_secret_for_the_same_prefix_replaces_the_old() -> None:
    changed = BOOTSTRAP[:-1] + "z"
    ensure_bootstrap_key(BOOTSTRAP)
    ensure_bootstrap_key(changed)
    assert find_usable_key(BOOTSTRAP) is None
    assert find_usable_key(changed)


def test_a_bootstrap_key_that_a_person_revoked_stays_revoked() -> None:
    ensure_bootstrap_key(BOOTSTRAP)
    ApiKey.objects.update(revoked_at=timezone.now())
    ensure_bootstrap_key(BOOTSTRAP)
    assert find_usable_key(BOOTSTRAP) is None


def test_the_bootstrap_key_takes_no_other_key_s_place() -> None:
    key, _plaintext = issue_key(name="mine", by="tests")
    with pytest.raises(KeyNameTaken):
        ensure_bootstrap_key(f"{key.prefix}.{'a' * 32}")
    with pytest.raises(KeyNameTaken):
        issue_key(name=BOOTSTRAP_NAME, by="tests")


def test_a_malformed_bootstrap_key_is_refused() -> None:
    with pytest.raises(MalformedKey):
        ensure_bootstrap_key("too-short")
    assert ApiKey.objects.count() == 0


def actions() -> list[tuple[str, str]]:
    return list(AuditEntry.objects.order_by("id").values_list("by", "action"))


def test_a_revoked_key_opens_nothing_and_is_revoked_once() -> None:
    key, plaintext = issue_key(name="mine", by="dana")
    assert revoke(key, by="miri")
    assert not revoke(key, by="ruth")
    assert find_usable_key(plaintext) is None
    assert actions() == [("dana", "key.create"), ("miri", "key.revoke")]


def test_nothing_of_a_secret_is_in_the_audit() -> None:
    key, plaintext = issue_key(name="mine", by="dana")
    entry = AuditEntry.objects.get()
    assert entry.after["prefix"] == key.prefix
    assert plaintext.partition(".")[2] not in str(entry.after)
    assert key.secret_hash not in str(entry.after)


def test_a_new_key_that_has_expired_already_is_refused() -> None:
    with pytest.raises(ValidationError, match="cannot have expired"):
        issue_key(name="late", expires_at=timezone.now(), by="dana")
    assert actions() == []


def test_what_the_environment_does_to_its_key_is_written_down() -> None:
    ensure_bootstrap_key(BOOTSTRAP)
    ensure_bootstrap_key(BOOTSTRAP)
    ensure_bootstrap_key(BOOTSTRAP[:-1] + "z")
    ensure_bootstrap_key(NEXT)
    assert actions() == [
        ("KB_BOOTSTRAP_API_KEY", action) for action in ("key.create", "key.edit", "key.delete", "key.create")
    ]


def test_an_admin_key_holds_no_right_that_its_maker_lost() -> None:
    dana = make_staff()
    _key, plaintext = issue_key(name="partner", admin=True, by="dana")
    program = APIClient()
    program.credentials(**authorization(plaintext))
    assert program.get("/admin/kb/webhooks").status_code == 200
    narrow = Group.objects.create(name="keys only")
    narrow.permissions.add(Permission.objects.get(codename="add_apikey"))
    dana.groups.set([narrow])
    assert program.get("/admin/kb/webhooks").status_code == 403
    dana.groups.set([Group.objects.get(name=REVIEWER)])
    assert program.get("/admin/kb/webhooks").status_code == 401
    assert program.get("/kb/topics").status_code == 401


def test_a_key_with_rights_ends_by_itself_and_one_that_reads_does_not(settings: Any) -> None:
    assert issue_key(name="reads", by="tests")[0].expires_at is None
    ends = issue_key(name="changes", admin=True, by="tests")[0].expires_at
    assert ends is not None
    assert timedelta(days=364) < ends - timezone.now() <= timedelta(days=365)
    later = timezone.now() + timedelta(days=3650)
    assert issue_key(name="named", admin=True, expires_at=later, by="tests")[0].expires_at == later
    settings.KB_ADMIN_KEY_DAYS = 0
    assert issue_key(name="for good", admin=True, by="tests")[0].expires_at is None
