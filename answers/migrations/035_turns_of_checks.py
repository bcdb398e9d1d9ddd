"""035 by whom checks take turns, so that those of one client do not wait for all of another's."""

from django.db import migrations, models

from kb_project.database.migration_sql import sql

TURNS = """
ALTER TABLE kb_text_check ADD COLUMN IF NOT EXISTS turn_of varchar(40) NOT NULL DEFAULT '';
CREATE INDEX IF NOT EXISTS kb_text_check_turn_idx ON kb_text_check (turn_of, progress_at);
"""


class Migration(migrations.Migration):
    dependencies = [("answers", "027_verdict_counts")]
    operations = [
        sql(
            TURNS,
            state_operations=[
                migrations.AddField("TextCheck", "turn_of", models.CharField(default="", max_length=40)),
                migrations.AddIndex(
                    "TextCheck", models.Index(fields=["turn_of", "progress_at"], name="kb_text_check_turn_idx")
                ),
            ],
        )
    ]
