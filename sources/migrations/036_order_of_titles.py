"""Titles in the order in which people look for them.

Without case, accents, points, quotation marks and brackets. Dashes are spaces, and numbers have twenty digits, so that
they are ordered by value. It asks for no ICU: not every server is built with it.
"""

from django.db import migrations, models
from django.db.models.functions import Collate

from kb_project.database.migration_sql import sql

ACCENTS = "\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"
QUOTES = "\"''“”„‟‘’‚‛«»‹›״׳"  # the quotation mark of SQL twice
DIRECTIONS = "\u200b-\u200f\u202a-\u202e\u2060-\u2069"
DASHES = "-\u05be‐‑‒–—"

TITLES = f"""
CREATE OR REPLACE FUNCTION kb_title_key(text) RETURNS text LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN
    left(
        regexp_replace(
            regexp_replace(
                btrim(regexp_replace(
                    regexp_replace(
                        lower(normalize(left($1, 500), NFKD)), '[{ACCENTS}{QUOTES}{DIRECTIONS}()[{{}}\\]]+', '', 'g'
                    ),
                    '[{DASHES}[:space:]]+', ' ', 'g'
                )),
                '([0-9]+)', '{"0" * 20}\\1', 'g'
            ),
            '[0-9]*([0-9]{{20}})', '\\1', 'g'
        ),
        300  -- of an index's entry and of a cursor
    );
CREATE INDEX IF NOT EXISTS kb_source_title_order_idx ON kb_source (kb_title_key(title) COLLATE "C", id);
"""


class Migration(migrations.Migration):
    dependencies = [("sources", "032_sections_of_sources")]
    operations = [
        sql(
            TITLES,
            state_operations=[
                migrations.AddIndex(
                    "Source",
                    models.Index(
                        Collate(models.Func("title", function="kb_title_key", output_field=models.TextField()), "C"),
                        "id",
                        name="kb_source_title_order_idx",
                    ),
                )
            ],
        )
    ]
