"""What is stored of the topics of a scope beside the index, and decides how a query is read."""

from dataclasses import dataclass, replace
from functools import lru_cache
from uuid import UUID

import numpy as np
import pgvector

from kb_project.database.rows import Query, Rows
from law.words.analysis import terms
from search.index import Vector
from search.models import EmbeddingSpace
from search.ranking.fusion import Spread
from sources.scope import Scope, ids_of

# A space that has no vector yet, as after a switch of the model, is none: passages are found by their words. The first
# vector of it or of a later one is read in the order of the spaces, which only an index has: with EXISTS, or in another
# order, it may be looked for among all vectors.
_STORED = """
SELECT t.name, v.version, e.id, e.provider, e.model, e.dimension, d.mean::text, d.deviation,
    d.between_languages::text, d.deviation_across, ({gone}), EXISTS (SELECT FROM kb_vector_work w WHERE {of_topic})
FROM (SELECT) AS always
LEFT JOIN kb_topic t ON t.id = %(topic)s::bigint
LEFT JOIN kb_synonym_version v ON TRUE
LEFT JOIN (kb_embedding_space e CROSS JOIN LATERAL (
    SELECT made.space_id FROM kb_chunk_embedding made WHERE made.space_id >= e.id ORDER BY made.space_id LIMIT 1
) AS next_vector) ON e.active AND next_vector.space_id = e.id
LEFT JOIN kb_vector_spread d ON d.space_id = e.id AND d.topic_id IS NOT DISTINCT FROM %(topic)s::bigint
"""


@dataclass(frozen=True, slots=True)
class VectorsOfTopic:
    """How the vectors of the topic lie: their mean, as pgvector writes it, and the deviation of similarities.

    Where several are searched, it is those of all topics. `between` is the direction between its two languages,
    where it has two, `across` the deviation of similarities of a passage of one with a passage of the other.
    """

    mean: str
    deviation: float
    between: str | None = None
    across: float | None = None

    def spread(self, vector: Vector) -> Spread:
        """That of the similarities with the vector of a query."""
        return Spread(float(_read_vector(self.mean) @ vector), self.deviation, self.across)

    def leveled(self, vector: Vector) -> Vector:
        """The vector of a query, without what draws it to the passages of its own language."""
        if self.between is None:
            return vector
        between = _read_vector(self.between)
        left = vector - (vector @ between) * between
        return np.asarray(left / max(float(np.linalg.norm(left)), 1e-9), np.float32)


def _read_vector(written: str) -> Vector:
    return np.asarray(pgvector.Vector.from_text(written).to_numpy(), np.float32)


@dataclass(frozen=True, kw_only=True)
class TopicState:
    """What is stored beside the index and decides how a query is read."""

    topic_stems: frozenset[int]  # of the words in the name of the topic, by their hashes
    space: EmbeddingSpace | None
    synonyms: UUID | None  # their version
    spread: VectorsOfTopic | None
    scope: Scope  # that knows what is not in force
    lacks_vectors: bool


@lru_cache(maxsize=8)
def _active_space(pk: int, provider: str, model: str, dimension: int) -> EmbeddingSpace:
    return EmbeddingSpace(pk=pk, provider=provider, model=model, dimension=dimension, active=True)


def topic_state(scope: Scope) -> Query[TopicState]:
    """Read in one round trip with what else a plan needs."""

    def read(rows: Rows) -> TopicState:
        [(name, version, pk, provider, model, dimension, mean, deviation, between, across, gone, lacks)] = rows
        return TopicState(
            topic_stems=frozenset(term.stem_hash for term in terms(name or "")),
            space=_active_space(pk, provider, model, dimension) if pk else None,
            synonyms=version,
            spread=VectorsOfTopic(mean, deviation, between, across) if mean and deviation else None,
            scope=replace(scope, gone=ids_of(gone)),
            lacks_vectors=lacks,
        )

    gone, parameters = scope.gone_condition()
    of_topic, topics = scope.topic_condition("w.topic_id")
    statement = _STORED.format(gone=gone, of_topic=of_topic)
    return Query(statement, {**parameters, **topics, "topic": scope.topic_id}, read)
