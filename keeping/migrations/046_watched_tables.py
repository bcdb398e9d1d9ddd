"""046 a table can be watched: what happens to the documents that it has rows of is told."""

from django.db import migrations, models

from kb_project.database.migration_sql import add_values, sql
from kb_project.database.migration_state import fields, to

KINDS = [
    ("topic", "Topic"),
    ("work", "Document"),
    ("provision", "Provision"),
    ("label", "Label"),
    ("search", "Search"),
    ("notebook", "Notebook"),
    ("table", "Table"),
]
OF_KIND = models.Q(kind__in=[kind for kind, _ in KINDS])
WATCHED = sql(
    """
ALTER TABLE kb_watch ADD COLUMN IF NOT EXISTS table_id bigint REFERENCES kb_table (id) ON DELETE CASCADE;
CREATE INDEX IF NOT EXISTS kb_watch_table_idx ON kb_watch (table_id);
"""
    + add_values("kb_watch", "kind", [kind for kind, _ in KINDS]),
    state_operations=[
        *fields("watch", {"table": to("keeping.table", models.CASCADE, null=True)}),
        migrations.AlterField("Watch", "kind", models.CharField(choices=KINDS, max_length=20)),
        migrations.RemoveConstraint("Watch", "kb_watch_kind_check"),
        migrations.AddConstraint(
            "Watch",
            models.CheckConstraint(
                condition=models.Q(kind__in=[kind for kind, _ in KINDS]), name="kb_watch_kind_check"
            ),
        ),
        migrations.AddIndex("Watch", models.Index(fields=["table"], name="kb_watch_table_idx")),
    ],
)


class Migration(migrations.Migration):
    dependencies = [("keeping", "045_read_surveys")]
    operations = [WATCHED]
