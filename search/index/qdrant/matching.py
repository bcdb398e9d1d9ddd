"""The chunks that hold enough of some words: Qdrant brings those that have any, Postgres tells what each holds."""

from collections.abc import Collection, Sequence

import numpy as np
from qdrant_client import models as q

from kb_project.database.rows import fetch
from law.words.term_weights import FIELDS, SALTS, SparseVector, add, dimensions
from search.index.chunk_store import pending_sources
from search.index.protocol import Matches
from search.index.qdrant.client import ask, query_of
from search.index.qdrant.collections import LAG, WORDS, in_use
from search.index.qdrant.points import filter_of, ids_of
from search.index.qdrant.searching import sparse
from search.ranking.word_query import Word
from sources.scope import Scope

MOST_MATCHES = 5_000  # passages; of more, those that score best
TOLERANCE = 1e-4  # of a share: a sum of rounded numbers
_OF_NO_WEIGHT = 1e-3  # of what is required and says nothing
_HELD = "SELECT c.id, c.source_id, (SELECT sum(worth) FROM words WHERE words.terms && c.term_ids)"
_COLUMNS = "id, source_id, topic_id, valid_from, valid_to, term_ids"
_STATEMENT = f"""
WITH words AS MATERIALIZED (
    SELECT worth, terms::int[] AS terms FROM unnest(%(worths)s::float8[], %(groups)s::text[]) AS one (worth, terms)
)
{_HELD} FROM kb_chunk c WHERE c.id = ANY(%(chosen)s::bigint[]) AND {{condition}}
UNION {_HELD} FROM {pending_sources.chunks_of(LAG.sources, columns=_COLUMNS)} WHERE {{condition}}
"""


def find(words: Sequence[Word], *, scope: Scope, least: float, required: Sequence[Collection[int]]) -> Matches:
    """As `SearchIndex.matches`, for as many as `MOST_MATCHES` of the passages that have any of the words."""
    groups = [(1.0, stems) for stems in required] or [(word[0].worth, [term.stem for term in word]) for word in words]
    if not groups:
        return Matches()
    topic_ids = scope.topic_ids()
    used = in_use(topic_ids)
    every = [[term for topic in topic_ids for term in ids_of([*stems], topic).tolist()] for _, stems in groups]
    holding = [q.FieldCondition(key="stems", match=q.MatchAny(any=terms)) for terms in every] if required else []
    inside = filter_of(scope, *holding)
    [points] = ask(used.name, [query_of(_vector(words, required), WORDS, inside=inside, limit=MOST_MATCHES)])
    scores = {int(point.id): point.score for point in points}
    condition, parameters = scope.condition("c")
    given = {
        "worths": [worth for worth, _ in groups],
        "groups": [f"{{{','.join(map(str, terms))}}}" for terms in every],
        **{"chosen": [*scores], "fresh": used.fresh, "topics": topic_ids},
    }
    rows = [row for row in fetch(_STATEMENT.format(condition=condition), parameters | given) if row[2]]
    most = len(groups) if required else least * max((held for _, _, held in rows), default=0.0)
    kept = [row for row in rows if row[2] >= most - TOLERANCE * max(most, 1.0)]
    chunk_ids, source_ids = (np.array([row[column] for row in kept], np.int64) for column in (0, 1))
    return Matches(chunk_ids, source_ids, np.array([scores.get(row[0], row[2]) for row in kept], np.float32))


def _vector(words: Sequence[Word], required: Sequence[Collection[int]]) -> q.SparseVector:
    """What finds each chunk that has a stem of the words, whether or not as the same word."""
    worths = {stem: _OF_NO_WEIGHT for stems in required for stem in stems}
    worths |= {term.stem: max(term.worth, _OF_NO_WEIGHT) for word in words for term in word}
    stems, values = np.array([*worths], np.uint64), np.array([*worths.values()])
    parts = [SparseVector(dimensions(stems, SALTS[field.name, "stem"]), field.impact * values) for field in FIELDS]
    return sparse(add(*parts))
