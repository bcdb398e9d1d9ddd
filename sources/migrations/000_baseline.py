"""000 baseline: makes kb_source, or adopts the one an older installation already has."""

from django.db import migrations, models
from django.db.models.functions import Now

from kb_project.migration_sql import grant, sql

SQL = """
CREATE TABLE IF NOT EXISTS kb_source (
    id bigserial PRIMARY KEY,
    kind text NOT NULL,
    CONSTRAINT kb_source_kind_check CHECK (kind IN ('law', 'regulation', 'circular'))
);
ALTER TABLE kb_source ADD COLUMN IF NOT EXISTS title text NOT NULL DEFAULT '';
ALTER TABLE kb_source ADD COLUMN IF NOT EXISTS subject text NOT NULL DEFAULT '';
ALTER TABLE kb_source ADD COLUMN IF NOT EXISTS identifier text NOT NULL DEFAULT '';
ALTER TABLE kb_source ADD COLUMN IF NOT EXISTS published_at date;
ALTER TABLE kb_source ADD COLUMN IF NOT EXISTS created_at timestamptz NOT NULL DEFAULT now();
UPDATE kb_source SET title = '' WHERE title IS NULL;
UPDATE kb_source SET subject = '' WHERE subject IS NULL;
UPDATE kb_source SET identifier = '' WHERE identifier IS NULL;
ALTER TABLE kb_source
    ALTER COLUMN title SET DEFAULT '', ALTER COLUMN title SET NOT NULL,
    ALTER COLUMN subject SET DEFAULT '', ALTER COLUMN subject SET NOT NULL,
    ALTER COLUMN identifier SET DEFAULT '', ALTER COLUMN identifier SET NOT NULL;
"""


class Migration(migrations.Migration):
    initial = True
    dependencies = []
    operations = [
        sql(
            SQL,
            state_operations=[
                migrations.CreateModel(
                    name="Source",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("kind", models.CharField(max_length=20)),
                        ("title", models.TextField(blank=True, default="")),
                        ("subject", models.TextField(blank=True, default="")),
                        ("identifier", models.TextField(blank=True, default="")),
                        ("published_at", models.DateField(blank=True, null=True)),
                        ("created_at", models.DateTimeField(db_default=Now())),
                    ],
                    options={
                        "db_table": "kb_source",
                        "verbose_name": "source",
                        "verbose_name_plural": "sources",
                        "ordering": ["-id"],
                    },
                ),
                migrations.AddConstraint(
                    model_name="source",
                    constraint=models.CheckConstraint(
                        condition=models.Q(kind__in=["law", "regulation", "circular"]),
                        name="kb_source_kind_check",
                    ),
                ),
            ],
        ),
        grant("kb_source"),
    ]
