"""038 the day whose law an answer was asked for is kept with its trace."""

from django.db import migrations, models

from kb_project.database.migration_sql import sql
from kb_project.database.migration_state import fields

DAY = sql(
    "ALTER TABLE kb_answer_trace ADD COLUMN IF NOT EXISTS as_of date;",
    state_operations=fields(
        "AnswerTrace", {"as_of": models.DateField(blank=True, null=True, verbose_name="the law of")}
    ),
)


class Migration(migrations.Migration):
    dependencies = [("answers", "035_turns_of_checks")]
    operations = [DAY]
