"""012 topic labels: makes kb_topic_label, and gives labels that are there already the slug of their name."""

from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from kb_project.database.migration_sql import grant, sql
from kb_project.database.migration_state import model, number, to
from law.words.slugs import slugify

TOPIC_LABELS = sql(
    """
CREATE TABLE IF NOT EXISTS kb_topic_label (
    id bigserial PRIMARY KEY,
    topic_id bigint NOT NULL REFERENCES kb_topic (id) ON DELETE CASCADE,
    label_id bigint NOT NULL REFERENCES kb_label (id) ON DELETE CASCADE,
    CONSTRAINT kb_topic_label_once UNIQUE (topic_id, label_id)
);
CREATE INDEX IF NOT EXISTS kb_topic_label_label_idx ON kb_topic_label (label_id);
""",
    state_operations=[
        model(
            "TopicLabel",
            "kb_topic_label",
            {
                "id": number(),
                "topic": to("topics.topic", models.CASCADE),
                "label": to("labels.label", models.CASCADE, related_name="topics"),
            },
            named=("label of a topic", "labels of topics"),
            constraints=[models.UniqueConstraint(fields=["topic", "label"], name="kb_topic_label_once")],
        )
    ],
)


def renew_slugs(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    """Give each label the slug of its name where that is free; its former slug becomes an alias.

    An alias gets a second one likewise. Labels of an older installation may have slugs of another rule.
    """
    with editor.connection.cursor() as cursor:
        # A slug leads to its label before any alias, so this alias leads nowhere. It would keep the slug from becoming
        # the label's own alias.
        cursor.execute("DELETE FROM kb_label_alias a USING kb_label l WHERE a.slug = l.slug")
        cursor.execute("SELECT slug FROM kb_label UNION SELECT slug FROM kb_label_alias")
        taken = {slug for (slug,) in cursor.fetchall()}
        cursor.execute("SELECT id, slug, name FROM kb_label ORDER BY id")
        for label_id, slug, name in cursor.fetchall():
            renewed = slugify(name)
            if renewed not in taken:
                taken.add(renewed)
                cursor.execute("UPDATE kb_label SET slug = %s WHERE id = %s", [renewed, label_id])
                cursor.execute(
                    "INSERT INTO kb_label_alias (label_id, slug, name) VALUES (%s, %s, %s)", [label_id, slug, name]
                )
        cursor.execute("SELECT label_id, name FROM kb_label_alias ORDER BY id")
        for label_id, name in cursor.fetchall():
            renewed = slugify(name)
            if renewed not in taken:
                taken.add(renewed)
                cursor.execute(
                    "INSERT INTO kb_label_alias (label_id, slug, name) VALUES (%s, %s, %s)", [label_id, renewed, name]
                )


class Migration(migrations.Migration):
    dependencies = [("labels", "006_labels"), ("topics", "001_topics")]
    operations = [
        TOPIC_LABELS,
        grant("kb_topic_label"),
        migrations.RunPython(renew_slugs, migrations.RunPython.noop),
    ]
