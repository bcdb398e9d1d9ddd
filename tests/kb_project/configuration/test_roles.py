"""The two groups: what the migration makes of them, and what each may not do."""

import re

import pytest
from django.apps import apps
from django.contrib.auth.models import Group, Permission

from kb_project.configuration.roles import MANAGER, REVIEWER, ROLES, ensure_roles
from tests.factories import make_staff
from tests.servers import PROJECT

pytestmark = pytest.mark.django_db


def test_every_permission_of_a_role_is_one_that_django_knows() -> None:
    known = {f"{app}.{name}" for app, name in Permission.objects.values_list("content_type__app_label", "codename")}
    assert {name for names in ROLES.values() for name in names} <= known
    assert all(apps.get_model(*_model_of(name)) for names in ROLES.values() for name in names)


@pytest.mark.parametrize(
    ("files", "pattern"),
    [
        ("templates/**/*.html", r"\bperms\.(\w+\.\w+)"),
        ("[a-z]*/**/*.py", r"[\"']([a-z_]+\.(?:view|add|change|delete)_[a-z]+)[\"']"),
    ],
)
def test_every_permission_that_is_asked_for_is_one_of_a_role(files: str, pattern: str) -> None:
    asked = {
        name
        for path in PROJECT.glob(files)
        if path.relative_to(PROJECT).parts[0] not in ("tests", "bench", "var")
        for name in re.findall(pattern, path.read_text(encoding="utf-8"))
    }
    assert len(asked) > 15
    assert asked - {name for names in ROLES.values() for name in names} == set()


def _model_of(permission: str) -> tuple[str, str]:
    app, codename = permission.split(".")
    return app, codename.split("_", 1)[1]


@pytest.mark.parametrize(
    "permission", ["labels.delete_label", "sources.delete_source", "topics.change_topic", "topics.add_apikey"]
)
def test_a_reviewer_may_not_do_what_a_manager_may(permission: str) -> None:
    assert not make_staff("ruth", role=REVIEWER).has_perm(permission)
    assert make_staff("miri", role=MANAGER).has_perm(permission)


def test_staff_without_a_role_may_do_nothing() -> None:
    assert make_staff(role=None).get_all_permissions() == set()


def test_making_the_roles_again_keeps_what_was_added_to_them() -> None:
    group = Group.objects.get(name=REVIEWER)
    extra = Permission.objects.get(content_type__app_label="auth", codename="view_user")
    group.permissions.add(extra)
    group.permissions.remove(group.permissions.get(codename="add_job"))
    ensure_roles(apps)
    names = set(group.permissions.values_list("codename", flat=True))
    assert {"view_user", "add_job"} <= names
    assert Group.objects.filter(name__in=ROLES).count() == 2
