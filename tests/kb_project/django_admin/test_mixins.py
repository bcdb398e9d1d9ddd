"""Users and groups in the admin: superusers alone, and each change in the audit, with nothing of a password."""

from typing import Any

import pytest
from django.contrib.auth.models import Group, Permission, User
from django.db import DatabaseError, connection
from django.test import Client
from django.urls import reverse

from kb_project.accounts.roles import MANAGER, REVIEWER
from kb_project.models import AuditEntry
from tests.factories import make_staff

pytestmark = pytest.mark.django_db
PASSWORD = "correct horse battery 7"
USERS, ADD_USER = "admin:auth_user_changelist", "admin:auth_user_add"


@pytest.fixture
def boss(client: Client) -> Client:
    client.force_login(User.objects.create_superuser("boss", password=PASSWORD))
    return client


def user_page(user: User) -> str:
    return reverse("admin:auth_user_change", args=[user.pk])


def form_of(user: User, **changes: Any) -> dict[str, Any]:
    fields = {
        "username": user.username,
        "first_name": user.first_name,
        "last_name": user.last_name,
        "email": user.email,
        "is_active": "on" if user.is_active else "",
        "is_staff": "on" if user.is_staff else "",
        "is_superuser": "on" if user.is_superuser else "",
        "groups": [group.pk for group in user.groups.all()],
        "user_permissions": [permission.pk for permission in user.user_permissions.all()],
        "date_joined_0": f"{user.date_joined:%Y-%m-%d}",
        "date_joined_1": f"{user.date_joined:%H:%M:%S}",
        "last_login_0": "",
        "last_login_1": "",
    }
    return {name: value for name, value in {**fields, **changes}.items() if value != ""}


def entries() -> list[AuditEntry]:
    return list(AuditEntry.objects.order_by("id"))


def test_a_new_user_is_written_down_without_the_password(boss: Client) -> None:
    fields = {"username": "רות", "usable_password": "true", "password1": PASSWORD, "password2": PASSWORD}
    assert boss.post(reverse(ADD_USER), fields).status_code == 302
    (entry,) = entries()
    user = User.objects.get(username="רות")
    assert (entry.by, entry.action, entry.object_id) == ("boss", "user.create", str(user.pk))
    assert (entry.after["username"], entry.after["is_staff"]) == ("רות", False)
    assert "password" not in entry.after
    assert user.check_password(PASSWORD)


def test_a_change_of_role_and_rights_is_written_down_as_it_was_and_as_it_is(boss: Client) -> None:
    user = make_staff("ruth", role=REVIEWER)
    right = Permission.objects.get(codename="view_auditentry")
    changes = {"groups": [Group.objects.get(name=MANAGER).pk], "user_permissions": [right.pk], "is_superuser": "on"}
    assert boss.post(user_page(user), form_of(user, **changes)).status_code == 302
    (entry,) = entries()
    assert entry.action == "user.edit"
    assert entry.before == {"groups": ["reviewer"], "permissions": [], "is_superuser": False}
    assert entry.after == {
        "groups": ["manager"],
        "permissions": ["kb_project.view_auditentry"],
        "is_superuser": True,
    }


def test_saving_without_a_change_is_not_written_down(boss: Client) -> None:
    user = make_staff("ruth", role=REVIEWER)
    assert boss.post(user_page(user), form_of(user)).status_code == 302
    assert entries() == []


def test_deactivating_and_deleting_are_written_down(boss: Client) -> None:
    user = make_staff("ruth", role=REVIEWER)
    boss.post(user_page(user), form_of(user, is_active=""))
    assert (entries()[0].before, entries()[0].after) == ({"is_active": True}, {"is_active": False})
    other = make_staff("dana", role=MANAGER)
    boss.post(reverse("admin:auth_user_delete", args=[user.pk]), {"post": "yes"})
    boss.post(reverse(USERS), {"action": "delete_selected", "_selected_action": [other.pk], "post": "yes"})
    assert set(User.objects.values_list("username", flat=True)) == {"boss"}
    assert [(entry.action, entry.before["username"], entry.before["groups"]) for entry in entries()[1:]] == [
        ("user.delete", "ruth", ["reviewer"]),
        ("user.delete", "dana", ["manager"]),
    ]


