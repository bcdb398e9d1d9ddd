"""Which chunks are worth scoring: those whose terms, by the posting lists, come to most.

Every chunk that holds a term of the query gets the sum of what its terms say, times what the query's terms are worth:
about its score, but for pairs of words and for whether the words are the same or only their stems.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from kb_project.rows import fetch
from search import segments
from search.kept_postings import KeptPostings, TermLists
from search.postings import decode
from search.segments import Ids
from search.term_weights import IMPACTS

# Read for a query are the most telling stems, until they come to nearly all that the query tells, or to so many
# postings: what is left is common, says little, and would be most of the work.
TELLING_SHARE = 0.97
MOST_POSTINGS = 300_000
LONG = 1_000  # postings of a topic: such a term's lists are worth keeping
KEPT_SEGMENTS = 64  # whose members this process remembers: 16 bytes for each of up to 65,536 chunks
NEGLIGIBLE = 0.2  # of the highest sum: there are thousands of such chunks in a large segment
NEAR = 0.6  # of the sum of the last that is wanted: what comes to less has hardly ever the higher score
KEPT_BYTES = 64 << 20  # of posting lists that this process remembers
# One statement, so that no source is missed on its way from the fresh ones into a segment. It names the segments there
# are, as not all lists are read each time.
_READ = """
SELECT s.topic_id, s.id, NULL::int, NULL::bytea FROM kb_segment s
WHERE %(topic)s::bigint IS NULL OR s.topic_id = %(topic)s::bigint
UNION ALL
SELECT wanted.topic_id, p.segment_id, p.term, p.postings
FROM unnest(%(topics)s::bigint[], %(terms)s::int[]) AS wanted(topic_id, term)
JOIN kb_segment s ON s.topic_id = wanted.topic_id
JOIN kb_posting p ON p.segment_id = s.id AND p.term = wanted.term
UNION ALL
SELECT NULL, NULL, NULL, string_agg(int8send(source_id), ''::bytea) FROM kb_fresh_source
WHERE %(topic)s::bigint IS NULL OR topic_id = %(topic)s::bigint
"""
_Lists = Mapping[UUID, Sequence[tuple[float, bytes]]]
_kept = KeptPostings(most_bytes=KEPT_BYTES)


@dataclass(frozen=True, kw_only=True)
class Wanted:
    """A stem of a query: its term ids, each in its topic, what it is worth, and in how many chunks it is."""

    ids: Sequence[tuple[int, int]]
    worth: float
    frequency: int


@dataclass(frozen=True, kw_only=True)
class Found:
    """Chunks, and the sources whose chunks no posting list has yet.

    `complete` says that no other chunk of the segments that was to be found holds a term of the query.
    """

    chunk_ids: list[int]
    fresh: list[int]
    complete: bool


def find(query: Sequence[Wanted], *, topic_id: int | None, inside: Ids | None, best: int, count: int) -> Found:
    """The chunks of a topic, or of all, that may be among the `best`, in no order; of the sources `inside`, if given.

    They are at most `count`: those that promise most.
    """
    telling = _most_telling(query)
    for wanted in (telling, query) if len(telling) < len(query) else (query,):
        found = _find(wanted, topic_id=topic_id, inside=inside, best=best, count=count)
        if not found.complete:
            return found
    return found


def _most_telling(query: Sequence[Wanted]) -> list[Wanted]:
    """As many as `TELLING_SHARE` asks for and `MOST_POSTINGS` allows, and one at least."""
    chosen: list[Wanted] = []
    postings, told = 0, 0.0
    enough = TELLING_SHARE * sum(stem.worth for stem in query)
    for stem in sorted(query, key=lambda stem: (-stem.worth, stem.frequency)):
        postings += stem.frequency
        if chosen and (postings > MOST_POSTINGS or told >= enough):
            break
        chosen.append(stem)
        told += stem.worth
    return chosen


def _find(query: Sequence[Wanted], *, topic_id: int | None, inside: Ids | None, best: int, count: int) -> Found:
    while True:
        lists, fresh = _read(query, topic_id=topic_id)
        highest = _Highest(count)
        try:
            for segment_id, found in lists.items():
                highest.add(*_sums(segment_id, found, inside))
        except LookupError:  # the segment was replaced since its lists were read
            continue
        chunk_ids = highest.near(best)
        return Found(chunk_ids=chunk_ids.tolist(), fresh=fresh, complete=highest.met <= len(chunk_ids))


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
        largest = _largest(together, self._count)
        self._sums = together[largest]
        self._chunk_ids = np.concatenate([self._chunk_ids, chunk_ids[places]])[largest]

    def near(self, best: int) -> Ids:
        """Those whose sum is near that of the last of the best, or higher."""
        if len(self._sums) <= best:
            return self._chunk_ids
        last = np.partition(self._sums, len(self._sums) - best)[len(self._sums) - best]
        return self._chunk_ids[self._sums >= NEAR * last]


def _read(query: Sequence[Wanted], *, topic_id: int | None) -> tuple[_Lists, list[int]]:
    """The posting lists of each segment with the terms' worths, and the fresh sources."""
    topics = {term: topic for stem in query for topic, term in stem.ids}
    worths = {term: stem.worth for stem in query for _, term in stem.ids}
    long = [term for stem in query if stem.frequency >= LONG for _, term in stem.ids]
    kept = _kept.of(long)
    while True:
        segments, read, fresh = _read_lists({term: topics[term] for term in topics if term not in kept}, topic_id)
        outdated = [term for term, lists in kept.items() if lists.segments != segments[topics[term]]]
        if not outdated:
            break
        for term in outdated:
            del kept[term]
    for term in long:
        if term not in kept:
            _kept.keep(term, TermLists(segments[topics[term]], read[term]))
    found: dict[UUID, list[tuple[float, bytes]]] = defaultdict(list)
    for term, lists in (*read.items(), *((term, lists) for term, (_, lists) in kept.items())):
        for segment_id, postings in lists.items():
            found[segment_id].append((worths[term], postings))
    return found, fresh


