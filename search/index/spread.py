"""How the vectors of each topic lie, measured while they are made: models differ in what a similarity says.

A passage is nearer to a query of its own language than to the same query in another. So where a topic has passages in
two languages, what parts their means is measured too, and taken out of each query (`VectorsOfTopic.leveled`).
"""

from collections import Counter
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from kb_project.database.rows import fetch
from law.languages.scripts import main_language
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
WITH sampled AS (
    SELECT chunk_id, embedding FROM kb_chunk_embedding WHERE space_id = %s::bigint AND topic_id = %s::bigint
    ORDER BY hashint8(chunk_id) LIMIT %s::int
) SELECT halfvec_send(sampled.embedding), left(c.text, 400) FROM sampled JOIN kb_chunk c ON c.id = sampled.chunk_id
"""
_STORE = """
INSERT INTO kb_vector_spread (space_id, topic_id, vectors, mean, deviation, between_languages)
SELECT %s::bigint, id, %s::bigint, %s::text::halfvec, %s::float8, %s::text::halfvec FROM kb_topic WHERE id = %s::bigint
ON CONFLICT (space_id, topic_id) DO UPDATE
SET vectors = EXCLUDED.vectors, mean = EXCLUDED.mean, deviation = EXCLUDED.deviation,
    between_languages = EXCLUDED.between_languages RETURNING 1
"""


def measure(space: EmbeddingSpace) -> None:
    """Measure the topics whose vectors have become many more or fewer."""
    for topic_id, vectors in fetch(_STALE, {"space": space.pk, "fewest": FEWEST, "times": AGAIN_FROM}):
        sampled = fetch(_SAMPLED, [space.pk, topic_id, SAMPLE], binary=True)
        sample = copy_format.sent_halfvecs([sent for sent, _ in sampled])
        between = _between_languages(sample, [main_language(text).code for _, text in sampled])
        if between is not None:
            sample = sample - np.outer(sample @ between, between)
        mean = sample.mean(axis=0)
        # Of each with the others of the other half, about what it has with their mean.
        similarities = sample[::2] @ (sample[1::2] - mean).T
        deviation = float(np.sqrt(np.mean(np.square(similarities))))
        parting = None if between is None else copy_format.vector_text(between)
        fetch(_STORE, [space.pk, vectors, copy_format.vector_text(mean), deviation, parting, topic_id])


def _between_languages(sample: NDArray[np.float32], codes: Sequence[str]) -> NDArray[np.float32] | None:
    """The direction, of length 1, from the mean of one language to that of the other. None with too few of either."""
    first, second = [*Counter(codes).most_common(2), ("", 0), ("", 0)][:2]
    if second[1] < FEWEST:
        return None
    means = [sample[np.array(codes) == code].mean(axis=0) for code, _ in (first, second)]
    apart = means[1] - means[0]
    return apart / max(np.linalg.norm(apart), 1e-9)
