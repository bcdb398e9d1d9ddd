"""001 topics: makes kb_topic, or adopts the one that is there, seeds topic 1, and gives every source its topic."""

import django.core.validators
from django.db import migrations, models
from django.db.models.functions import Now

from kb_project.database.migration_sql import check_constraint, grant, sql
from kb_project.database.migration_tables import TableColumn, complete, table, unique

SLUG_PATTERN = r"^[A-Za-z0-9_-]+\Z"

TABLE = table(
    "kb_topic",
    TableColumn("id", "bigserial"),
    TableColumn("slug", "varchar(50)", fill="'topic-' || id"),
    TableColumn("name", "varchar(200)", fill="slug"),
    TableColumn("system_prompt_addendum", "text", default="''"),
    TableColumn("created_at", "timestamptz", default="now()"),
) + unique("kb_topic", "slug", called="kb_topic_slug_key")
SLUGS = f"""
DO $$
DECLARE strange text;
BEGIN
    SELECT string_agg(slug, ', ') INTO strange FROM kb_topic WHERE slug !~ '{SLUG_PATTERN}';
    IF strange IS NOT NULL THEN
        RAISE EXCEPTION 'kb_topic has slugs with other signs than Latin letters, digits, hyphens and underscores: %',
            strange;
    END IF;
END $$;
""" + check_constraint("kb_topic", "kb_topic_slug_check", f"slug ~ '{SLUG_PATTERN}'")
SEED = """
DO $$
DECLARE
    suffix text := '';
    tried integer := 1;
    ids text := pg_get_serial_sequence('kb_topic', 'id');
    reached bigint;
    highest bigint;
BEGIN
    IF NOT EXISTS (SELECT 1 FROM kb_topic WHERE id = 1) THEN
        -- Another topic may be called so already.
        WHILE EXISTS (SELECT 1 FROM kb_topic WHERE lower(slug) = 'general' || replace(suffix, ' ', '-')
                      OR lower(name) = 'general' || suffix) LOOP
            tried := tried + 1;
            suffix := ' ' || tried;
        END LOOP;
        INSERT INTO kb_topic (id, name, slug) OVERRIDING SYSTEM VALUE
            VALUES (1, 'General' || suffix, 'general' || replace(suffix, ' ', '-'));
    END IF;
    IF ids IS NULL THEN
        RETURN;  -- an adopted table that numbers its rows by itself
    END IF;
    EXECUTE format('SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM %s', ids) INTO reached;
    SELECT max(id) INTO highest FROM kb_topic;
    IF reached < highest THEN
        PERFORM setval(ids, highest);
    END IF;
END $$;
"""
# The backfill of kb_source is here, and not in the app of sources: one transaction, so that an abort leaves nothing.
SOURCES = """
ALTER TABLE kb_source ADD COLUMN IF NOT EXISTS topic_id bigint;
UPDATE kb_source SET topic_id = 1 WHERE topic_id IS NULL;
DO $$
DECLARE missing bigint;
BEGIN
    SELECT count(*) INTO missing FROM kb_source WHERE topic_id IS NULL;
    IF missing > 0 THEN
        RAISE EXCEPTION '% of the sources still have no topic: the backfill of kb_source.topic_id is incomplete',
            missing;
    END IF;
END $$;
""" + complete("kb_source", TableColumn("topic_id", "bigint", references="kb_topic (id)"))
INDEX = """
CREATE INDEX IF NOT EXISTS kb_source_topic_kind_idx ON kb_source (topic_id, kind);
"""
SQL = TABLE + SLUGS + SEED + SOURCES + INDEX


class Migration(migrations.Migration):
    initial = True
    dependencies = [("sources", "000_baseline")]
    operations = [
        sql(
            SQL,
            state_operations=[
                migrations.CreateModel(
                    name="Topic",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                            ),
                        ),
                        ("name", models.CharField(max_length=200, verbose_name="name")),
                        (
                            "slug",
                            models.CharField(
                                max_length=50,
                                unique=True,
                                validators=[
                                    django.core.validators.RegexValidator(
                                        SLUG_PATTERN, "Latin letters, digits, hyphens and underscores only."
                                    )
                                ],
                                verbose_name="slug",
                            ),
                        ),
                        (
                            "system_prompt_addendum",
                            models.TextField(
                                blank=True,
                                db_default="",
                                default="",
                                verbose_name="addition to the system prompt",
                            ),
                        ),
                        (
                            "created_at",
                            models.DateTimeField(db_default=Now(), editable=False, verbose_name="created"),
                        ),
                    ],
                    options={
                        "db_table": "kb_topic",
                        "verbose_name": "topic",
                        "verbose_name_plural": "topics",
                        "ordering": ["id"],
                    },
                ),
                migrations.AddConstraint(
                    model_name="topic",
                    constraint=models.CheckConstraint(
                        condition=models.Q(slug__regex=SLUG_PATTERN), name="kb_topic_slug_check"
                    ),
                ),
            ],
        ),
        grant("kb_topic", "kb_source"),
    ]
