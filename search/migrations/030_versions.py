"""030 versions: when the days of a source change, references that may mean it are looked at again."""

from django.db import migrations

from kb_project.database.migration_sql import sql

SQL = """
CREATE OR REPLACE FUNCTION kb_note_days() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE kb_source_key SET topic_id = topic_id WHERE source_id = NEW.id;  -- its own trigger notes the rest
    RETURN NULL;
END $$;
DROP TRIGGER IF EXISTS kb_source_days ON kb_source;
CREATE TRIGGER kb_source_days AFTER UPDATE OF work_id, valid_from, valid_to ON kb_source FOR EACH ROW
    WHEN ((OLD.work_id, OLD.valid_from, OLD.valid_to) IS DISTINCT FROM (NEW.work_id, NEW.valid_from, NEW.valid_to))
    EXECUTE FUNCTION kb_note_days();
"""


class Migration(migrations.Migration):
    dependencies = [("search", "025_insights"), ("sources", "029_works")]
    operations = [sql(SQL)]
