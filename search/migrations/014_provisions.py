"""014 provisions: makes kb_provision, and has each chunk say which it is of. A reindex fills both."""

import django.db.models.deletion
from django.db import migrations, models

from kb_project.database.migration_sql import grant, sql

PROVISIONS = sql(
    """
CREATE TABLE IF NOT EXISTS kb_provision (
    source_id bigint NOT NULL REFERENCES kb_source (id) ON DELETE CASCADE,
    eid text NOT NULL,
    kind text NOT NULL,
    number text NOT NULL DEFAULT '',
    heading text NOT NULL DEFAULT '',
    parent text NOT NULL DEFAULT '',
    position integer NOT NULL,
    depth smallint NOT NULL DEFAULT 0,
    page integer,
    span_start integer NOT NULL,
    span_end integer NOT NULL,
    PRIMARY KEY (source_id, eid),
    CONSTRAINT kb_provision_source_position UNIQUE (source_id, position)
);
""",
    state_operations=[
        migrations.CreateModel(
            name="Provision",
            fields=[
                (
                    "pk",
                    models.CompositePrimaryKey(
                        "source_id", "eid", blank=True, editable=False, primary_key=True, serialize=False
                    ),
                ),
                ("eid", models.TextField()),
                ("kind", models.TextField()),
                ("number", models.TextField(default="")),
                ("heading", models.TextField(default="")),
                ("parent", models.TextField(default="")),
                ("position", models.IntegerField()),
                ("depth", models.SmallIntegerField(default=0)),
                ("page", models.IntegerField(null=True)),
                ("span_start", models.IntegerField()),
                ("span_end", models.IntegerField()),
                (
                    "source",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.DO_NOTHING, related_name="provisions", to="sources.source"
                    ),
                ),
            ],
            options={
                "db_table": "kb_provision",
                "ordering": ["source_id", "position"],
                "constraints": [
                    models.UniqueConstraint(fields=("source", "position"), name="kb_provision_source_position")
                ],
            },
        )
    ],
)
CHUNKS = sql(
    """
ALTER TABLE kb_chunk ADD COLUMN IF NOT EXISTS eid text NOT NULL DEFAULT '';
ALTER TABLE kb_chunk ADD COLUMN IF NOT EXISTS gap text NOT NULL DEFAULT '';
""",
    state_operations=[
        migrations.AddField(model_name="chunk", name="eid", field=models.TextField(default="")),
        migrations.AddField(model_name="chunk", name="gap", field=models.TextField(default="")),
    ],
)


class Migration(migrations.Migration):
    dependencies = [("search", "011_search")]
    operations = [PROVISIONS, CHUNKS, grant("kb_provision")]
