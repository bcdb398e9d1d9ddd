"""038 dated sources: their index holds the days, so that a search reads no row to leave out some of them."""

from django.db import migrations, models
from django.db.models import Q

from kb_project.database.migration_sql import sql

NAME = "kb_source_dated_idx"
COVERING = sql(
    f"""
DROP INDEX IF EXISTS {NAME};
CREATE INDEX {NAME} ON kb_source (topic_id) INCLUDE (id, valid_from, valid_to)
    WHERE valid_from IS NOT NULL OR valid_to IS NOT NULL;
""",
    state_operations=[
        migrations.RemoveIndex("source", NAME),
        migrations.AddIndex(
            "source",
            models.Index(
                fields=["topic"],
                name=NAME,
                include=("id", "valid_from", "valid_to"),
                condition=Q(valid_from__isnull=False) | Q(valid_to__isnull=False),
            ),
        ),
    ],
)


class Migration(migrations.Migration):
    dependencies = [("sources", "029_works")]
    operations = [COVERING]
