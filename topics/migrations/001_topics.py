"""001 topics: makes kb_topic, or adopts the one that is there, and seeds topic 1."""

import django.core.validators
from django.db import migrations, models
from django.db.models.functions import Now

from kb_project.migration_sql import check_constraint, grant, sql

SLUG_PATTERN = r"^[A-Za-z0-9_-]+\Z"

SQL = f"""
CREATE TABLE IF NOT EXISTS kb_topic (
    id bigserial PRIMARY KEY,
    name varchar(200) NOT NULL,
    slug varchar(50) NOT NULL UNIQUE
);
ALTER TABLE kb_topic ADD COLUMN IF NOT EXISTS system_prompt_addendum text NOT NULL DEFAULT '';
ALTER TABLE kb_topic ADD COLUMN IF NOT EXISTS created_at timestamptz NOT NULL DEFAULT now();
UPDATE kb_topic SET system_prompt_addendum = '' WHERE system_prompt_addendum IS NULL;
UPDATE kb_topic SET created_at = now() WHERE created_at IS NULL;
ALTER TABLE kb_topic
    ALTER COLUMN system_prompt_addendum SET DEFAULT '', ALTER COLUMN system_prompt_addendum SET NOT NULL,
    ALTER COLUMN created_at SET DEFAULT now(), ALTER COLUMN created_at SET NOT NULL;
{check_constraint("kb_topic", "kb_topic_slug_check", f"slug ~ '{SLUG_PATTERN}'")}
INSERT INTO kb_topic (id, name, slug) VALUES (1, 'General', 'general') ON CONFLICT (id) DO NOTHING;
DO $$
DECLARE
    ids text := pg_get_serial_sequence('kb_topic', 'id');
    reached bigint;
    highest bigint;
BEGIN
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


class Migration(migrations.Migration):
    initial = True
    dependencies = []
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
        grant("kb_topic"),
    ]