def test_a_password_set_by_a_superuser_is_written_down_without_its_hash(boss: Client) -> None:
    user = make_staff("ruth")
    url = reverse("admin:auth_user_password_change", args=[user.pk])
    assert boss.get(url).status_code == 200
    boss.post(url, {"usable_password": "true", "password1": "short", "password2": "short"})
    assert entries() == []
    fields = {"usable_password": "true", "password1": PASSWORD, "password2": PASSWORD, "set-password": "x"}
    assert boss.post(url, fields).status_code == 302
    user.refresh_from_db()
    assert user.check_password(PASSWORD)
    (entry,) = entries()
    assert (entry.by, entry.action, entry.object_name) == ("boss", "user.edit", "ruth")
    assert (entry.before, entry.after) == ({}, {"password": "changed"})


def test_one_s_own_password_is_changed_and_that_is_written_down(client: Client) -> None:
    user = make_staff("ruth", role=REVIEWER)
    client.force_login(user)
    url = reverse("admin:password_change")
    fields = {"old_password": "x", "new_password1": PASSWORD, "new_password2": PASSWORD}
    assert client.post(url, {**fields, "old_password": "wrong"}).status_code == 200
    assert entries() == []
    assert client.post(url, fields).status_code == 302
    assert client.get("/review/").status_code == 200
    assert [(entry.by, entry.after) for entry in entries()] == [("ruth", {"password": "changed"})]
    client.logout()
    assert client.login(username="ruth", password=PASSWORD)


def test_a_group_s_permissions_are_followed_too(boss: Client) -> None:
    group = Group.objects.create(name="readers")
    right = Permission.objects.get(codename="view_source")
    boss.post(reverse("admin:auth_group_change", args=[group.pk]), {"name": "readers", "permissions": [right.pk]})
    boss.post(reverse("admin:auth_group_add"), {"name": "guests"})
    edited, made = entries()
    assert (edited.action, edited.before, edited.after) == (
        "group.edit",
        {"permissions": []},
        {"permissions": ["sources.view_source"]},
    )
    assert (made.action, made.after) == ("group.create", {"name": "guests", "permissions": []})


@pytest.mark.django_db(transaction=True)
def test_a_change_whose_entry_cannot_be_written_is_not_made(boss: Client) -> None:
    user = make_staff("ruth")
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE kb_audit ADD CONSTRAINT full_up CHECK (false) NOT VALID")
    try:
        with pytest.raises(DatabaseError):
            boss.post(user_page(user), form_of(user, is_superuser="on"))
        with pytest.raises(DatabaseError):
            boss.post(
                reverse("admin:auth_user_password_change", args=[user.pk]),
                {"usable_password": "true", "password1": PASSWORD, "password2": PASSWORD, "set-password": "x"},
            )
        with pytest.raises(DatabaseError):
            boss.post(reverse(USERS), {"action": "delete_selected", "_selected_action": [user.pk], "post": "yes"})
    finally:
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE kb_audit DROP CONSTRAINT full_up")
    user.refresh_from_db()
    assert not user.is_superuser
    assert user.check_password("x")


def test_whoever_is_no_superuser_edits_no_users_whatever_permissions_they_hold(client: Client) -> None:
    user = make_staff("miri", role=MANAGER)
    user.user_permissions.set(Permission.objects.filter(content_type__app_label="auth"))
    client.force_login(user)
    for name in (USERS, ADD_USER, "admin:auth_group_changelist", "admin:auth_group_add"):
        assert client.get(reverse(name)).status_code == 403
    assert client.post(user_page(user), form_of(user, is_superuser="on")).status_code == 403
    assert client.post(reverse("admin:auth_user_password_change", args=[user.pk])).status_code == 403
    assert "auth/user" not in client.get(reverse("admin:index")).content.decode()
