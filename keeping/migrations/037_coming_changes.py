"""037 what is going to become of what a note cites is kept with it. Works with a day to come are looked at for it."""

from django.db import migrations, models

from kb_project.database.migration_sql import sql
from kb_project.database.migration_state import fields

COMING = sql(
    """
ALTER TABLE kb_note_citation ADD COLUMN IF NOT EXISTS coming_from date;
ALTER TABLE kb_note_citation ADD COLUMN IF NOT EXISTS coming_status text NOT NULL DEFAULT '';
ALTER TABLE kb_note_citation ADD COLUMN IF NOT EXISTS coming_id bigint;
ALTER TABLE kb_note_citation ADD COLUMN IF NOT EXISTS coming_eid text NOT NULL DEFAULT '';
INSERT INTO kb_note_work (work_id)
SELECT DISTINCT c.work_id FROM kb_note_citation c
JOIN kb_source s ON s.work_id = c.work_id
LEFT JOIN kb_provision p ON p.source_id = s.id AND (p.valid_from > current_date OR p.valid_to > current_date)
WHERE s.valid_from > current_date OR s.valid_to > current_date OR p.source_id IS NOT NULL;
""",
    state_operations=fields(
        "NoteCitation",
        {
            "coming_from": models.DateField(null=True),
            "coming_status": models.TextField(default=""),
            "coming_id": models.BigIntegerField(null=True),
            "coming_eid": models.TextField(default=""),
        },
    ),
)


class Migration(migrations.Migration):
    dependencies = [("keeping", "035_places_of_watches")]
    operations = [COMING]
