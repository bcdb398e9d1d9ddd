"""029 search: document frequencies are the lengths of posting lists, so that no table counts them."""

from django.db import migrations

from kb_project.database.migration_sql import sql

SQL = "DROP TABLE IF EXISTS kb_term, kb_topic_stat, kb_term_delta;"
STATE = [migrations.DeleteModel(name) for name in ("TermStat", "TopicStat", "TermDelta")]


class Migration(migrations.Migration):
    dependencies = [("search", "027_damaged_segments")]
    operations = [sql(SQL, state_operations=STATE)]
