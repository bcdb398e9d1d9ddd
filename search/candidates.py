"""Which chunks are worth scoring: those whose terms, by the posting lists, come to most.

Every chunk that holds a term of the query gets the sum of what its terms say, times what the query's terms are worth:
about its score, but for pairs of words and for whether the words are the same or only their stems.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from uuid import UUID

import numpy as np
from numpy.typing import NDArray

from kb_project.rows import fetch
from search import segments
from search.postings import decode
from search.segments import Ids
from search.term_weights import IMPACTS

# Read for a query are the most telling stems, until they come to nearly all that the query tells, or to so many
# postings: what is left is common, says little, and would be most of the work.
TELLING_SHARE = 0.97
MOST_POSTINGS = 300_000
KEPT_SEGMENTS = 64  # whose members this process remembers: 16 bytes for each of up to 65,536 chunks
NEGLIGIBLE = 0.2  # of the highest sum: there are thousands of such chunks in a large segment
# One statement, so that no source is missed on its way from the fresh ones into a segment.
_READ = """
SELECT p.segment_id, p.term, p.postings
FROM unnest(%(topics)s::bigint[], %(terms)s::int[]) AS wanted(topic_id, term)
JOIN kb_segment s ON s.topic_id = wanted.topic_id
JOIN kb_posting p ON p.segment_id = s.id AND p.term = wanted.term
UNION ALL
SELECT NULL, NULL, string_agg(int8send(source_id), ''::bytea) FROM kb_fresh_source
WHERE %(topic)s::bigint IS NULL OR topic_id = %(topic)s::bigint
"""
_Lists = Mapping[UUID, Sequence[tuple[float, bytes]]]


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


def find(query: Sequence[Wanted], *, topic_id: int | None, inside: Ids | None, count: int) -> Found:
    """The `count` chunks of a topic, or of all, that promise most, in no order; of the sources `inside`, if given."""
    telling = _most_telling(query)
    for wanted in (telling, query) if len(telling) < len(query) else (query,):
        found = _find(wanted, topic_id=topic_id, inside=inside, count=count)
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


def _find(query: Sequence[Wanted], *, topic_id: int | None, inside: Ids | None, count: int) -> Found:
    while True:
        lists, fresh = _read(query, topic_id=topic_id)
        try:
            parts = [_best(segment_id, found, inside, count=count) for segment_id, found in lists.items()]
        except LookupError:  # the segment was replaced since its lists were read
            continue
        break
    sums = np.concatenate([part[0] for part in parts]) if parts else np.empty(0)
    chunk_ids = np.concatenate([part[1] for part in parts]) if parts else np.empty(0, np.int64)
    chosen = chunk_ids[_largest(sums, count)]
    return Found(chunk_ids=chosen.tolist(), fresh=fresh, complete=sum(part[2] for part in parts) <= count)


def _read(query: Sequence[Wanted], *, topic_id: int | None) -> tuple[_Lists, list[int]]:
    """The posting lists of each segment with the terms' worths, and the fresh sources."""
    worths = {term: stem.worth for stem in query for _, term in stem.ids}
    topics, terms = zip(*(pair for stem in query for pair in stem.ids), strict=True) if worths else ((), ())
    parameters = {"topics": list(topics), "terms": list(terms), "topic": topic_id}
    lists: dict[UUID, list[tuple[float, bytes]]] = defaultdict(list)
    fresh: list[int] = []
    for segment_id, term, content in fetch(_READ, parameters, binary=True):
        if segment_id is not None:
            lists[segment_id].append((worths[term], content))
        elif content:
            fresh = np.frombuffer(content, ">i8").tolist()
    return lists, fresh


def _best(
    segment_id: UUID, lists: Sequence[tuple[float, bytes]], inside: Ids | None, *, count: int
) -> tuple[NDArray[np.float32], Ids, int]:
    """The highest sums of a segment, the chunks they are of, and how many chunks have one at all."""
    chunk_ids, source_ids = _members(segment_id)
    sums = np.zeros(len(chunk_ids), np.float32)
    for worth, stored in lists:
        at, codes = decode(stored)
        sums[at] += (IMPACTS * np.float32(worth))[codes]
    if inside is not None:
        sums[~np.isin(source_ids, inside)] = 0
    held = int(np.count_nonzero(sums))
    places = np.flatnonzero(sums > NEGLIGIBLE * sums.max(initial=0.0))
    if len(places) < count:
        places = np.flatnonzero(sums)
    places = places[_largest(sums[places], count)]
    return sums[places], chunk_ids[places], held


def _largest(values: NDArray[np.floating], count: int) -> NDArray[np.int64]:
    """Where the largest values are."""
    if len(values) <= count:
        return np.arange(len(values))
    return np.argpartition(values, len(values) - count)[len(values) - count :]


@lru_cache(maxsize=KEPT_SEGMENTS)
def _members(segment_id: UUID) -> tuple[Ids, Ids]:
    return segments.members(segment_id)
