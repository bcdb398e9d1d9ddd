"""001 topics: every source belongs to exactly one topic; those that were here before belong to topic 1."""

import django.db.models.deletion
from django.db import migrations, models

from kb_project.migration_sql import grant, sql

SQL = """
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
    IF NOT EXISTS (
        SELECT 1 FROM pg_constraint con
        JOIN pg_attribute att ON att.attrelid = con.conrelid AND con.conkey = ARRAY[att.attnum]
        WHERE con.conrelid = 'kb_source'::regclass AND con.contype = 'f' AND att.attname = 'topic_id'
    ) THEN
        ALTER TABLE kb_source ADD CONSTRAINT kb_source_topic_id_fkey
            FOREIGN KEY (topic_id) REFERENCES kb_topic (id);
    END IF;
END $$;
ALTER TABLE kb_source ALTER COLUMN topic_id SET NOT NULL;
CREATE INDEX IF NOT EXISTS kb_source_topic_kind_idx ON kb_source (topic_id, kind);
"""


class Migration(migrations.Migration):
    dependencies = [("sources", "000_baseline"), ("topics", "001_topics")]
    operations = [
        sql(
            SQL,
            state_operations=[
                migrations.AddField(
                    model_name="source",
                    name="topic",
                    field=models.ForeignKey(
                        default=1,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="sources",
                        to="topics.topic",
                    ),
                    preserve_default=False,
                ),
                migrations.AddIndex(
                    model_name="source",
                    index=models.Index(fields=["topic", "kind"], name="kb_source_topic_kind_idx"),
                ),
            ],
        ),
        grant("kb_topic", "kb_source"),
    ]
