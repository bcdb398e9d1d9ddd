"""024 key makers: each API key knows the account that made it, with which it ends."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models

from kb_project.database.migration_sql import sql

SQL = """
ALTER TABLE kb_api_key ADD COLUMN IF NOT EXISTS made_by_id integer
    REFERENCES auth_user (id) DEFERRABLE INITIALLY DEFERRED;
CREATE INDEX IF NOT EXISTS kb_api_key_made_by_id_idx ON kb_api_key (made_by_id);
UPDATE kb_api_key key SET made_by_id = maker.id
FROM kb_audit entry JOIN auth_user maker ON maker.username = entry.by
WHERE key.made_by_id IS NULL AND entry.action = 'key.create' AND entry.object_id = key.id::text;
"""


class Migration(migrations.Migration):
    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
        ("kb_project", "013_audit"),
        ("topics", "015_former_slugs"),
    ]
    operations = [
        sql(
            SQL,
            state_operations=[
                migrations.AddField(
                    model_name="apikey",
                    name="made_by",
                    field=models.ForeignKey(
                        blank=True,
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                        verbose_name="made by",
                    ),
                )
            ],
        )
    ]
