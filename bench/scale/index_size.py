"""What the stored chunks take on disk: text, terms and their indexes, and the vectors apart."""

from dataclasses import dataclass

import psycopg

# The tables of search with TOAST and indexes, and whether they hold vectors.
SIZES = """
    SELECT relname IN ('kb_chunk_embedding', 'kb_segment_codes'), sum(pg_total_relation_size(oid))
    FROM pg_class
    WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace
      AND (relname LIKE 'kb\\_chunk%' OR relname IN
           ('kb_source_key', 'kb_segment', 'kb_segment_codes', 'kb_posting', 'kb_fresh_source'))
    GROUP BY 1
"""
CHUNKS = "SELECT count(*) FROM kb_chunk"


@dataclass(frozen=True, slots=True)
class IndexSize:
    """How many chunks there are, and the bytes of their texts and terms, and of their vectors."""

    chunks: int
    text_and_terms: int
    vectors: int


def measure_index_size(database_url: str) -> IndexSize:
    with psycopg.connect(database_url, connect_timeout=10) as connection:
        (chunks,) = connection.execute(CHUNKS).fetchone() or (0,)
        sizes = {is_vectors: int(size) for is_vectors, size in connection.execute(SIZES)}
    return IndexSize(chunks, text_and_terms=sizes.get(False, 0), vectors=sizes.get(True, 0))
