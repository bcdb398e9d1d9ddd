"""How similarities of passages in a topic's two languages are spread, beside those of all its passages."""

from django.db import migrations, models

from kb_project.database.migration_sql import sql
from kb_project.database.migration_state import fields

# Measured when vectors are made next.
COLUMN = """
ALTER TABLE kb_vector_spread ADD COLUMN IF NOT EXISTS deviation_across double precision;
"""


class Migration(migrations.Migration):
    dependencies = [("search", "023_languages_of_vectors")]
    operations = [
        sql(COLUMN, state_operations=fields("VectorSpread", {"deviation_across": models.FloatField(null=True)}))
    ]
