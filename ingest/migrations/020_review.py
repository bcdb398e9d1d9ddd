"""020 review: who has the page of a job open, and which pages of a file have text that is not read."""

import django.db.models.deletion
from django.db import migrations, models
from django.db.models.functions import Now

from kb_project.database.migration_sql import grant, sql
from kb_project.database.migration_tables import Column, complete

COLUMNS = complete("kb_ingest_job", Column("unread_pages", "jsonb", required=False))
HOLDS = """
CREATE TABLE IF NOT EXISTS kb_ingest_hold (
    job_id uuid PRIMARY KEY REFERENCES kb_ingest_job (id) ON DELETE CASCADE,
    by text NOT NULL,
    page varchar(32) NOT NULL DEFAULT '',
    since timestamptz NOT NULL DEFAULT now(),
    until timestamptz NOT NULL
);
"""
UNREAD_PAGES = models.JSONField(blank=True, null=True)
HOLD = migrations.CreateModel(
    name="Hold",
    fields=[
        (
            "job",
            models.OneToOneField(
                on_delete=django.db.models.deletion.CASCADE,
                primary_key=True,
                related_name="hold",
                serialize=False,
                to="ingest.job",
            ),
        ),
        ("by", models.TextField()),
        ("page", models.CharField(blank=True, default="", max_length=32)),
        ("since", models.DateTimeField(db_default=Now())),
        ("until", models.DateTimeField()),
    ],
    options={
        "db_table": "kb_ingest_hold",
        "verbose_name": "hold of a reviewer",
        "verbose_name_plural": "holds of reviewers",
    },
)


class Migration(migrations.Migration):
    dependencies = [("ingest", "012_job_lifecycle")]
    operations = [
        sql(COLUMNS, state_operations=[migrations.AddField("job", "unread_pages", UNREAD_PAGES)]),
        sql(HOLDS, state_operations=[HOLD]),
        grant("kb_ingest_hold"),
    ]
