"""Groups and identities in the admin: superusers alone, and each change in the audit."""

import pytest
from django.contrib.auth.models import Group, Permission, User
from django.db import DatabaseError, connection
from django.test import Client
from django.urls import reverse

from kb_project.configuration.roles import MANAGER, REVIEWER
from kb_project.models import AuditEntry, Identity
from tests.factories import make_staff

pytestmark = pytest.mark.django_db
PASSWORD = "correct horse battery 7"
GROUPS = "/admin/auth/group/"


@pytest.fixture
def boss(client: Client) -> Client:
    client.force_login(User.objects.create_superuser("boss", password=PASSWORD))
    return client


def group_page(group: Group) -> str:
    return reverse("admin:auth_group_change", args=[group.pk])


def entries() -> list[AuditEntry]:
    return list(AuditEntry.objects.order_by("id"))


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
    boss.post(group_page(group), {"name": "readers", "permissions": [right.pk]})
    boss.post(reverse("admin:auth_group_add"), {"name": "guests"})
    edited, made = entries()
    assert (edited.action, edited.before, edited.after) == (
        "group.edit",
        {"permissions": []},
        {"permissions": ["sources.view_source"]},
    )
    assert (made.action, made.after) == ("group.create", {"name": "guests", "permissions": []})


def test_making_and_deleting_are_written_down(boss: Client) -> None:
    """An identity links an account that is older than its first sign-in with the organisation."""
    ruth = make_staff("ruth", role=REVIEWER)
    told = {"user": ruth.pk, "issuer": "https://acme.example", "subject": "7"}
    boss.post(reverse("admin:kb_project_identity_add"), told)
    identity = Identity.objects.get()
    boss.post(reverse("admin:kb_project_identity_delete", args=[identity.pk]), {"post": "yes"})
    group = Group.objects.create(name="readers")
    boss.post(GROUPS, {"action": "delete_selected", "_selected_action": [group.pk], "post": "yes"})
    assert list(Group.objects.order_by("name").values_list("name", flat=True)) == [MANAGER, REVIEWER]
    assert [(entry.action, entry.before.get("user"), entry.before.get("name")) for entry in entries()] == [
        ("identity.create", None, None),
        ("identity.delete", "ruth", None),
        ("group.delete", None, "readers"),
    ]


@pytest.mark.django_db(transaction=True)
def test_a_change_whose_entry_cannot_be_written_is_not_made(boss: Client) -> None:
    group = Group.objects.create(name="readers")
    with connection.cursor() as cursor:
        cursor.execute("ALTER TABLE kb_audit ADD CONSTRAINT full_up CHECK (false) NOT VALID")
    try:
        with pytest.raises(DatabaseError):
            boss.post(group_page(group), {"name": "guests"})
        with pytest.raises(DatabaseError):
            boss.post(GROUPS, {"action": "delete_selected", "_selected_action": [group.pk], "post": "yes"})
    finally:
        with connection.cursor() as cursor:
            cursor.execute("ALTER TABLE kb_audit DROP CONSTRAINT full_up")
    group.refresh_from_db()
    assert group.name == "readers"


def test_nobody_but_a_superuser_edits_rights(client: Client) -> None:
    user = make_staff("miri", role=MANAGER)
    user.user_permissions.set(Permission.objects.filter(content_type__app_label__in=["auth", "kb_project"]))
    client.force_login(user)
    for path in (GROUPS, reverse("admin:auth_group_add"), reverse("admin:kb_project_identity_add")):
        assert client.get(path).status_code == 403
    manager = Group.objects.get(name=MANAGER)
    assert client.post(group_page(manager), {"name": MANAGER, "permissions": [1]}).status_code == 403
    assert "auth/group" not in client.get(reverse("admin:index")).content.decode()
