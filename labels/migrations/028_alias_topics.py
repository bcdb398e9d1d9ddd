"""028 alias topics: the topics in which each former name of a label is known."""

from django.db import migrations, models

from kb_project.database.migration_sql import sql
from kb_project.database.migration_state import array, fields

# Of what is there already nobody knows: each is known where its label is.
KNOWN_IN = sql(
    """
ALTER TABLE kb_label_alias ADD COLUMN IF NOT EXISTS known_in bigint[] NOT NULL DEFAULT '{}';
UPDATE kb_label_alias a SET known_in = ARRAY(
    SELECT t.topic_id FROM kb_topic_label t WHERE t.label_id = a.label_id
    UNION SELECT s.topic_id FROM kb_source_label l JOIN kb_source s ON s.id = l.source_id WHERE l.label_id = a.label_id
) WHERE known_in = '{}';
""",
    state_operations=fields(
        "LabelAlias", {"known_in": array(models.BigIntegerField(), default=list, db_default=[], editable=False)}
    ),
)


class Migration(migrations.Migration):
    dependencies = [("labels", "012_topic_labels"), ("sources", "010_documents")]
    operations = [KNOWN_IN]
