"""017 answer usage: has the trace of an answer say all that it cost, who failed, and how its query was expanded."""

from django.db import migrations, models

from kb_project.database.migration_sql import sql

USAGE = sql(
    """
ALTER TABLE kb_answer_trace ADD COLUMN IF NOT EXISTS expansion varchar(40) NOT NULL DEFAULT '';
ALTER TABLE kb_answer_trace ADD COLUMN IF NOT EXISTS fallback_from text NOT NULL DEFAULT '';
ALTER TABLE kb_answer_trace ADD COLUMN IF NOT EXISTS cache_read_tokens integer;
ALTER TABLE kb_answer_trace ADD COLUMN IF NOT EXISTS cache_write_tokens integer;
ALTER TABLE kb_answer_trace ADD COLUMN IF NOT EXISTS calls integer NOT NULL DEFAULT 0;
""",
    state_operations=[
        migrations.AddField(
            model_name="answertrace",
            name="expansion",
            field=models.CharField(blank=True, default="", max_length=40, verbose_name="expansion"),
        ),
        migrations.AddField(
            model_name="answertrace",
            name="fallback_from",
            field=models.TextField(blank=True, default="", verbose_name="in the place of"),
        ),
        migrations.AddField(
            model_name="answertrace",
            name="cache_read_tokens",
            field=models.IntegerField(blank=True, null=True, verbose_name="tokens read from a cache"),
        ),
        migrations.AddField(
            model_name="answertrace",
            name="cache_write_tokens",
            field=models.IntegerField(blank=True, null=True, verbose_name="tokens written to a cache"),
        ),
        migrations.AddField(
            model_name="answertrace", name="calls", field=models.IntegerField(default=0, verbose_name="calls")
        ),
    ],
)


class Migration(migrations.Migration):
    dependencies = [("search", "016_heading_words")]
    operations = [USAGE]
