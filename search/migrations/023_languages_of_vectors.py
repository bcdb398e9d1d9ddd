"""What parts the vectors of a topic's two languages."""

import pgvector.django
from django.db import migrations

from kb_project.database.migration_sql import sql
from kb_project.database.migration_state import fields

# Measured again, and with it, when vectors are made next.
COLUMN = """
ALTER TABLE kb_vector_spread ADD COLUMN IF NOT EXISTS between_languages halfvec;
"""


class Migration(migrations.Migration):
    dependencies = [("search", "017_vector_work")]
    operations = [
        sql(
            COLUMN,
            state_operations=fields("VectorSpread", {"between_languages": pgvector.django.HalfVectorField(null=True)}),
        )
    ]
