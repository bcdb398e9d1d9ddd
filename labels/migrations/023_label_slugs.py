"""023 label slugs: names that shared a slug get one each; the slug that a label had becomes an alias of it."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from labels.slugs import slugify


def renew(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    """Give labels the slug that their name has by now, where that is free, and aliases a second one likewise."""
    with editor.connection.cursor() as cursor:
        cursor.execute("SELECT slug FROM kb_label UNION SELECT slug FROM kb_label_alias")
        taken = {slug for (slug,) in cursor.fetchall()}
        cursor.execute("SELECT id, slug, name FROM kb_label ORDER BY id")
        for label_id, slug, name in cursor.fetchall():
            renewed = slugify(name)
            if renewed not in taken:
                taken.add(renewed)
                cursor.execute("UPDATE kb_label SET slug = %s WHERE id = %s", [renewed, label_id])
                cursor.execute(
                    "INSERT INTO kb_label_alias (label_id, slug, name) VALUES (%s, %s, %s)", [label_id, slug, name]
                )
        cursor.execute("SELECT label_id, name FROM kb_label_alias ORDER BY id")
        for label_id, name in cursor.fetchall():
            renewed = slugify(name)
            if renewed not in taken:
                taken.add(renewed)
                cursor.execute(
                    "INSERT INTO kb_label_alias (label_id, slug, name) VALUES (%s, %s, %s)", [label_id, renewed, name]
                )


class Migration(migrations.Migration):
    dependencies = [("labels", "006_labels")]
    operations = [migrations.RunPython(renew, migrations.RunPython.noop)]
