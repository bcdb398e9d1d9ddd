"""018 integrity runs: how the integrity checks went, and who may look at it."""

from typing import Any

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from kb_project.accounts.roles import ensure_roles
from kb_project.database.migration_sql import grant, sql, values_constraint

RUNNERS = ["command", "beat"]
SQL = """
CREATE TABLE IF NOT EXISTS kb_integrity_run (
    id bigserial PRIMARY KEY,
    started_at timestamptz NOT NULL,
    finished_at timestamptz NOT NULL,
    by varchar(20) NOT NULL,
    results jsonb NOT NULL DEFAULT '[]'
);
"""


def let_managers_look(apps: Any, schema_editor: BaseDatabaseSchemaEditor) -> None:
    ensure_roles(apps)


class Migration(migrations.Migration):
    dependencies = [("kb_project", "014_roles")]
    operations = [
        sql(
            SQL + values_constraint("kb_integrity_run", "by", RUNNERS),
            state_operations=[
                migrations.CreateModel(
                    name="IntegrityRun",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("started_at", models.DateTimeField(verbose_name="started")),
                        ("finished_at", models.DateTimeField(verbose_name="finished")),
                        (
                            "by",
                            models.CharField(
                                choices=[("command", "Command"), ("beat", "Schedule")],
                                max_length=20,
                                verbose_name="run by",
                            ),
                        ),
                        ("results", models.JSONField(default=list, verbose_name="results")),
                    ],
                    options={
                        "db_table": "kb_integrity_run",
                        "verbose_name": "integrity check",
                        "verbose_name_plural": "integrity checks",
                        "ordering": ["-id"],
                        "constraints": [
                            models.CheckConstraint(condition=models.Q(by__in=RUNNERS), name="kb_integrity_run_by_check")
                        ],
                    },
                ),
            ],
        ),
        grant("kb_integrity_run"),
        migrations.RunPython(let_managers_look, migrations.RunPython.noop),
    ]
