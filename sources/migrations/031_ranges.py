"""The provisions between the ends of a range that a document cites.

What has references to sections is noted to be read again, in the background as all references are.
"""

from django.db import migrations, models

from kb_project.database.migration_sql import sql
from kb_project.database.migration_state import array, fields

RANGES = """
ALTER TABLE kb_reference ADD COLUMN IF NOT EXISTS target_between text[];
CREATE INDEX IF NOT EXISTS kb_reference_between_idx ON kb_reference (target_id) WHERE target_between IS NOT NULL;
INSERT INTO kb_reference_work (topic_id, source_id)
    SELECT DISTINCT topic_id, source_id FROM kb_reference WHERE cites ->> 'number' <> '';
"""


class Migration(migrations.Migration):
    dependencies = [("sources", "019_radar")]
    operations = [
        sql(
            RANGES,
            state_operations=[
                *fields("Reference", {"target_between": array(models.TextField(), null=True)}),
                migrations.AddIndex(
                    "Reference",
                    models.Index(
                        fields=["target"],
                        name="kb_reference_between_idx",
                        condition=models.Q(target_between__isnull=False),
                    ),
                ),
            ],
        )
    ]
