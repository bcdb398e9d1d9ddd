"""016 title words: what titles and headings are looked up by while somebody types."""

from django.db import migrations

from kb_project.database.migration_sql import sql

# Quotation marks are dropped, as they stand inside words. Every other sign parts words. What is so long is no title.
# The words are kept, as a plan that had to make them anew for each row would take seconds. They are no model field, so
# that they are not read with each row. Without a list of pending entries, no search has to read it whole.
SQL = """
CREATE OR REPLACE FUNCTION kb_words(text) RETURNS tsvector LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE RETURN
    to_tsvector('simple'::regconfig, regexp_replace(
        translate(lower(left($1, 500)), '"''׳״’‘“”„', ''), '[^[:alnum:]]+', ' ', 'g'
    ));
ALTER TABLE kb_source ADD COLUMN IF NOT EXISTS title_words tsvector
    GENERATED ALWAYS AS (kb_words(title)) STORED;
CREATE INDEX IF NOT EXISTS kb_source_title_words_idx ON kb_source USING gin (title_words) WITH (fastupdate = off);
"""


class Migration(migrations.Migration):
    dependencies = [("sources", "009_source_files")]
    operations = [sql(SQL)]
