"""006 labels: labels, their aliases and their assignments to sources."""

import django.db.models.deletion
from django.db import migrations, models
from django.db.models.functions import Now

from kb_project.migration_sql import grant, sql

SQL = """
CREATE TABLE IF NOT EXISTS kb_label (
    id bigserial PRIMARY KEY,
    slug varchar(200) NOT NULL UNIQUE,
    name text NOT NULL,
    usage_count integer NOT NULL DEFAULT 0,
    created_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT kb_label_usage_count_not_negative CHECK (usage_count >= 0)
);
CREATE TABLE IF NOT EXISTS kb_label_alias (
    id bigserial PRIMARY KEY,
    label_id bigint NOT NULL REFERENCES kb_label (id) ON DELETE CASCADE,
    slug varchar(200) NOT NULL UNIQUE,
    name text NOT NULL
);
CREATE INDEX IF NOT EXISTS kb_label_alias_label_idx ON kb_label_alias (label_id);
CREATE TABLE IF NOT EXISTS kb_source_label (
    id bigserial PRIMARY KEY,
    source_id bigint NOT NULL REFERENCES kb_source (id) ON DELETE CASCADE,
    label_id bigint NOT NULL REFERENCES kb_label (id) ON DELETE CASCADE,
    CONSTRAINT kb_source_label_once UNIQUE (source_id, label_id)
);
CREATE INDEX IF NOT EXISTS kb_source_label_label_idx ON kb_source_label (label_id, source_id);
"""

ID = models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")
CASCADE = django.db.models.deletion.CASCADE


class Migration(migrations.Migration):
    initial = True
    dependencies = [("sources", "005_source_description")]
    operations = [
        sql(
            SQL,
            state_operations=[
                migrations.CreateModel(
                    name="Label",
                    fields=[
                        ("id", ID),
                        ("slug", models.CharField(max_length=200, unique=True)),
                        ("name", models.TextField()),
                        ("usage_count", models.IntegerField(default=0)),
                        ("created_at", models.DateTimeField(db_default=Now())),
                    ],
                    options={
                        "db_table": "kb_label",
                        "verbose_name": "label",
                        "verbose_name_plural": "labels",
                        "ordering": ["name", "id"],
                        "constraints": [
                            models.CheckConstraint(
                                condition=models.Q(usage_count__gte=0),
                                name="kb_label_usage_count_not_negative",
                            )
                        ],
                    },
                ),
                migrations.CreateModel(
                    name="LabelAlias",
                    fields=[
                        ("id", ID),
                        ("slug", models.CharField(max_length=200, unique=True)),
                        ("name", models.TextField()),
                        (
                            "label",
                            models.ForeignKey(on_delete=CASCADE, related_name="aliases", to="labels.label"),
                        ),
                    ],
                    options={
                        "db_table": "kb_label_alias",
                        "verbose_name": "label alias",
                        "verbose_name_plural": "label aliases",
                        "ordering": ["slug"],
                    },
                ),
                migrations.CreateModel(
                    name="SourceLabel",
                    fields=[
                        ("id", ID),
                        (
                            "source",
                            models.ForeignKey(on_delete=CASCADE, related_name="label_assignments", to="sources.source"),
                        ),
                        (
                            "label",
                            models.ForeignKey(on_delete=CASCADE, related_name="assignments", to="labels.label"),
                        ),
                    ],
                    options={
                        "db_table": "kb_source_label",
                        "verbose_name": "label of a source",
                        "verbose_name_plural": "labels of sources",
                        "constraints": [
                            models.UniqueConstraint(fields=["source", "label"], name="kb_source_label_once")
                        ],
                    },
                ),
                migrations.AddField(
                    model_name="label",
                    name="sources",
                    field=models.ManyToManyField(
                        related_name="labels", through="labels.SourceLabel", to="sources.source"
                    ),
                ),
            ],
        ),
        grant("kb_label", "kb_label_alias", "kb_source_label"),
    ]
