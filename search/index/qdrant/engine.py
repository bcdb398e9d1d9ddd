"""The index in Qdrant: it chooses among the chunks that Postgres keeps. Imported only with `KB_INDEX=qdrant`.

Words and meaning are asked for in one request. Qdrant brings what promises most. Postgres scores it, and tells of what
has changed since.
"""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from qdrant_client import models as q

from kb_project.database.rows import Query, fetch
from kb_project.errors import Unavailable
from kb_project.operations.integrity.registry import IntegrityCheck
from law.words.term_weights import FIELDS, SALTS, SparseVector, add, dimensions
from search.index.chunk_store import pending_sources, scoring
from search.index.chunk_store.engine import StoredChunks
from search.index.chunk_store.scoring import SelectedChunks
from search.index.chunk_store.similarities import DenseQuery, compare
from search.index.protocol import Matches, Nearest, NearestSearch, Vector
from search.index.qdrant import collections, outbox
from search.index.qdrant.client import ask, query_of, sparse
from search.index.qdrant.collections import COUNTED, LAG, MEANING, STEMS, WORDS, InUse, in_use
from search.index.qdrant.points import ANY_STEM, filter_of, ids_of
from search.models import CollectionWork, EmbeddingSpace
from search.ranking.fusion import Ranking
from search.ranking.word_query import TermCounts, Word, WordQuery
from sources.scope import Scope

TURN_S = 20.0  # of bringing in, then other work of the worker comes first
WAIT_S = 0.5  # while another process brings in
logger = logging.getLogger(__name__)
CANDIDATES = 200
CANDIDATES_FOR_ONE = 2  # of the results that are asked for, if that is more
MAX_MATCHES = 5_000  # passages; of more, those that score best
TOLERANCE = 1e-4  # of a share: a sum of rounded numbers
_OF_NO_WEIGHT = 1e-3  # of what is required and says nothing
_HELD = "SELECT c.id, c.source_id, (SELECT sum(weight) FROM words WHERE words.terms && c.term_ids)"
_COLUMNS = "id, source_id, topic_id, valid_from, valid_to, term_ids"
_PENDING = pending_sources.counts_of(LAG.sources)
_STATEMENT = f"""
WITH words AS MATERIALIZED (
    SELECT weight, terms::int[] AS terms FROM unnest(%(weights)s::float8[], %(groups)s::text[]) AS one (weight, terms)
)
{_HELD} FROM kb_chunk c WHERE c.id = ANY(%(chosen)s::bigint[]) AND {{condition}}
UNION {_HELD} FROM {pending_sources.chunks_of(LAG.sources, columns=_COLUMNS)} WHERE {{condition}}
"""


def count(stems: Sequence[int], *, scope: Scope) -> Query[TermCounts]:
    """As `SearchIndex.count`, by one request: what a stem alone scores is its idf, ln((points + 1) / (number + 0.5)).

    `COUNTED` is in one point, so that what a stem scores less than it tells the number. With several shards the one
    where a stem is rarest tells.
    """
    asked, topic_ids = [ANY_STEM, *stems], scope.topic_ids()
    dimensions = [one for topic_id in topic_ids for one in ids_of(asked, topic_id).view(np.uint32).tolist()]
    vectors = (q.SparseVector(indices=[one], values=[1.0]) for one in (COUNTED, *dimensions))
    used = in_use(topic_ids)
    found = ask(used.name, *(query_of(vector, STEMS, limit=1) for vector in vectors))
    of_one, *scores = (max(hits.values(), default=math.inf) for hits in found)
    numbers = np.rint(1.5 * np.exp(of_one - np.array(scores)) - 0.5).clip(0)
    chunks, *held = numbers.reshape(-1, len(asked)).sum(axis=0, dtype=int).tolist()
    by_stem = {stem: number for stem, number in zip(stems, held, strict=True) if number}
    stem_of = pending_sources.stems_by_term(stems, topic_ids=topic_ids)
    asked_too = {"fresh": used.fresh, "topics": topic_ids, "counted": [term for _, term in stem_of]}
    return Query(_PENDING, asked_too, lambda rows: pending_sources.with_pending(chunks, by_stem, rows, stem_of=stem_of))


@dataclass
class NearPoints:
    """The points that seem nearest to a query's vector. They are asked for with its words, or when they are wanted."""

    vector: Future[Vector]
    used: InUse
    inside: q.Filter
    count: int

    @cached_property
    def ids(self) -> list[int]:
        [found] = ask(self.used.name, self.query)
        return [*found]

    @property
    def fresh(self) -> list[int]:
        return self.used.fresh

    @property
    def complete(self) -> bool:
        return len(self.ids) < self.count

    @property
    def query(self) -> q.QueryRequest:
        vector = self.vector.result().tolist()
        return query_of(vector, MEANING, inside=self.inside, limit=self.count, ef=self.count)

    def more(self, effort: int) -> NearPoints:
        return replace(self, count=effort * self.count)


def search_by_meaning(vector: Future[Vector], *, space: EmbeddingSpace, scope: Scope, limit: int) -> NearestSearch:
    """As `SearchIndex.nearest`. While a collection of another space is in use, all vectors in scope are compared."""
    used, count = in_use(scope.topic_ids()), max(CANDIDATES, CANDIDATES_FOR_ONE * limit)
    near = NearPoints(vector, used, filter_of(scope), count) if used.space_id == space.pk else None

    def end(chunk_ids: Collection[int]) -> Nearest:
        query = DenseQuery(space, vector.result())
        return compare(query, near, scope=scope, limit=limit, chunk_ids=chunk_ids, lag=LAG)

    return NearestSearch([vector], end, combined=near)


