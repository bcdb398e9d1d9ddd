"""027 topic labels: makes kb_topic_label, the labels that are known in a topic before a source there carries them."""

import django.db.models.deletion
from django.db import migrations, models

from kb_project.database.migration_sql import grant, sql

SQL = """
CREATE TABLE IF NOT EXISTS kb_topic_label (
    id bigserial PRIMARY KEY,
    topic_id bigint NOT NULL REFERENCES kb_topic (id) ON DELETE CASCADE,
    label_id bigint NOT NULL REFERENCES kb_label (id) ON DELETE CASCADE,
    CONSTRAINT kb_topic_label_once UNIQUE (topic_id, label_id)
);
CREATE INDEX IF NOT EXISTS kb_topic_label_label_idx ON kb_topic_label (label_id);
"""

CASCADE = django.db.models.deletion.CASCADE
STATE = [
    migrations.CreateModel(
        name="TopicLabel",
        fields=[
            ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
            ("topic", models.ForeignKey(on_delete=CASCADE, related_name="+", to="topics.topic")),
            ("label", models.ForeignKey(on_delete=CASCADE, related_name="topics", to="labels.label")),
        ],
        options={
            "db_table": "kb_topic_label",
            "verbose_name": "label of a topic",
            "verbose_name_plural": "labels of topics",
            "constraints": [models.UniqueConstraint(fields=["topic", "label"], name="kb_topic_label_once")],
        },
    ),
]


class Migration(migrations.Migration):
    dependencies = [("labels", "023_label_slugs"), ("topics", "024_key_makers")]
    operations = [sql(SQL, state_operations=STATE), grant("kb_topic_label")]
