"""`prepare`, `ensure_admin` and `ensure_bootstrap_key`: a database becomes ready to serve, once."""

from io import StringIO
from typing import Any

import pytest
from django.contrib.auth import authenticate, get_user_model
from django.core.exceptions import ImproperlyConfigured
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

from kb_project.models import AuditEntry
from topics.models import ApiKey

pytestmark = pytest.mark.django_db

KEY = "bootstra." + "k" * 32


def said(command: str) -> str:
    out = StringIO()
    call_command(command, stdout=out)
    return out.getvalue().strip()


def test_first_admin_gets_a_password_that_works_and_is_shown() -> None:
    name, _, shown = said("ensure_admin").removeprefix("admin user: ").partition(", password ")
    user = authenticate(username=name, password=shown.removesuffix(" (shown only now)"))
    assert user is not None
    assert user.is_superuser
    entry = AuditEntry.objects.get()
    assert (entry.action, entry.by, entry.after["username"]) == ("user.create", "manage.py ensure_admin", name)
    assert shown not in str(entry.after)


def test_password_from_the_environment_is_used_and_not_shown(settings: Any) -> None:
    settings.KB_ADMIN_USER, settings.KB_ADMIN_PASSWORD = "dana", "chosen for the test"
    assert said("ensure_admin") == "admin user: dana, password from KB_ADMIN_PASSWORD"
    assert authenticate(username="dana", password="chosen for the test") is not None


def test_second_start_leaves_the_admin_as_he_is(settings: Any) -> None:
    said("ensure_admin")
    before = get_user_model().objects.get().password
    settings.KB_ADMIN_PASSWORD = "another one"
    assert said("ensure_admin") == "admin user: admin, password set at first start"
    assert get_user_model().objects.get().password == before


def test_name_of_an_ordinary_user_is_not_taken_over() -> None:
    get_user_model().objects.create_user("admin", password="of somebody else")
    with pytest.raises(CommandError, match="is no superuser: set KB_ADMIN_USER"):
        said("ensure_admin")


def test_prepared_database_has_all_migrations_and_one_admin() -> None:
    assert said("prepare").splitlines()[0] == "migrations: up to date"
    said("prepare")
    assert get_user_model().objects.filter(is_superuser=True).count() == 1


def test_an_upgrade_says_so_and_that_a_backup_is_due() -> None:
    loader = MigrationLoader(connection)
    [(app, name)] = loader.graph.leaf_nodes("keeping")
    MigrationRecorder(connection).record_unapplied(app, name)
    assert said("prepare").splitlines()[:3] == [
        "upgrade: migrations that the database lacks: 1, they are not undone",
        "migrations: 1 applied",
        "backup: one is due (manage.py backup PATH), those from before the upgrade are of the older version",
    ]
    assert said("prepare").splitlines()[0] == "migrations: up to date"


def test_a_mistake_in_the_environment_is_said_before_anything_is_prepared(settings: Any) -> None:
    settings.KB_LOGIN_FAILURES = {**settings.KB_LOGIN_FAILURES, "address": ""}
    with pytest.raises(ImproperlyConfigured, match="KB_LOGIN_FAILURES_ADDRESS is ''; it must be a rate such as 10/h"):
        said("prepare")
    assert not get_user_model().objects.exists()


def test_bootstrap_key_is_made_once_and_its_secret_not_shown(settings: Any) -> None:
    settings.KB_BOOTSTRAP_API_KEY = KEY
    assert said("ensure_bootstrap_key") == said("ensure_bootstrap_key") == "bootstrap key: bootstra.… ready"
    assert ApiKey.objects.get().admin


def test_without_the_variable_no_key_is_made() -> None:
    assert said("ensure_bootstrap_key") == ""
    assert not ApiKey.objects.exists()


def test_key_of_the_wrong_form_is_refused_with_the_right_one(settings: Any) -> None:
    settings.KB_BOOTSTRAP_API_KEY = "too short"
    with pytest.raises(CommandError, match=r"KB_BOOTSTRAP_API_KEY cannot be used: .*8 letters or digits"):
        said("ensure_bootstrap_key")
