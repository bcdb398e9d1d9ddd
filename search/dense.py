"""Dense search: the nearest vectors of the active space, inside the scope."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kb_project.connections import release
from kb_project.rows import fetch
from search import coded_segments
from search.candidates import largest
from search.coded_segments import Layout
from search.copy_format import vector_text
from search.models import EmbeddingSpace
from search.scope import Scope
from search.segment_members import Ids, mask_of, members_of
from search.spaces import embedder_of
from search.vector_codes import Asked

# How many of the vectors in scope are compared by their codes, and how many of those themselves. Recall@50 is measured
# in docs/scale.md.
ALIKE = 8_000  # whose signs are most like the query's
ALIKE_SHARE = 0.04  # of all in scope, if that is more
LIKELY_FOR_ONE = 6  # of the candidates: those that the signs with the query's own coordinates make the nearest
CANDIDATES = 250
CANDIDATES_FOR_ONE = 2.5  # of the results that are asked for, if that is more
QUERIES_AT_ONCE = 500  # that are embedded; as many as requests have threads, so that none waits for another's
OUTSIDE = 1 << 14  # more signs than a vector has that Postgres can hold: for what is not in scope
_NONE = np.zeros(OUTSIDE, np.int64)
_SIMILARITIES = """
WITH nearby (id) AS (
    SELECT unnest(%(chunks)s::bigint[]) UNION SELECT id FROM kb_chunk WHERE source_id = ANY(%(sources)s::bigint[])
)
SELECT e.chunk_id, -(e.embedding <#> %(vector)s::halfvec)
FROM nearby JOIN kb_chunk_embedding e ON e.space_id = %(space)s AND e.chunk_id = nearby.id
"""

Nearest = list[tuple[int, float]]

_threads = ThreadPoolExecutor(QUERIES_AT_ONCE, thread_name_prefix="query-embedding")


@dataclass(frozen=True)
class DenseQuery:
    """A query's vector in a space, and the same as pgvector writes it."""

    space: EmbeddingSpace
    vector: NDArray[np.float32]

    @cached_property
    def text(self) -> str:
        return vector_text(self.vector)


def prepare(query: str, *, space: EmbeddingSpace) -> DenseQuery:
    """The query in the space. Raises ProviderError if the embedder fails."""
    return DenseQuery(space, embedder_of(space).embed([query], "query")[0])


def ask(query: str, *, space: EmbeddingSpace) -> Callable[[], DenseQuery]:
    """As `prepare`, begun in another thread; the answer is waited for without a database connection."""
    asked = _threads.submit(copy_context().run, prepare, query, space=space)

    def answer() -> DenseQuery:
        if not asked.done():
            release()
        return asked.result()

    return answer


def search(query: DenseQuery, *, scope: Scope, limit: int) -> Nearest:
    """The chunks nearest to a query and their cosine similarities, best first.

    Never fewer than `limit` where the scope has as many.
    """
    return search_and_judge(query, scope=scope, limit=limit, chunk_ids=())[0]


def search_and_judge(
    query: DenseQuery, *, scope: Scope, limit: int, chunk_ids: Collection[int]
) -> tuple[Nearest, Mapping[int, float]]:
    """As `search`, and how near some chunks of the scope are, in the same round trip.

    A chunk without a vector is left out of these.
    """
    inside = scope.sources()[0] if scope.narrows_sources else None
    alike, count = ALIKE, max(CANDIDATES, int(CANDIDATES_FOR_ONE * limit))
    while True:
        layout = coded_segments.layout(query.space.pk, topic_id=scope.topic_id)
        if not layout.coded:  # there was no time yet since the update, or the model was changed
            judged = dict(_similarities(query, chunk_ids, [])) if chunk_ids else {}
            return exact(query, scope=scope, limit=limit), judged
        try:
            candidates, complete = _candidates(query, layout, inside=inside, alike=alike, count=count)
        except LookupError:  # a segment was replaced since
            continue
        fresh = layout.fresh if inside is None else np.intersect1d(layout.fresh, inside)
        compared = dict(_similarities(query, [*candidates.tolist(), *chunk_ids], fresh.tolist()))
        if len(compared) >= limit or complete:
            nearest = sorted(compared.items(), key=lambda pair: (-pair[1], pair[0]))[:limit]
            return nearest, {chunk_id: compared[chunk_id] for chunk_id in chunk_ids if chunk_id in compared}
        alike, count = 8 * alike, 8 * count  # many of the candidates are gone


def exact(query: DenseQuery, *, scope: Scope, limit: int) -> Nearest:
    """The nearest by comparing every vector in scope."""
    parameters: dict[str, Any] = {}
    joined, condition = "", "TRUE" if scope.topic_id is None else f"e.topic_id = {scope.topic_id:d}"
    if scope.narrows_sources:
        condition, parameters = scope.source_condition("s")
        joined = "JOIN kb_chunk c ON c.id = e.chunk_id JOIN kb_source s ON s.id = c.source_id"
    return fetch(
        f"SELECT e.chunk_id, -(e.embedding <#> %(vector)s::halfvec) AS similarity FROM kb_chunk_embedding e {joined}"
        f" WHERE e.space_id = %(space)s AND {condition} ORDER BY similarity DESC, e.chunk_id LIMIT %(limit)s",
        {**parameters, "vector": query.text, "space": query.space.pk, "limit": limit},
    )


def _candidates(query: DenseQuery, layout: Layout, *, inside: Ids | None, alike: int, count: int) -> tuple[Ids, bool]:
    """The chunks of segments that seem nearest, at most `count`, and whether these are all there are in scope.

    Raises LookupError when a segment was replaced.
    """
    codes = coded_segments.codes_of(layout.segment_ids, space=query.space)
    members = members_of(layout.segment_ids)
    asked = Asked(query.vector)
    unlike = [asked.unlike(one) for one in codes]
    if inside is not None:
        mask = mask_of(inside)
        for counts, one in zip(unlike, members, strict=True):
            counts[~one.of(mask)] = OUTSIDE
    met, most = _most_unlike(unlike, alike=alike)
    near = [np.flatnonzero(counts <= most) for counts in unlike]
    chunk_ids = _joined([one.chunk_ids[places] for one, places in zip(members, near, strict=True)])
    if len(chunk_ids) > count:
        levels = _joined([one.levels[places] for one, places in zip(codes, near, strict=True)])
        scales = _joined([one.scales[places] for one, places in zip(codes, near, strict=True)])
        likely = largest(asked.by_signs(levels), LIKELY_FOR_ONE * count)
        chunk_ids = chunk_ids[likely[largest(asked.similarities(levels[likely], scales[likely]), count)]]
    return chunk_ids, len(chunk_ids) == met


def _most_unlike(unlike: Sequence[NDArray[np.uint16]], *, alike: int) -> tuple[int, int]:
    """How many vectors are in scope, and in how many signs the last differs of those to be compared by their codes."""
    counted = np.cumsum(sum((np.bincount(counts, minlength=OUTSIDE)[:OUTSIDE] for counts in unlike), _NONE))
    met = int(counted[-1])
    wanted = min(met, max(alike, int(ALIKE_SHARE * met)))
    return met, int(np.searchsorted(counted, wanted))


def _joined(parts: Sequence[NDArray[Any]]) -> NDArray[Any]:
    return np.concatenate(parts) if parts else np.empty(0, np.int64)


def _similarities(query: DenseQuery, chunk_ids: Collection[int], source_ids: Sequence[int]) -> Nearest:
    """How near some chunks are, and all chunks of some sources, in no order."""
    parameters = {"vector": query.text, "space": query.space.pk, "chunks": list(chunk_ids), "sources": source_ids}
    return fetch(_SIMILARITIES, parameters)
