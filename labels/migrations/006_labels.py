"""006 labels: labels, their aliases and their assignments to sources."""

import django.db.models.deletion
from django.db import migrations, models
from django.db.models.functions import Now

from kb_project.database.migration_sql import check_constraint, grant, sql
from kb_project.database.migration_tables import TableColumn, table, unique

SQL = (
    table(
        "kb_label",
        TableColumn("id", "bigserial"),
        TableColumn("slug", "varchar(200)"),
        TableColumn("name", "text", fill="slug"),
        TableColumn("usage_count", "integer", default="0"),
        TableColumn("created_at", "timestamptz", default="now()"),
    )
    + unique("kb_label", "slug", called="kb_label_slug_key")
    + check_constraint("kb_label", "kb_label_usage_count_not_negative", "usage_count >= 0")
    + table(
        "kb_label_alias",
        TableColumn("id", "bigserial"),
        TableColumn("label_id", "bigint", references="kb_label (id) ON DELETE CASCADE"),
        TableColumn("slug", "varchar(200)"),
        TableColumn("name", "text", fill="slug"),
    )
    + unique("kb_label_alias", "slug", called="kb_label_alias_slug_key")
    + table(
        "kb_source_label",
        TableColumn("id", "bigserial"),
        TableColumn("source_id", "bigint", references="kb_source (id) ON DELETE CASCADE"),
        TableColumn("label_id", "bigint", references="kb_label (id) ON DELETE CASCADE"),
    )
    + unique("kb_source_label", "source_id", "label_id", called="kb_source_label_once")
    + """
CREATE INDEX IF NOT EXISTS kb_label_alias_label_idx ON kb_label_alias (label_id);
CREATE INDEX IF NOT EXISTS kb_source_label_label_idx ON kb_source_label (label_id, source_id);
"""
)

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
