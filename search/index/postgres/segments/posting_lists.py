"""Reading the posting lists of a query's terms: from the database, or from what was read before.

Segment by segment: again when one was replaced meanwhile, and without damaged ones.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from typing import NamedTuple, TypeVar
from uuid import UUID

import numpy as np

from kb_project.database.rows import fetch
from search.index.postgres.segments.damage import DamagedSegment, read_again
from search.index.postgres.segments.lru_cache import LruCache
from search.index.postgres.segments.postings import TopicTerm

LONG = 3_000  # bytes of a term's lists, a thousand postings: such are worth keeping
KEPT_BYTES = 64 << 20  # of posting lists that this process remembers
# One statement, so that no source is missed on its way from the fresh ones into a segment. It names the segments there
# are, as not all lists are read each time.
_READ = """
SELECT s.topic_id, s.id, NULL::int, NULL::bytea FROM kb_segment s
WHERE s.topic_id = ANY(%(topics)s::bigint[]) AND NOT s.damaged
UNION ALL
SELECT wanted.topic_id, p.segment_id, p.term, p.postings
FROM unnest(%(of)s::bigint[], %(terms)s::int[]) AS wanted(topic_id, term)
JOIN kb_segment s ON s.topic_id = wanted.topic_id AND NOT s.damaged
JOIN kb_posting p ON p.segment_id = s.id AND p.term = wanted.term
UNION ALL
SELECT NULL, NULL, NULL, string_agg(int8send(source_id), ''::bytea) FROM kb_fresh_source
WHERE topic_id = ANY(%(topics)s::bigint[])
"""
_OVERHEAD = 500  # bytes, about, that what is kept of a term takes besides its lists
_OVERHEAD_OF_A_LIST = 200  # and a list besides its postings, or the name of a segment


class TermLists(NamedTuple):
    """The lists of a term in each of the segments that its topic had, unless it is not in one.

    They hold as long as the topic has these segments, since segments never change.
    """

    segments: Set[UUID]
    lists: Mapping[UUID, bytes]

    @property
    def size(self) -> int:
        """In bytes, about."""
        listed = len(self.segments) + len(self.lists)
        return _OVERHEAD + _OVERHEAD_OF_A_LIST * listed + sum(map(len, self.lists.values()))


_kept: LruCache[TopicTerm, TermLists] = LruCache(most_bytes=KEPT_BYTES, size=lambda lists: lists.size)

Lists = Mapping[TopicTerm, Mapping[UUID, bytes]]


def lists_of(terms: Collection[TopicTerm], *, topic_ids: Sequence[int]) -> tuple[Lists, list[int]]:
    """The lists of each term, by segment, in the order of the terms, and the fresh sources of the topics."""
    kept = _kept.of(terms)
    while True:
        segments, found, fresh = _read([term for term in terms if term not in kept], topic_ids=topic_ids)
        outdated = [term for term, lists in kept.items() if lists.segments != segments[term[0]]]
        if not outdated:
            break
        for term in outdated:
            del kept[term]
    for term, lists in found.items():
        if sum(map(len, lists.values())) >= LONG:
            _kept.keep(term, TermLists(segments[term[0]], lists))
    return {term: kept[term].lists if term in kept else found.get(term, {}) for term in terms}, fresh


def _read(
    terms: Collection[TopicTerm], *, topic_ids: Sequence[int]
) -> tuple[Mapping[int, Set[UUID]], dict[TopicTerm, dict[UUID, bytes]], list[int]]:
    """The segments of each topic, the lists of each term that has any, and the fresh sources, of one moment."""
    segments: dict[int, set[UUID]] = defaultdict(set)
    lists: dict[TopicTerm, dict[UUID, bytes]] = defaultdict(dict)
    fresh: list[int] = []
    parameters = {
        "of": [topic for topic, _ in terms],
        "terms": [term for _, term in terms],
        "topics": list(topic_ids),
    }
    for topic, segment_id, term, content in fetch(_READ, parameters, binary=True):
        if term is not None:
            lists[topic, term][segment_id] = content
        elif segment_id is not None:
            segments[topic].add(segment_id)
        elif content:
            fresh = np.frombuffer(content, ">i8").tolist()
    return segments, lists, fresh


T = TypeVar("T")
TermPostings = Mapping[TopicTerm, bytes]
ListsBySegment = Mapping[UUID, TermPostings]


def read_segments(
    terms: Collection[TopicTerm], *, topic_ids: Sequence[int], read: Callable[[ListsBySegment], T]
) -> tuple[T, list[int]]:
    """What `read` makes of the terms' lists in each segment that has any, and the sources that no segment has yet.

    `read` raises LookupError when a segment was replaced meanwhile, and DamagedSegment: then it is called again, as
    `read_again` does.
    """

    def attempt() -> tuple[T, list[int]]:
        lists, fresh = lists_of(terms, topic_ids=topic_ids)
        by_segment: dict[UUID, dict[TopicTerm, bytes]] = defaultdict(dict)
        for term, stored in lists.items():
            for segment_id, postings in stored.items():
                by_segment[segment_id][term] = postings
        return read(by_segment), fresh

    return read_again(attempt)


@contextmanager
def reading(segment_id: UUID) -> Iterator[None]:
    """What cannot be read of a posting list means that its segment is damaged."""
    try:
        yield
    except (ValueError, IndexError) as error:  # half an entry, or a place that the segment does not have
        raise DamagedSegment(segment_id, str(error)) from error
