"""Chunks that are in no segment that searches read, though their sources are not fresh any more."""

from collections import Counter

import numpy as np

from kb_project.operations.integrity.registry import query
from search.index.postgres.segments.members import chunk_ids_of

# What is not fresh has been gathered: first these, then the segments, and no chunk is missed on its way.
_GATHERED = """
SELECT id, source_id FROM kb_chunk c WHERE topic_id = %(topic)s
AND NOT EXISTS (SELECT FROM kb_fresh_source f WHERE f.source_id = c.source_id) ORDER BY id
"""


def unlisted(topic_id: int) -> dict[int, int]:
    """How many such chunks each source of a topic has; reads the ids of all chunks of the topic."""
    chunks = np.array([*query(_GATHERED, {"topic": topic_id})], np.int64).reshape(-1, 2)
    for chunk_ids in chunk_ids_of(topic_id):
        chunks = chunks[~np.isin(chunks[:, 0], chunk_ids)]
    return dict(sorted(Counter(chunks[:, 1].tolist()).items()))
