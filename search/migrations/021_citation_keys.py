"""021 citation keys: the forms by which citations find the sources that are there already are written anew."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from search.citations import source_keys

BATCH = 1_000


def refresh(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    """Bring the stored keys to today's form, a batch at a time."""
    last = 0
    while True:
        with editor.connection.cursor() as cursor:
            cursor.execute(
                "SELECT s.id, s.topic_id, s.title, s.identifier FROM kb_source s JOIN kb_source_key k"
                f" ON k.source_id = s.id WHERE s.id > %s ORDER BY s.id LIMIT {BATCH}",
                [last],
            )
            rows = cursor.fetchall()
        if not rows:
            return
        for source_id, topic_id, title, identifier in rows:
            source_keys.store(source_id=source_id, topic_id=topic_id, title=title, identifier=identifier)
        last = rows[-1][0]


class Migration(migrations.Migration):
    dependencies = [("search", "020_answer_traces")]
    operations = [migrations.RunPython(refresh, migrations.RunPython.noop)]
