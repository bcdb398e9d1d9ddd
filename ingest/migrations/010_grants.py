"""010 grants: `KB_APP_ROLE` may use every table, Django's own included, so that the service can run as that role."""

from django.db import migrations

from kb_project.database.migration_sql import grant


class Migration(migrations.Migration):
    dependencies = [
        ("ingest", "008_ingest_lifecycle"),
        ("labels", "006_labels"),
        ("search", "009_search"),
        ("topics", "008_api_keys"),
        ("admin", "0003_logentry_add_action_flag_choices"),
        ("auth", "0012_alter_user_first_name_max_length"),
        ("contenttypes", "0002_remove_content_type_name"),
        ("sessions", "0001_initial"),
    ]
    operations = [grant()]
