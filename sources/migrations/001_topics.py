"""001 topics: every source belongs to exactly one topic. The SQL runs with that of kb_topic, in one transaction."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("sources", "000_baseline"), ("topics", "001_topics")]
    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AddField(
                    model_name="source",
                    name="topic",
                    field=models.ForeignKey(
                        default=1,
                        on_delete=django.db.models.deletion.PROTECT,
                        related_name="sources",
                        to="topics.topic",
                    ),
                    preserve_default=False,
                ),
                migrations.AddIndex(
                    model_name="source",
                    index=models.Index(fields=["topic", "kind"], name="kb_source_topic_kind_idx"),
                ),
            ],
        ),
    ]
