"""011 texts: passages and provisions, by what sources are cited, what cites what, and what changed in the law.

Triggers note what is to be done later. Whatever is published, renamed or deleted writes kb_source_key, so no reference
waits for a document that is here. Whoever changes days or deletes writes kb_source.
"""

import pgvector.django
from django.contrib.postgres.indexes import GinIndex
from django.db import migrations, models
from django.db.models import Q
from django.db.models.functions import Now

from kb_project.database.migration_sql import grant, sql
from kb_project.database.migration_state import array, key_of, model, number, one_to, random_id, to

DATED = Q(valid_from__isnull=False) | Q(valid_to__isnull=False)
# A search reads `terms` of thousands of chunks: kept in the row and uncompressed they are read twice as fast.
# No plan is made from statistics of the terms and the text, and ANALYZE takes long over them.
CHUNKS = sql(
    """
CREATE EXTENSION IF NOT EXISTS vector;
CREATE TABLE IF NOT EXISTS kb_chunk (
    id bigserial PRIMARY KEY,
    source_id bigint NOT NULL REFERENCES kb_source (id) ON DELETE CASCADE,
    topic_id bigint NOT NULL REFERENCES kb_topic (id),
    seq integer NOT NULL,
    page integer,
    span_start integer NOT NULL,
    span_end integer NOT NULL,
    section text NOT NULL DEFAULT '',
    section_key text NOT NULL DEFAULT '',
    heading text NOT NULL DEFAULT '',
    path text[] NOT NULL DEFAULT '{}',
    text text NOT NULL,
    term_ids integer[] NOT NULL,
    impacts bytea NOT NULL DEFAULT '',
    terms sparsevec(1000000000) NOT NULL,
    eid text NOT NULL DEFAULT '',
    gap text NOT NULL DEFAULT '',
    tables jsonb NOT NULL DEFAULT '[]',
    valid_from date,
    valid_to date,
    CONSTRAINT kb_chunk_source_seq UNIQUE (source_id, seq)
);
ALTER TABLE kb_chunk ALTER COLUMN terms SET STORAGE EXTERNAL;
ALTER TABLE kb_chunk SET (toast_tuple_target = 8160);
ALTER TABLE kb_chunk ALTER COLUMN term_ids SET STATISTICS 0, ALTER COLUMN terms SET STATISTICS 0,
    ALTER COLUMN text SET STATISTICS 0;
CREATE INDEX IF NOT EXISTS kb_chunk_section_idx ON kb_chunk (topic_id, section_key) WHERE section_key <> '';
CREATE INDEX IF NOT EXISTS kb_chunk_days_idx ON kb_chunk (topic_id) INCLUDE (id, source_id, valid_from, valid_to)
    WHERE valid_from IS NOT NULL OR valid_to IS NOT NULL;
""",
    state_operations=[
        model(
            "Chunk",
            "kb_chunk",
            {
                "id": number(),
                "source": to("sources.source", related_name="chunks"),
                "topic": to("topics.topic"),
                "seq": models.IntegerField(),
                "page": models.IntegerField(null=True),
                "span_start": models.IntegerField(),
                "span_end": models.IntegerField(),
                "section": models.TextField(default=""),
                "section_key": models.TextField(default=""),
                "heading": models.TextField(default=""),
                "path": array(models.TextField(), default=list),
                "eid": models.TextField(default=""),
                "gap": models.TextField(default=""),
                "text": models.TextField(),
                "tables": models.JSONField(default=list),
                "term_ids": array(models.IntegerField()),
                "impacts": models.BinaryField(default=b""),
                "terms": pgvector.django.SparseVectorField(dimensions=1_000_000_000),
                "valid_from": models.DateField(null=True),
                "valid_to": models.DateField(null=True),
            },
            ordering=["source_id", "seq"],
            indexes=[
                models.Index(
                    fields=["topic", "section_key"], name="kb_chunk_section_idx", condition=~Q(section_key="")
                ),
                models.Index(
                    fields=["topic"],
                    name="kb_chunk_days_idx",
                    include=("id", "source", "valid_from", "valid_to"),
                    condition=DATED,
                ),
            ],
            constraints=[models.UniqueConstraint(fields=("source", "seq"), name="kb_chunk_source_seq")],
        )
    ],
)
PROVISIONS = sql(
    """
CREATE TABLE IF NOT EXISTS kb_provision (
    source_id bigint NOT NULL REFERENCES kb_source (id) ON DELETE CASCADE,
    eid text NOT NULL,
    kind text NOT NULL,
    number text NOT NULL DEFAULT '',
    heading text NOT NULL DEFAULT '',
    parent text NOT NULL DEFAULT '',
    position integer NOT NULL,
    depth smallint NOT NULL DEFAULT 0,
    page integer,
    span_start integer NOT NULL,
    span_end integer NOT NULL,
    valid_from date,
    valid_to date,
    heading_words tsvector GENERATED ALWAYS AS (kb_words(heading)) STORED,
    PRIMARY KEY (source_id, eid),
    CONSTRAINT kb_provision_source_position UNIQUE (source_id, position)
);
CREATE INDEX IF NOT EXISTS kb_provision_heading_words_idx ON kb_provision
    USING gin (heading_words) WITH (fastupdate = off);
""",
    state_operations=[
        model(
            "Provision",
            "kb_provision",
            {
                "pk": key_of("source_id", "eid"),
                "source": to("sources.source", related_name="provisions"),
                "eid": models.TextField(),
                "kind": models.TextField(),
                "number": models.TextField(default=""),
                "heading": models.TextField(default=""),
                "parent": models.TextField(default=""),
                "position": models.IntegerField(),
                "depth": models.SmallIntegerField(default=0),
                "page": models.IntegerField(null=True),
                "span_start": models.IntegerField(),
                "span_end": models.IntegerField(),
                "valid_from": models.DateField(null=True),
                "valid_to": models.DateField(null=True),
            },
            ordering=["source_id", "position"],
            constraints=[models.UniqueConstraint(fields=("source", "position"), name="kb_provision_source_position")],
        )
    ],
)
SOURCE_KEYS = sql(
    """
CREATE TABLE IF NOT EXISTS kb_source_key (
    source_id bigint PRIMARY KEY REFERENCES kb_source (id) ON DELETE CASCADE,
    topic_id bigint NOT NULL REFERENCES kb_topic (id),
    title_start text NOT NULL DEFAULT '',
    title_stems integer[] NOT NULL DEFAULT '{}',
    identifiers text[] NOT NULL DEFAULT '{}'
);
CREATE INDEX IF NOT EXISTS kb_source_key_start_idx ON kb_source_key (topic_id, title_start);
CREATE INDEX IF NOT EXISTS kb_source_key_stems_idx ON kb_source_key USING gin (title_stems);
CREATE INDEX IF NOT EXISTS kb_source_key_identifiers_idx ON kb_source_key USING gin (identifiers);
""",
    state_operations=[
        model(
            "SourceKey",
            "kb_source_key",
            {
                "source": one_to("sources.source", related_name="citation_key"),
                "topic": to("topics.topic"),
                "title_start": models.TextField(default=""),
                "title_stems": array(models.IntegerField(), default=list),
                "identifiers": array(models.TextField(), default=list),
            },
            indexes=[
                models.Index(fields=["topic", "title_start"], name="kb_source_key_start_idx"),
                GinIndex(fields=["title_stems"], name="kb_source_key_stems_idx"),
                GinIndex(fields=["identifiers"], name="kb_source_key_identifiers_idx"),
            ],
        )
    ],
)
REFERENCES = sql(
    """
CREATE TABLE IF NOT EXISTS kb_reference (
    id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    source_id bigint NOT NULL REFERENCES kb_source (id) ON DELETE CASCADE,
    topic_id bigint NOT NULL REFERENCES kb_topic (id),
    eid text NOT NULL DEFAULT '',
    span_start integer NOT NULL,
    span_end integer NOT NULL,
    text text NOT NULL,
    internal boolean NOT NULL,
    cites jsonb NOT NULL DEFAULT '{}',
    act_key text NOT NULL DEFAULT '',
    is_ambiguous boolean NOT NULL DEFAULT false,
    target_id bigint,
    target_eid text COLLATE "C" NOT NULL DEFAULT ''
);
CREATE INDEX IF NOT EXISTS kb_reference_source_idx ON kb_reference (source_id, span_start);
CREATE INDEX IF NOT EXISTS kb_reference_target_idx ON kb_reference (target_id, target_eid) WHERE target_id IS NOT NULL;
CREATE INDEX IF NOT EXISTS kb_reference_act_idx ON kb_reference (topic_id, act_key) WHERE act_key <> '';
""",
    state_operations=[
        model(
            "Reference",
            "kb_reference",
            {
                "id": number(),
                "source": to("sources.source", related_name="references"),
                "topic": to("topics.topic"),
                "eid": models.TextField(default=""),
                "span_start": models.IntegerField(),
                "span_end": models.IntegerField(),
                "text": models.TextField(),
                "internal": models.BooleanField(),
                "cites": models.JSONField(default=dict),
                "act_key": models.TextField(default=""),
                "is_ambiguous": models.BooleanField(default=False),
                "target": to("sources.source", related_name="cited_by", db_constraint=False, null=True),
                "target_eid": models.TextField(db_collation="C", default=""),
            },
            ordering=["source_id", "span_start"],
            indexes=[
                models.Index(fields=["source", "span_start"], name="kb_reference_source_idx"),
                models.Index(
                    fields=["target", "target_eid"], name="kb_reference_target_idx", condition=Q(target__isnull=False)
                ),
                models.Index(fields=["topic", "act_key"], name="kb_reference_act_idx", condition=~Q(act_key="")),
            ],
        )
    ],
)
REFERENCE_WORK = sql(
    """
CREATE TABLE IF NOT EXISTS kb_reference_work (
    id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    topic_id bigint NOT NULL,
    source_id bigint REFERENCES kb_source (id) ON DELETE CASCADE,
    act_key text NOT NULL DEFAULT '',
    target_id bigint
);
CREATE INDEX IF NOT EXISTS kb_reference_work_source_idx ON kb_reference_work (source_id) WHERE source_id IS NOT NULL;
CREATE OR REPLACE FUNCTION kb_note_reference_work() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'INSERT' THEN
        INSERT INTO kb_reference_work (topic_id, target_id) VALUES (OLD.topic_id, OLD.source_id);
        INSERT INTO kb_reference_work (topic_id, act_key)
            SELECT OLD.topic_id, key FROM unnest(OLD.title_start || OLD.identifiers) AS key WHERE key <> '';
    END IF;
    IF TG_OP <> 'DELETE' THEN
        INSERT INTO kb_reference_work (topic_id, source_id) VALUES (NEW.topic_id, NEW.source_id);
        INSERT INTO kb_reference_work (topic_id, act_key)
            SELECT NEW.topic_id, key FROM unnest(NEW.title_start || NEW.identifiers) AS key WHERE key <> '';
    END IF;
    RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER kb_source_key_references AFTER INSERT OR UPDATE OR DELETE ON kb_source_key
    FOR EACH ROW EXECUTE FUNCTION kb_note_reference_work();
CREATE OR REPLACE FUNCTION kb_note_days() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    UPDATE kb_source_key SET topic_id = topic_id WHERE source_id = NEW.id;  -- its own trigger notes the rest
    RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER kb_source_days AFTER UPDATE OF work_id, valid_from, valid_to ON kb_source FOR EACH ROW
    WHEN ((OLD.work_id, OLD.valid_from, OLD.valid_to) IS DISTINCT FROM (NEW.work_id, NEW.valid_from, NEW.valid_to))
    EXECUTE FUNCTION kb_note_days();
""",
    state_operations=[
        model(
            "ReferenceWork",
            "kb_reference_work",
            {
                "id": number(),
                "topic": to("topics.topic", db_constraint=False),
                "source": to("sources.source", null=True),
                "act_key": models.TextField(default=""),
                "target_id": models.BigIntegerField(null=True),
            },
            ordering=["id"],
        )
    ],
)
CHANGES = sql(
    """
CREATE TABLE IF NOT EXISTS kb_change (
    id uuid PRIMARY KEY,
    source_id bigint NOT NULL REFERENCES kb_source (id) ON DELETE CASCADE,
    ends boolean NOT NULL,
    day date NOT NULL,
    before_id bigint,
    provisions jsonb,
    counts jsonb NOT NULL DEFAULT '{}',
    noted_at timestamptz NOT NULL DEFAULT now(),
    CONSTRAINT kb_change_once UNIQUE (source_id, ends)
);
CREATE INDEX IF NOT EXISTS kb_change_day_idx ON kb_change (day);
""",
    state_operations=[
        model(
            "Change",
            "kb_change",
            {
                "id": random_id(),
                "source": to("sources.source", related_name="changes"),
                "ends": models.BooleanField(),
                "day": models.DateField(),
                "before": to("sources.source", db_constraint=False, null=True),
                "provisions": models.JSONField(null=True),
                "counts": models.JSONField(default=dict),
                "noted_at": models.DateTimeField(db_default=Now()),
            },
            ordering=["-day", "-source_id", "ends"],
            indexes=[models.Index(fields=["day"], name="kb_change_day_idx")],
            constraints=[models.UniqueConstraint(fields=("source", "ends"), name="kb_change_once")],
        )
    ],
)
CHANGE_WORK = sql(
    """
CREATE TABLE IF NOT EXISTS kb_change_work (
    id bigint GENERATED BY DEFAULT AS IDENTITY PRIMARY KEY,
    work_id bigint NOT NULL,
    source_id bigint
);
CREATE INDEX IF NOT EXISTS kb_change_work_idx ON kb_change_work (work_id);
CREATE OR REPLACE FUNCTION kb_note_changed_days() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO kb_change_work (work_id) VALUES (OLD.work_id);
    IF TG_OP = 'UPDATE' THEN
        INSERT INTO kb_change_work (work_id) SELECT NEW.work_id WHERE NEW.work_id <> OLD.work_id;
    END IF;
    RETURN NULL;
END $$;
CREATE OR REPLACE FUNCTION kb_note_changed_text() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO kb_change_work (work_id, source_id)
        SELECT work_id, id FROM kb_source
        WHERE id = NEW.source_id AND (valid_from IS NOT NULL OR valid_to IS NOT NULL);
    RETURN NULL;
END $$;
CREATE OR REPLACE TRIGGER kb_source_changed_days AFTER UPDATE OF work_id, valid_from, valid_to ON kb_source FOR EACH ROW
    WHEN ((OLD.work_id, OLD.valid_from, OLD.valid_to) IS DISTINCT FROM (NEW.work_id, NEW.valid_from, NEW.valid_to))
    EXECUTE FUNCTION kb_note_changed_days();
CREATE OR REPLACE TRIGGER kb_source_gone AFTER DELETE ON kb_source FOR EACH ROW
    WHEN (OLD.valid_from IS NOT NULL OR OLD.valid_to IS NOT NULL)
    EXECUTE FUNCTION kb_note_changed_days();
CREATE OR REPLACE TRIGGER kb_source_key_changes AFTER INSERT OR UPDATE ON kb_source_key
    FOR EACH ROW EXECUTE FUNCTION kb_note_changed_text();
""",
    state_operations=[
        model(
            "ChangeWork",
            "kb_change_work",
            {
                "id": number(),
                "work_id": models.BigIntegerField(),
                "source_id": models.BigIntegerField(null=True),
            },
            ordering=["id"],
            indexes=[models.Index(fields=["work_id"], name="kb_change_work_idx")],
        )
    ],
)
# A table after those that it refers to.
TABLES = {
    "kb_chunk": CHUNKS,
    "kb_provision": PROVISIONS,
    "kb_source_key": SOURCE_KEYS,
    "kb_reference": REFERENCES,
    "kb_reference_work": REFERENCE_WORK,
    "kb_change": CHANGES,
    "kb_change_work": CHANGE_WORK,
}


class Migration(migrations.Migration):
    dependencies = [("sources", "010_documents")]
    operations = [*TABLES.values(), grant(*TABLES)]
