"""012 review drafts: what reviewers set for many jobs of a batch at once, before each is decided."""

import django.db.models.deletion
from django.db import migrations, models

from kb_project.database.migration_sql import grant, sql

SQL = """
CREATE TABLE IF NOT EXISTS kb_ingest_draft (
    job_id uuid PRIMARY KEY REFERENCES kb_ingest_job (id) ON DELETE CASCADE,
    kind varchar(20) NOT NULL DEFAULT '',
    labels jsonb NOT NULL DEFAULT '[]',
    by text NOT NULL,
    at timestamptz NOT NULL DEFAULT now()
);
"""
KINDS = [
    ("law", "Law"),
    ("regulation", "Regulation"),
    ("circular", "Circular"),
    ("caselaw", "Case law"),
    ("tool", "Tool"),
]


class Migration(migrations.Migration):
    dependencies = [("ingest", "011_classify_slots")]
    operations = [
        sql(
            SQL,
            state_operations=[
                migrations.CreateModel(
                    name="Draft",
                    fields=[
                        (
                            "job",
                            models.OneToOneField(
                                on_delete=django.db.models.deletion.CASCADE,
                                primary_key=True,
                                related_name="draft",
                                serialize=False,
                                to="ingest.job",
                            ),
                        ),
                        ("kind", models.CharField(blank=True, choices=KINDS, default="", max_length=20)),
                        ("labels", models.JSONField(blank=True, default=list)),
                        ("by", models.TextField()),
                        ("at", models.DateTimeField(auto_now=True)),
                    ],
                    options={
                        "db_table": "kb_ingest_draft",
                        "verbose_name": "draft of a decision",
                        "verbose_name_plural": "drafts of decisions",
                    },
                ),
            ],
        ),
        grant("kb_ingest_draft"),
    ]
