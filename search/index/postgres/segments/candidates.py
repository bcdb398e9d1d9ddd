"""Which chunks are worth scoring: those whose terms, by the posting lists, come to most.

Every chunk that holds a term of the query gets the sum of what its terms say, times what the query's terms are worth:
about its score, but for pairs of words and for whether the words are the same or only their stems.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from law.words.term_weights import IMPACTS, term_ids
from search.index.chunk_store.scoring import SelectedChunks
from search.index.postgres.segments.members import Ids, SourceMask, members_of
from search.index.postgres.segments.posting_lists import (
    ListsBySegment,
    PostingsRead,
    TermPostings,
    read_segments,
    reading,
)
from search.index.postgres.segments.postings import TopicTerm, decode
from search.ranking.word_query import QueryTerm

# Read for a query are the most discriminative stems, until they come to nearly all that the query tells, or to so many
# postings: what is left is common, says little, and would be most of the work.
DISCRIMINATIVE_SHARE = 0.97
MAX_POSTINGS = 300_000
NEGLIGIBLE = 0.2  # of the highest sum: there are thousands of such chunks in a large segment
NEAR = 0.6  # of the sum of the last that is wanted: what comes to less has hardly ever the higher score


def find(
    query: Sequence[QueryTerm],
    *,
    topic_ids: Sequence[int],
    mask: SourceMask | None,
    best: int,
    count: int,
    known: PostingsRead | None = None,
) -> SelectedChunks:
    """The chunks of some topics that may be among the `best`, in no order. Of the sources of the mask, if given.

    They are at most `count`: those that promise most. What is `known` of the posting lists is not read again.
    """
    discriminative = _most_discriminative(query)
    for chosen in (discriminative, query) if len(discriminative) < len(query) else (query,):
        found = _find(chosen, topic_ids=topic_ids, mask=mask, best=best, count=count, known=known)
        if not found.complete:
            return found
    return found


def _most_discriminative(query: Sequence[QueryTerm]) -> list[QueryTerm]:
    """As many as `DISCRIMINATIVE_SHARE` asks for and `MAX_POSTINGS` allows, and one at least."""
    chosen: list[QueryTerm] = []
    postings, told = 0, 0.0
    enough = DISCRIMINATIVE_SHARE * sum(term.weight for term in query)
    for term in sorted(query, key=lambda term: (-term.weight, term.frequency)):
        postings += term.frequency
        if chosen and (postings > MAX_POSTINGS or told >= enough):
            break
        chosen.append(term)
        told += term.weight
    return chosen


def _find(
    query: Sequence[QueryTerm],
    *,
    topic_ids: Sequence[int],
    mask: SourceMask | None,
    best: int,
    count: int,
    known: PostingsRead | None = None,
) -> SelectedChunks:
    weights = term_weights(query, topic_ids=topic_ids)
    read = partial(_highest, weights=weights, mask=mask, count=count)
    highest, fresh = read_segments(weights, topic_ids=topic_ids, read=read, known=known)
    chunk_ids = highest.near(best)
    return SelectedChunks(chunk_ids=chunk_ids.tolist(), fresh=fresh, complete=highest.met <= len(chunk_ids))


def term_weights(query: Sequence[QueryTerm], *, topic_ids: Sequence[int]) -> dict[TopicTerm, float]:
    """What the terms are worth, by their ids in the posting lists."""
    hashes = np.array([term.stem for term in query], dtype=np.uint64)
    weights = [term.weight for term in query]
    ids = {topic_id: term_ids(hashes, topic_id).tolist() for topic_id in topic_ids}
    return {
        (topic_id, term): weight for topic_id, terms in ids.items() for term, weight in zip(terms, weights, strict=True)
    }


def _highest(
    by_segment: ListsBySegment, *, weights: Mapping[TopicTerm, float], mask: SourceMask | None, count: int
) -> _Highest:
    """The highest scores by the lists of each segment. Raises LookupError when one was replaced, and DamagedSegment."""
    highest = _Highest(count)
    for segment_id, one in zip(by_segment, members_of([*by_segment]), strict=True):
        with reading(segment_id):
            scores = scores_of(by_segment[segment_id], len(one.chunk_ids), weights=weights)
        if mask is not None:
            scores *= one.of(mask)
        highest.add(scores, one.chunk_ids)
    return highest


class _Highest:
    """The chunks with the highest scores of the segments that were added. `met` counts all that have a sum."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._scores = np.empty(0, np.float32)
        self._chunk_ids: Ids = np.empty(0, np.int64)
        self.met = 0

    def add(self, scores: NDArray[np.float32], chunk_ids: Ids) -> None:
        self.met += int(np.count_nonzero(scores > 0))
        if len(self._scores) == self._count:
            places = np.flatnonzero(scores > self._scores.min())
        else:
            places = np.flatnonzero(scores > NEGLIGIBLE * scores.max(initial=0.0))
            if len(places) < self._count:
                places = np.flatnonzero(scores)
        together = np.concatenate([self._scores, scores[places]])
        kept = largest(together, self._count)
        self._scores = together[kept]
        self._chunk_ids = np.concatenate([self._chunk_ids, chunk_ids[places]])[kept]

    def near(self, best: int) -> Ids:
        """Those whose sum is near that of the last of the best, or higher."""
        if len(self._scores) <= best:
            return self._chunk_ids
        last = np.partition(self._scores, len(self._scores) - best)[len(self._scores) - best]
        return self._chunk_ids[self._scores >= NEAR * last]


def scores_of(lists: TermPostings, chunks: int, *, weights: Mapping[TopicTerm, float]) -> NDArray[np.float32]:
    """For each place of a segment what its chunk's terms come to, by the lists and what their terms are worth."""
    scores = np.zeros(chunks, np.float32)
    for term, stored in lists.items():
        places, codes = decode(stored)
        # As scores[places] += ..., in half the time; "clip", as no code needs to be looked at: there are 256.
        np.add.at(scores, places.astype(np.intp), (IMPACTS * np.float32(weights[term])).take(codes, mode="clip"))
    return scores


def largest(values: NDArray[np.floating], count: int) -> NDArray[np.int64]:
    """Where the largest values are, so many or all, in no order."""
    if len(values) <= count:
        return np.arange(len(values))
    return np.argpartition(values, len(values) - count)[len(values) - count :]