def _read_lists(
    topics: Mapping[int, int], topic_id: int | None
) -> tuple[Mapping[int, Set[UUID]], Mapping[int, Mapping[UUID, bytes]], list[int]]:
    """The segments of each topic, the lists of each term (given with its topic), and the fresh sources."""
    segments: dict[int, set[UUID]] = defaultdict(set)
    lists: dict[int, dict[UUID, bytes]] = defaultdict(dict)
    fresh: list[int] = []
    parameters = {"topics": list(topics.values()), "terms": list(topics), "topic": topic_id}
    for topic, segment_id, term, content in fetch(_READ, parameters, binary=True):
        if term is not None:
            lists[term][segment_id] = content
        elif segment_id is not None:
            segments[topic].add(segment_id)
        elif content:
            fresh = np.frombuffer(content, ">i8").tolist()
    return segments, lists, fresh


def _sums(
    segment_id: UUID, lists: Sequence[tuple[float, bytes]], inside: Ids | None
) -> tuple[NDArray[np.float32], Ids]:
    """For each place of a segment what its chunk's terms come to, and the chunks."""
    chunk_ids, source_ids = _members(segment_id)
    sums = np.zeros(len(chunk_ids), np.float32)
    for worth, stored in lists:
        places, codes = decode(stored)
        # As sums[places] += ..., in half the time.
        np.add.at(sums, places.astype(np.intp), (IMPACTS * np.float32(worth)).take(codes, mode="clip"))
    if inside is not None:
        sums[~np.isin(source_ids, inside)] = 0
    return sums, chunk_ids


def _largest(values: NDArray[np.floating], count: int) -> NDArray[np.int64]:
    """Where the largest values are."""
    if len(values) <= count:
        return np.arange(len(values))
    return np.argpartition(values, len(values) - count)[len(values) - count :]


@lru_cache(maxsize=KEPT_SEGMENTS)
def _members(segment_id: UUID) -> tuple[Ids, Ids]:
    return segments.members(segment_id)
