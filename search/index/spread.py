"""How the vectors of each topic and of all together lie, measured while they are made.

Models differ in what a similarity says. And a passage is nearer to a query of its own language than to the same query
in another. So where there are passages in two languages, what parts their means is measured too, and taken out of each
query (`VectorsOfTopic.leveled`). So is how similarities across the two are spread, which is less.
"""

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kb_project.database.rows import fetch
from law.languages.scripts import main_language
from search.index.chunk_store import copy_format
from search.models import EmbeddingSpace

SAMPLE = 1_000  # vectors
MIN_VECTORS = 20
AGAIN_FROM = 1.25  # times as many vectors as when it was measured, or as many times fewer
_STALE = """
SELECT counted.topic_id, counted.vectors FROM (
    SELECT topic_id, count(*) AS vectors FROM kb_chunk_embedding WHERE space_id = %(space)s::bigint
    GROUP BY GROUPING SETS ((topic_id), ())
) AS counted LEFT JOIN kb_vector_spread s
    ON s.space_id = %(space)s::bigint AND s.topic_id IS NOT DISTINCT FROM counted.topic_id
WHERE counted.vectors >= %(fewest)s::int
AND (s.vectors IS NULL OR counted.vectors NOT BETWEEN s.vectors / %(times)s::float8 AND s.vectors * %(times)s::float8
    OR (s.deviation_across IS NULL AND s.between_languages IS NOT NULL))
"""
_SAMPLED = """
WITH sampled AS (
    SELECT chunk_id, embedding FROM kb_chunk_embedding
    WHERE space_id = %(space)s::bigint AND (%(topic)s::bigint IS NULL OR topic_id = %(topic)s::bigint)
    ORDER BY hashint8(chunk_id) LIMIT %(limit)s::int
) SELECT halfvec_send(sampled.embedding), left(c.text, 400) FROM sampled JOIN kb_chunk c ON c.id = sampled.chunk_id
"""
_STORE = """
INSERT INTO kb_vector_spread (space_id, topic_id, vectors, mean, deviation, between_languages, deviation_across)
SELECT %(space)s::bigint, %(topic)s::bigint, %(vectors)s::bigint, %(mean)s::text::halfvec, %(deviation)s::float8,
    %(between)s::text::halfvec, %(across)s::float8
WHERE %(topic)s::bigint IS NULL OR EXISTS (SELECT FROM kb_topic WHERE id = %(topic)s::bigint)
ON CONFLICT (space_id, COALESCE(topic_id, 0)) DO UPDATE
SET vectors = EXCLUDED.vectors, mean = EXCLUDED.mean, deviation = EXCLUDED.deviation,
    between_languages = EXCLUDED.between_languages, deviation_across = EXCLUDED.deviation_across RETURNING 1
"""


def measure(space: EmbeddingSpace) -> None:
    """Measure where the vectors have become many more or fewer: topics, and all of them together."""
    for topic_id, vectors in fetch(_STALE, {"space": space.pk, "fewest": MIN_VECTORS, "times": AGAIN_FROM}):
        place = {"space": space.pk, "topic": topic_id}
        sampled = fetch(_SAMPLED, {**place, "limit": SAMPLE}, binary=True)
        sample = copy_format.sent_halfvecs([sent for sent, _ in sampled])
        parting = across = None
        if apart := _apart(sample, [main_language(text).code for _, text in sampled]):
            between = apart.direction
            sample = sample - np.outer(sample @ between, between)
            parting, across = copy_format.vector_text(between), _deviation(sample[apart.first], sample[apart.second])
        # Of each with the others of the other half, about what it has with their mean.
        measured = {"mean": copy_format.vector_text(sample.mean(axis=0)), "between": parting, "across": across}
        fetch(_STORE, {**place, **measured, "vectors": vectors, "deviation": _deviation(sample[::2], sample[1::2])})


class _Apart(NamedTuple):
    """The two languages of a sample: which vectors are of each, and the direction, of length 1, between their means."""

    first: NDArray[np.bool_]
    second: NDArray[np.bool_]
    direction: NDArray[np.float32]


def _apart(sample: NDArray[np.float32], codes: Sequence[str]) -> _Apart | None:
    """None with too few vectors of either language."""
    one, other = [*Counter(codes).most_common(2), ("", 0), ("", 0)][:2]
    if other[1] < MIN_VECTORS:
        return None
    first, second = (np.array(codes) == code for code, _ in (one, other))
    apart = sample[second].mean(axis=0) - sample[first].mean(axis=0)
    return _Apart(first, second, apart / max(np.linalg.norm(apart), 1e-9))


def _deviation(some: NDArray[np.float32], others: NDArray[np.float32]) -> float:
    """That of the similarities of each of some with each of the others, about what it has with their mean."""
    return float(np.sqrt(np.mean(np.square(some @ (others - others.mean(axis=0)).T))))
