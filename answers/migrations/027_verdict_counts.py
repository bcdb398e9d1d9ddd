"""027 how often checks gave each verdict, and how often a person overruled it."""

from django.db import migrations, models
from django.db.models import F
from django.db.models.functions import Coalesce

from kb_project.database.migration_sql import grant, sql
from kb_project.database.migration_state import model, number, to

# Without a foreign key, as the counts of searches: those of a topic that goes are forgotten in time.
COUNTS = sql(
    """
CREATE TABLE IF NOT EXISTS kb_verdict_count (
    id bigserial PRIMARY KEY,
    day date NOT NULL,
    topic_id bigint,
    kind varchar(20) NOT NULL,
    verdict varchar(30) NOT NULL,
    findings integer NOT NULL,
    overruled integer NOT NULL
);
CREATE UNIQUE INDEX IF NOT EXISTS kb_verdict_count_once
    ON kb_verdict_count (day, coalesce(topic_id, 0), kind, verdict);
""",
    state_operations=[
        model(
            "VerdictCount",
            "kb_verdict_count",
            {
                "id": number(),
                "day": models.DateField(),
                "topic": to("topics.topic", db_constraint=False, null=True),
                "kind": models.CharField(max_length=20),
                "verdict": models.CharField(max_length=30),
                "findings": models.IntegerField(),
                "overruled": models.IntegerField(),
            },
            named=("count of verdicts", "counts of verdicts"),
            ordering=["-day", "id"],
            constraints=[
                models.UniqueConstraint(
                    F("day"), Coalesce("topic", 0), F("kind"), F("verdict"), name="kb_verdict_count_once"
                )
            ],
        )
    ],
)


class Migration(migrations.Migration):
    dependencies = [("answers", "020_text_checks"), ("topics", "001_topics")]
    operations = [COUNTS, grant("kb_verdict_count")]
