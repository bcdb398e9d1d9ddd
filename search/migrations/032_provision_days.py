"""032 provision days: from when until when a passage or a provision reads so, where its text says it."""

from django.db import migrations, models

from kb_project.database.migration_sql import sql

SQL = """
ALTER TABLE kb_provision ADD COLUMN IF NOT EXISTS valid_from date;
ALTER TABLE kb_provision ADD COLUMN IF NOT EXISTS valid_to date;
ALTER TABLE kb_chunk ADD COLUMN IF NOT EXISTS valid_from date;
ALTER TABLE kb_chunk ADD COLUMN IF NOT EXISTS valid_to date;
CREATE INDEX IF NOT EXISTS kb_chunk_days_idx ON kb_chunk (topic_id) INCLUDE (id, source_id, valid_from, valid_to)
    WHERE valid_from IS NOT NULL OR valid_to IS NOT NULL;
"""


class Migration(migrations.Migration):
    dependencies = [("search", "030_versions")]
    operations = [
        sql(
            SQL,
            state_operations=[
                *(
                    migrations.AddField(model_name=model, name=name, field=models.DateField(null=True))
                    for model in ("provision", "chunk")
                    for name in ("valid_from", "valid_to")
                ),
                migrations.AddIndex(
                    model_name="chunk",
                    index=models.Index(
                        fields=["topic"],
                        name="kb_chunk_days_idx",
                        include=("id", "source", "valid_from", "valid_to"),
                        condition=models.Q(valid_from__isnull=False) | models.Q(valid_to__isnull=False),
                    ),
                ),
            ],
        )
    ]
