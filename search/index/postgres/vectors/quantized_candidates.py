"""Which vectors are worth comparing with a query's: those whose codes come nearest to it.

What needs the database is read at the start (`field`). Choosing needs memory alone, and so may go on beside other work.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from search.index.postgres.segments.candidates import largest
from search.index.postgres.segments.damage import read_again
from search.index.postgres.segments.members import Ids, Members, SourceMask, mask_of, members_of
from search.index.postgres.vectors import quantized_segments
from search.index.postgres.vectors.quantization import QuantizedQuery, QuantizedVectors
from search.models import EmbeddingSpace
from sources.scope import Scope

# How many of the vectors in scope are compared by their codes, and how many of those themselves. Recall@50 is measured
# in docs/scale.md.
ALIKE = 8_000  # whose signs are most like the query's
ALIKE_SHARE = 0.04  # of all in scope, if that is more
LIKELY_FOR_ONE = 6  # of the candidates: those that the signs with the query's own coordinates make the nearest
CANDIDATES = 250
CANDIDATES_FOR_ONE = 2.5  # of the results that are asked for, if that is more
MAX_UNCODED = 20_000  # chunks of segments without codes, whose vectors are compared one by one
OUTSIDE = 1 << 14  # more signs than a vector has that Postgres can hold: for what is not in scope
_NONE = np.zeros(OUTSIDE, np.int64)


@dataclass(frozen=True, kw_only=True)
class CandidatePool:
    """What a search chooses from: the segments of a topic, or of all, as they were at one moment.

    `mask` are the sources in scope, None for all. `fresh` are the sources that were in no segment with codes yet.
    """

    codes: Sequence[QuantizedVectors]
    members: Sequence[Members]
    mask: SourceMask | None
    fresh: Ids


@dataclass(frozen=True, kw_only=True)
class CodedCandidates:
    """The chunks of segments that seem nearest, in no order, and whether these are all there are in scope."""

    vector: NDArray[np.float32]
    limit: int
    among: CandidatePool
    chunk_ids: Ids
    complete: bool

    @property
    def ids(self) -> list[int]:
        return self.chunk_ids.tolist()

    @property
    def fresh(self) -> list[int]:
        return self.among.fresh.tolist()

    def more(self, effort: int) -> "CodedCandidates":
        return choose(self.vector, self.among, limit=self.limit, effort=effort)


def field(space: EmbeddingSpace, *, scope: Scope) -> CandidatePool | None:
    """What there is to choose from, or None while too much has no codes, as after a change of the model."""
    mask = mask_of(scope)

    def attempt() -> CandidatePool | None:
        layout = quantized_segments.layout(space.pk, topic_ids=scope.limited_to)
        if layout.uncoded_chunks > MAX_UNCODED:
            return None
        uncoded = [one.source_ids for one in members_of(layout.uncoded)]
        return CandidatePool(
            codes=quantized_segments.codes_of(layout.segment_ids, space=space),
            members=members_of(layout.segment_ids),
            mask=mask,
            fresh=np.unique(np.concatenate([layout.fresh, *uncoded])),
        )

    return read_again(attempt)


def choose(vector: NDArray[np.float32], among: CandidatePool, *, limit: int, effort: int = 1) -> CodedCandidates:
    """Enough for the `limit` nearest to be among them, but for a few. `effort` times as many as are usually."""
    asked = QuantizedQuery(vector)
    unlike = [asked.unlike(codes) for codes in among.codes]
    if among.mask is not None:
        for counts, members in zip(unlike, among.members, strict=True):
            counts[~members.of(among.mask)] = OUTSIDE
    met, most = _most_unlike(unlike, alike=effort * ALIKE)
    near = [np.flatnonzero(counts <= most) for counts in unlike]
    chunk_ids = _joined([members.chunk_ids[places] for members, places in zip(among.members, near, strict=True)])
    count = effort * max(CANDIDATES, int(CANDIDATES_FOR_ONE * limit))
    if len(chunk_ids) > count:
        levels = _joined([codes.levels[places] for codes, places in zip(among.codes, near, strict=True)])
        scales = _joined([codes.scales[places] for codes, places in zip(among.codes, near, strict=True)])
        likely = largest(asked.by_signs(levels), LIKELY_FOR_ONE * count)
        chunk_ids = chunk_ids[likely[largest(asked.similarities(levels[likely], scales[likely]), count)]]
    return CodedCandidates(vector=vector, limit=limit, among=among, chunk_ids=chunk_ids, complete=len(chunk_ids) == met)


def _most_unlike(unlike: Sequence[NDArray[np.uint16]], *, alike: int) -> tuple[int, int]:
    """How many vectors are in scope, and in how many signs the last differs of those to be compared by their codes."""
    counted = np.cumsum(sum((np.bincount(counts, minlength=OUTSIDE)[:OUTSIDE] for counts in unlike), _NONE))
    met = int(counted[-1])
    wanted = min(met, max(alike, int(ALIKE_SHARE * met)))
    return met, int(np.searchsorted(counted, wanted))


def _joined(parts: Sequence[NDArray[Any]]) -> NDArray[Any]:
    return np.concatenate(parts) if parts else np.empty(0, np.int64)
