"""What the stored chunks take on disk: text, terms and their indexes, and the vectors apart."""

from dataclasses import dataclass

import psycopg

# Every relation of search, its TOAST table and its indexes beside it, with the table that it belongs to.
RELATIONS = """
    WITH tables AS (
        SELECT oid, relname, reltoastrelid FROM pg_class
        WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
          AND (relname LIKE 'kb\\_chunk%' OR relname IN
               ('kb_source_key', 'kb_segment', 'kb_segment_codes', 'kb_posting', 'kb_fresh_source'))
    )
    SELECT relname, relname || ': rows',
           pg_table_size(oid) - coalesce(pg_total_relation_size(nullif(reltoastrelid, 0)), 0)
    FROM tables
    UNION ALL
    SELECT relname, relname || ': TOAST', pg_total_relation_size(reltoastrelid) FROM tables WHERE reltoastrelid <> 0
    UNION ALL
    SELECT tables.relname, index.relname, pg_relation_size(index.oid)
    FROM tables JOIN pg_index ON indrelid = tables.oid JOIN pg_class index ON index.oid = indexrelid
"""
LENGTHS = (
    "SELECT count(*), coalesce(avg(length(text)), 0)::float, coalesce(avg(octet_length(text)), 0)::float FROM kb_chunk"
)
VECTORS = ("kb_chunk_embedding", "kb_segment_codes")


@dataclass(frozen=True, slots=True)
class IndexSize:
    """Bytes of each relation, and what the mean chunk is like."""

    chunks: int
    mean_characters: float
    mean_bytes: float
    text_and_terms: dict[str, int]
    vectors: dict[str, int]

    @property
    def bytes_a_chunk(self) -> float:
        """Of text, terms and their indexes."""
        return sum(self.text_and_terms.values()) / max(1, self.chunks)

    @property
    def vector_bytes_a_chunk(self) -> float:
        return sum(self.vectors.values()) / max(1, self.chunks)


def measure_index_size(database_url: str) -> IndexSize:
    with psycopg.connect(database_url, connect_timeout=10) as connection:
        chunks, characters, octets = connection.execute(LENGTHS).fetchone() or (0, 0.0, 0.0)
        relations = connection.execute(RELATIONS).fetchall()
    sizes = sorted(((table, name, int(size)) for table, name, size in relations if size), key=lambda row: -row[2])
    return IndexSize(
        chunks=chunks,
        mean_characters=characters,
        mean_bytes=octets,
        text_and_terms={name: size for table, name, size in sizes if table not in VECTORS},
        vectors={name: size for table, name, size in sizes if table in VECTORS},
    )
