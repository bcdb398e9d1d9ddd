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
from search.index.chunk_store.scoring import Candidates
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

# Read for a query are the most telling stems, until they come to nearly all that the query tells, or to so many
# postings: what is left is common, says little, and would be most of the work.
TELLING_SHARE = 0.97
MOST_POSTINGS = 300_000
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
) -> Candidates:
    """The chunks of some topics that may be among the `best`, in no order. Of the sources of the mask, if given.

    They are at most `count`: those that promise most. What is `known` of the posting lists is not read again.
    """
    telling = _most_telling(query)
    for chosen in (telling, query) if len(telling) < len(query) else (query,):
        found = _find(chosen, topic_ids=topic_ids, mask=mask, best=best, count=count, known=known)
        if not found.complete:
            return found
    return found


def _most_telling(query: Sequence[QueryTerm]) -> list[QueryTerm]:
    """As many as `TELLING_SHARE` asks for and `MOST_POSTINGS` allows, and one at least."""
    chosen: list[QueryTerm] = []
    postings, told = 0, 0.0
    enough = TELLING_SHARE * sum(term.worth for term in query)
    for term in sorted(query, key=lambda term: (-term.worth, term.frequency)):
        postings += term.frequency
        if chosen and (postings > MOST_POSTINGS or told >= enough):
            break
        chosen.append(term)
        told += term.worth
    return chosen


def _find(
    query: Sequence[QueryTerm],
    *,
    topic_ids: Sequence[int],
    mask: SourceMask | None,
    best: int,
    count: int,
    known: PostingsRead | None = None,
) -> Candidates:
    worths = term_worths(query, topic_ids=topic_ids)
    read = partial(_highest, worths=worths, mask=mask, count=count)
    highest, fresh = read_segments(worths, topic_ids=topic_ids, read=read, known=known)
    chunk_ids = highest.near(best)
    return Candidates(chunk_ids=chunk_ids.tolist(), fresh=fresh, complete=highest.met <= len(chunk_ids))


def term_worths(query: Sequence[QueryTerm], *, topic_ids: Sequence[int]) -> dict[TopicTerm, float]:
    """What the terms are worth, by their ids in the posting lists."""
    hashes = np.array([term.stem for term in query], dtype=np.uint64)
    worths = [term.worth for term in query]
    ids = {topic_id: term_ids(hashes, topic_id).tolist() for topic_id in topic_ids}
    return {
        (topic_id, term): worth for topic_id, terms in ids.items() for term, worth in zip(terms, worths, strict=True)
    }


def _highest(
    by_segment: ListsBySegment, *, worths: Mapping[TopicTerm, float], mask: SourceMask | None, count: int
) -> _Highest:
    """The highest sums by the lists of each segment. Raises LookupError when one was replaced, and DamagedSegment."""
    highest = _Highest(count)
    for segment_id, one in zip(by_segment, members_of([*by_segment]), strict=True):
        with reading(segment_id):
            sums = sums_of(by_segment[segment_id], len(one.chunk_ids), worths=worths)
        if mask is not None:
            sums *= one.of(mask)
        highest.add(sums, one.chunk_ids)
    return highest


class _Highest:
    """The chunks with the highest sums of the segments that were added. `met` counts all that have a sum."""

    def __init__(self, count: int) -> None:
        self._count = count
        self._sums = np.empty(0, np.float32)
        self._chunk_ids: Ids = np.empty(0, np.int64)
        self.met = 0

    def add(self, sums: NDArray[np.float32], chunk_ids: Ids) -> None:
        self.met += int(np.count_nonzero(sums > 0))
        if len(self._sums) == self._count:
            places = np.flatnonzero(sums > self._sums.min())
        else:
            places = np.flatnonzero(sums > NEGLIGIBLE * sums.max(initial=0.0))
            if len(places) < self._count:
                places = np.flatnonzero(sums)
        together = np.concatenate([self._sums, sums[places]])
        kept = largest(together, self._count)
        self._sums = together[kept]
        self._chunk_ids = np.concatenate([self._chunk_ids, chunk_ids[places]])[kept]

    def near(self, best: int) -> Ids:
        """Those whose sum is near that of the last of the best, or higher."""
        if len(self._sums) <= best:
            return self._chunk_ids
        last = np.partition(self._sums, len(self._sums) - best)[len(self._sums) - best]
        return self._chunk_ids[self._sums >= NEAR * last]


def sums_of(lists: TermPostings, chunks: int, *, worths: Mapping[TopicTerm, float]) -> NDArray[np.float32]:
    """For each place of a segment what its chunk's terms come to, by the lists and what their terms are worth."""
    sums = np.zeros(chunks, np.float32)
    for term, stored in lists.items():
        places, codes = decode(stored)
        # As sums[places] += ..., in half the time; "clip", as no code needs to be looked at: there are 256.
        np.add.at(sums, places.astype(np.intp), (IMPACTS * np.float32(worths[term])).take(codes, mode="clip"))
    return sums


def largest(values: NDArray[np.floating], count: int) -> NDArray[np.int64]:
    """Where the largest values are, so many or all, in no order."""
    if len(values) <= count:
        return np.arange(len(values))
    return np.argpartition(values, len(values) - count)[len(values) - count :]
