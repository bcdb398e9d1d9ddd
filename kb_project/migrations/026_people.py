"""026 people: gives managers the rights to see, invite and change people."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from kb_project.configuration.roles import ensure_roles


def give_rights(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    ensure_roles(apps, editor.connection.alias)


class Migration(migrations.Migration):
    dependencies = [("kb_project", "023_identities"), ("auth", "0012_alter_user_first_name_max_length")]
    operations = [migrations.RunPython(give_rights, migrations.RunPython.noop)]
