"""018 synonyms: makes kb_synonym, and a version that every change of it renews."""

import django.contrib.postgres.fields
import django.db.models.deletion
from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from kb_project.configuration.roles import ensure_roles
from kb_project.database.migration_sql import grant, sql

# At most one row of the version. It is no number: that could come again when a backup is restored.
SYNONYMS = sql(
    """
CREATE TABLE IF NOT EXISTS kb_synonym (
    id bigserial PRIMARY KEY,
    topic_id bigint REFERENCES kb_topic (id) ON DELETE CASCADE,
    words text[] NOT NULL,
    means text[] NOT NULL,
    weight double precision NOT NULL DEFAULT 0.6,
    CONSTRAINT kb_synonym_has_words CHECK (cardinality(words) BETWEEN 1 AND 20 AND cardinality(means) BETWEEN 1 AND 20),
    CONSTRAINT kb_synonym_weight CHECK (weight BETWEEN 0 AND 1)
);
CREATE INDEX IF NOT EXISTS kb_synonym_topic_idx ON kb_synonym (topic_id);
CREATE TABLE IF NOT EXISTS kb_synonym_version (version uuid NOT NULL);
CREATE UNIQUE INDEX IF NOT EXISTS kb_synonym_version_once ON kb_synonym_version ((true));
CREATE OR REPLACE FUNCTION kb_synonym_renew() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO kb_synonym_version VALUES (gen_random_uuid())
        ON CONFLICT ((true)) DO UPDATE SET version = excluded.version;
    RETURN NULL;
END $$;
DROP TRIGGER IF EXISTS kb_synonym_changed ON kb_synonym;
CREATE TRIGGER kb_synonym_changed AFTER INSERT OR UPDATE OR DELETE OR TRUNCATE ON kb_synonym
    FOR EACH STATEMENT EXECUTE FUNCTION kb_synonym_renew();
""",
    state_operations=[
        migrations.CreateModel(
            name="Synonym",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("words", django.contrib.postgres.fields.ArrayField(base_field=models.TextField(), size=None)),
                ("means", django.contrib.postgres.fields.ArrayField(base_field=models.TextField(), size=None)),
                ("weight", models.FloatField(default=0.6)),
                (
                    "topic",
                    models.ForeignKey(
                        blank=True,
                        null=True,
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="topics.topic",
                    ),
                ),
            ],
            options={
                "db_table": "kb_synonym",
                "verbose_name": "synonym",
                "verbose_name_plural": "synonyms",
                "ordering": ["id"],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(("weight__gte", 0), ("weight__lte", 1)), name="kb_synonym_weight"
                    )
                ],
                "indexes": [models.Index(fields=["topic"], name="kb_synonym_topic_idx")],
            },
        )
    ],
)


def make_roles(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    ensure_roles(apps, editor.connection.alias)


class Migration(migrations.Migration):
    dependencies = [("search", "017_answer_usage"), ("kb_project", "013_audit_and_roles")]
    operations = [
        SYNONYMS,
        grant("kb_synonym", "kb_synonym_version"),
        migrations.RunPython(make_roles, migrations.RunPython.noop),
    ]