def search_by_words(
    query: WordQuery,
    *,
    scope: Scope,
    limit: int,
    guaranteed: int | None = None,
    nearest: NearestSearch | None = None,
) -> Ranking:
    """As `SearchIndex.candidates`."""
    if not query.terms:
        return []
    if scope.narrows_sources and scope.sources()[1] <= scoring.SCORED_WHOLE:
        return scoring.score_whole(query, scope=scope, limit=limit)
    topic_ids = scope.topic_ids()
    near: NearPoints | None = nearest.combined if nearest else None
    used, words, inside = near.used if near else in_use(topic_ids), sparse(query.vector), filter_of(scope)

    def choose(*, best: int, count: int) -> SelectedChunks:
        asked = query_of(words, WORDS, inside=inside, limit=count)
        if near and not near.vector.exception():
            found, by_meaning = ask(used.name, asked, near.query)
            near.ids = [*by_meaning]
        else:
            [found] = ask(used.name, asked)
        return SelectedChunks(chunk_ids=[*found], fresh=used.fresh, complete=len(found) < count)

    return scoring.score_chosen(
        query, choose, scope=scope, topic_ids=topic_ids, limit=limit, guaranteed=guaranteed, lag=LAG
    )


def find_matches(
    words: Sequence[Word], *, scope: Scope, least: float, required: Sequence[Collection[int]] = ()
) -> Matches:
    """As `SearchIndex.matches`, for as many as `MAX_MATCHES` of the passages that have any of the words."""
    groups = [(1.0, stems) for stems in required] or [(word[0].weight, [term.stem for term in word]) for word in words]
    if not groups:
        return Matches()
    topic_ids = scope.topic_ids()
    used = in_use(topic_ids)
    every = [[term for topic in topic_ids for term in ids_of([*stems], topic).tolist()] for _, stems in groups]
    holding = [q.FieldCondition(key="stems", match=q.MatchAny(any=terms)) for terms in every] if required else []
    inside = filter_of(scope, *holding)
    [scores] = ask(used.name, query_of(_vector(words, required), WORDS, inside=inside, limit=MAX_MATCHES))
    condition, parameters = scope.condition("c")
    given = {
        "weights": [weight for weight, _ in groups],
        "groups": [f"{{{','.join(map(str, terms))}}}" for terms in every],
        **{"chosen": [*scores], "fresh": used.fresh, "topics": topic_ids},
    }
    rows = [row for row in fetch(_STATEMENT.format(condition=condition), parameters | given) if row[2]]
    most = len(groups) if required else least * max((held for _, _, held in rows), default=0.0)
    kept = [row for row in rows if row[2] >= most - TOLERANCE * max(most, 1.0)]
    of_kept = [scores.get(chunk_id, held) for chunk_id, _, held in kept]
    chunk_ids, source_ids = (np.array([row[column] for row in kept], np.int64) for column in (0, 1))
    return Matches(chunk_ids, source_ids, np.array(of_kept, np.float32))


def _vector(words: Sequence[Word], required: Sequence[Collection[int]]) -> q.SparseVector:
    """What finds each chunk that has a stem of the words, whether or not as the same word."""
    weights = {stem: _OF_NO_WEIGHT for stems in required for stem in stems}
    weights |= {term.stem: max(term.weight, _OF_NO_WEIGHT) for word in words for term in word}
    stems, values = np.array([*weights], np.uint64), np.array([*weights.values()])
    parts = [SparseVector(dimensions(stems, SALTS[field.name, "stem"]), field.impact * values) for field in FIELDS]
    return sparse(add(*parts))


class QdrantIndex(StoredChunks):
    """The verbs of `search.index.protocol.SearchIndex`. A search raises Unavailable while Qdrant is away."""

    count = staticmethod(count)
    candidates = staticmethod(search_by_words)
    matches = staticmethod(find_matches)
    nearest = staticmethod(search_by_meaning)

    def maintain(self, *, thorough: bool = False) -> int:
        """As the protocol has it, for a short while. A model that was switched gets a collection of its own."""
        brought = 0
        try:
            wanted = collections.wanted()
            for collection in collections.living():
                brought += outbox.sync(collection, seconds=TURN_S)
            collections.take_into_use(wanted)
            collections.delete_dropped()
        except Unavailable:
            logger.warning("Qdrant cannot be reached; what has changed waits for it", exc_info=True)
        return brought

    def is_behind(self) -> bool:
        return True  # whether the service has its collections, it alone can tell

    def fill(self, *, on_progress: Callable[[int, int], object] | None = None) -> None:
        report = on_progress or (lambda done, total: None)
        made = collections.wanted(anew=True)
        collections.ensure_there(made)
        total = CollectionWork.objects.filter(collection=made).values("source_id").distinct().count()
        report(0, total)
        while not collections.take_into_use(made):
            if not outbox.sync(made, seconds=TURN_S, on_source=lambda: report(1, total)):
                time.sleep(WAIT_S)
        collections.delete_dropped()

    def check(self) -> Sequence[IntegrityCheck]:
        from search.index.chunk_store import checks as stored
        from search.index.qdrant import checks  # they need models

        return [*stored.CHECKS, *checks.CHECKS]
