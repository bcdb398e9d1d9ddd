"""013 audit: makes kb_audit, whose rows nobody changes."""

from django.db import migrations, models
from django.db.models.functions import Now

from kb_project.database.migration_sql import grant, sql

SQL = """
CREATE TABLE IF NOT EXISTS kb_audit (
    id bigserial PRIMARY KEY,
    at timestamptz NOT NULL DEFAULT now(),
    by text NOT NULL,
    action text NOT NULL,
    object_type text NOT NULL,
    object_id text NOT NULL,
    object_name text NOT NULL DEFAULT '',
    topic_id bigint,
    before jsonb NOT NULL DEFAULT '{}',
    after jsonb NOT NULL DEFAULT '{}'
);
CREATE INDEX IF NOT EXISTS kb_audit_object_idx ON kb_audit (object_type, object_id);
CREATE INDEX IF NOT EXISTS kb_audit_at_idx ON kb_audit (at DESC);
CREATE OR REPLACE FUNCTION kb_audit_is_final() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'audit entries are never changed';
END $$;
DROP TRIGGER IF EXISTS kb_audit_final ON kb_audit;
CREATE TRIGGER kb_audit_final BEFORE UPDATE OR DELETE ON kb_audit
    FOR EACH ROW EXECUTE FUNCTION kb_audit_is_final();
"""


class Migration(migrations.Migration):
    initial = True
    dependencies = []
    operations = [
        sql(
            SQL,
            state_operations=[
                migrations.CreateModel(
                    name="AuditEntry",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("at", models.DateTimeField(db_default=Now(), verbose_name="when")),
                        ("by", models.TextField(verbose_name="who")),
                        ("action", models.TextField(verbose_name="what")),
                        ("object_type", models.TextField(verbose_name="type")),
                        ("object_id", models.TextField(verbose_name="id")),
                        ("object_name", models.TextField(blank=True, default="", verbose_name="name")),
                        ("topic_id", models.BigIntegerField(blank=True, null=True, verbose_name="topic")),
                        ("before", models.JSONField(blank=True, default=dict, verbose_name="before")),
                        ("after", models.JSONField(blank=True, default=dict, verbose_name="after")),
                    ],
                    options={
                        "db_table": "kb_audit",
                        "verbose_name": "audit entry",
                        "verbose_name_plural": "audit entries",
                        "ordering": ["-id"],
                        "indexes": [
                            models.Index(fields=["object_type", "object_id"], name="kb_audit_object_idx"),
                            models.Index(fields=["-at"], name="kb_audit_at_idx"),
                        ],
                    },
                ),
            ],
        ),
        grant("kb_audit"),
    ]
