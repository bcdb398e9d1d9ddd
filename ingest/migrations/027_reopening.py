"""027 reopening: decisions that were undone, and names of batches."""

from django.db import migrations, models

from kb_project.database.migration_sql import grant, sql

DECISION = sql(
    "ALTER TABLE kb_ingest_draft ADD COLUMN IF NOT EXISTS decision jsonb",
    state_operations=[migrations.AddField("draft", "decision", models.JSONField(blank=True, null=True))],
)
NAMES = sql(
    """
CREATE TABLE IF NOT EXISTS kb_ingest_batch_name (
    batch_id uuid PRIMARY KEY,
    name varchar(120) NOT NULL
);
""",
    state_operations=[
        migrations.CreateModel(
            name="BatchName",
            fields=[
                ("batch_id", models.UUIDField(primary_key=True, serialize=False)),
                ("name", models.CharField(max_length=120)),
            ],
            options={
                "db_table": "kb_ingest_batch_name",
                "verbose_name": "name of a batch",
                "verbose_name_plural": "names of batches",
            },
        )
    ],
)


class Migration(migrations.Migration):
    dependencies = [("ingest", "022_parts_of_files")]
    operations = [DECISION, NAMES, grant("kb_ingest_batch_name")]
