"""What no segment holds yet, in SQL."""

# The sources that were fresh when the segments were read, and those that have been published since.
SOURCES = """
SELECT unnest(%(fresh)s::bigint[])
UNION SELECT source_id FROM kb_fresh_source
WHERE topic_id = ANY(%(topics)s::bigint[])
"""


def chunks_of(sources: str, *, columns: str) -> str:
    """The chunks `c` of some sources, for a FROM; `sources` selects their ids, `columns` are those of kb_chunk.

    A source at a time, through the index of its chunks: OFFSET 0 keeps the planner from reading the whole table.
    """
    return (
        f"({sources}) AS held (source_id) CROSS JOIN LATERAL"
        f" (SELECT {columns} FROM kb_chunk WHERE source_id = held.source_id OFFSET 0) AS c"
    )
