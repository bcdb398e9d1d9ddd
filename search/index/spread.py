"""How the vectors of each topic lie, measured while they are made: models differ in what a similarity says."""

import numpy as np

from kb_project.database.rows import fetch
from search.index.chunk_store import copy_format
from search.models import EmbeddingSpace

SAMPLE = 1_000  # vectors
FEWEST = 20
AGAIN_FROM = 1.25  # times as many vectors as when it was measured, or as many times fewer
_STALE = """
SELECT counted.topic_id, counted.vectors FROM (
    SELECT topic_id, count(*) AS vectors FROM kb_chunk_embedding WHERE space_id = %(space)s::bigint GROUP BY topic_id
) AS counted LEFT JOIN kb_vector_spread s ON s.space_id = %(space)s::bigint AND s.topic_id = counted.topic_id
WHERE counted.vectors >= %(fewest)s::int
AND (s.vectors IS NULL OR counted.vectors NOT BETWEEN s.vectors / %(times)s::float8 AND s.vectors * %(times)s::float8)
"""
_SAMPLED = """
SELECT halfvec_send(embedding) FROM kb_chunk_embedding WHERE space_id = %s::bigint AND topic_id = %s::bigint
ORDER BY hashint8(chunk_id) LIMIT %s::int
"""
_STORE = """
INSERT INTO kb_vector_spread (space_id, topic_id, vectors, mean, deviation)
SELECT %s::bigint, id, %s::bigint, %s::text::halfvec, %s::float8 FROM kb_topic WHERE id = %s::bigint
ON CONFLICT (space_id, topic_id) DO UPDATE
SET vectors = EXCLUDED.vectors, mean = EXCLUDED.mean, deviation = EXCLUDED.deviation RETURNING 1
"""


def measure(space: EmbeddingSpace) -> None:
    """Measure the topics whose vectors have become many more or fewer."""
    for topic_id, vectors in fetch(_STALE, {"space": space.pk, "fewest": FEWEST, "times": AGAIN_FROM}):
        sampled = fetch(_SAMPLED, [space.pk, topic_id, SAMPLE], binary=True)
        sample = copy_format.sent_halfvecs([sent for (sent,) in sampled])
        mean = sample.mean(axis=0)
        # Of each with the others of the other half, about what it has with their mean.
        similarities = sample[::2] @ (sample[1::2] - mean).T
        deviation = float(np.sqrt(np.mean(np.square(similarities))))
        fetch(_STORE, [space.pk, vectors, copy_format.vector_text(mean), deviation, topic_id])
