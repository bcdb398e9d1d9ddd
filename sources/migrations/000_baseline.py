"""000 baseline: makes kb_source, or adopts the one an older installation already has."""

from django.db import migrations, models
from django.db.models.functions import Now

from kb_project.database.migration_sql import add_values, grant, sql
from kb_project.database.migration_tables import TableColumn, table

KINDS = ["law", "regulation", "circular"]
SQL = table(
    "kb_source",
    TableColumn("id", "bigserial"),
    TableColumn("kind", "text"),
    TableColumn("title", "text", default="''"),
    TableColumn("subject", "text", default="''"),
    TableColumn("identifier", "text", default="''"),
    TableColumn("published_at", "date", required=False),
    TableColumn("created_at", "timestamptz", default="now()"),
) + add_values("kb_source", "kind", KINDS)


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
                        condition=models.Q(kind__in=KINDS),
                        name="kb_source_kind_check",
                    ),
                ),
            ],
        ),
        grant("kb_source"),
    ]
