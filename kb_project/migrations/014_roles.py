"""014 roles: the groups reviewer and manager, with their permissions."""

from typing import Any

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from kb_project.accounts.roles import ensure_roles


def make_roles(apps: Any, schema_editor: BaseDatabaseSchemaEditor) -> None:
    ensure_roles(apps)


class Migration(migrations.Migration):
    dependencies = [
        ("kb_project", "013_audit"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
    ]
    operations = [migrations.RunPython(make_roles, migrations.RunPython.noop)]
