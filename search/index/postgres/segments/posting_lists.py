"""Reading the posting lists of a query's terms: from the database, or from what was read before.

Segment by segment: again when one was replaced meanwhile, and without damaged ones.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NamedTuple, TypeVar
from uuid import UUID

import numpy as np

from kb_project.database.rows import Query, Rows
from search.index.postgres.segments.damage import DamagedSegment, read_again
from search.index.postgres.segments.lru_cache import LruCache
from search.index.postgres.segments.postings import TopicTerm

LONG = 3_000  # bytes of a term's lists, a thousand postings: such are worth keeping
KEPT_BYTES = 64 << 20  # of posting lists that this process remembers
# One statement, so that no source is missed on its way from the fresh ones into a segment. It names the segments there
# are, as not all lists are read each time. OFFSET 0 has each list looked up by both columns of its key: a plan made of
# few lists would go through all of a segment for each term, and may be kept for long.
_READ = """
SELECT s.topic_id, s.id, NULL::int, NULL::bytea, s.chunks FROM kb_segment s
WHERE s.topic_id = ANY(%(topics)s::bigint[]) AND NOT s.damaged
UNION ALL
SELECT wanted.topic_id, s.id, p.term,
    CASE WHEN octet_length(p.postings) <= %(longest)s::int THEN p.postings END, octet_length(p.postings)
FROM unnest(%(of)s::bigint[], %(terms)s::int[]) AS wanted(topic_id, term)
JOIN kb_segment s ON s.topic_id = wanted.topic_id AND NOT s.damaged
CROSS JOIN LATERAL (
    SELECT one.term, one.postings FROM kb_posting one WHERE one.segment_id = s.id AND one.term = wanted.term OFFSET 0
) AS p
UNION ALL
SELECT NULL, NULL, NULL, string_agg(int8send(source_id), ''::bytea), NULL FROM kb_fresh_source
WHERE topic_id = ANY(%(topics)s::bigint[])
"""
_ANY_LENGTH = 2**31 - 1
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


@dataclass(frozen=True)
class PostingsRead:
    """What was read of some terms of topics at one moment.

    `lists` are those of each term by segment, without terms of which one is too long. `octets` is how long they all are
    together. `chunks` counts those of the segments, `fresh` are the sources that no segment has.
    """

    topic_ids: Sequence[int]
    lists: Lists
    octets: Mapping[TopicTerm, int]
    chunks: int
    fresh: list[int]

    def has(self, terms: Collection[TopicTerm], *, topic_ids: Sequence[int]) -> bool:
        """Whether these are the topics, and all lists of the terms are there."""
        return self.topic_ids == topic_ids and all(term in self.lists for term in terms)


def ask(terms: Collection[TopicTerm], *, topic_ids: Sequence[int], longest: int = LONG) -> Query[PostingsRead]:
    """The lists of terms, but for terms that have one of more bytes than `longest`, unless it was kept."""
    return _ask(terms, _kept.of(terms), topic_ids=topic_ids, longest=longest)


def _ask(
    terms: Collection[TopicTerm], kept: Mapping[TopicTerm, TermLists], *, topic_ids: Sequence[int], longest: int
) -> Query[PostingsRead]:
    """Of topics: their segments with sizes, and the lists of the terms that are not kept. In any order."""
    wanting = [term for term in terms if term not in kept]

    def read(rows: Rows) -> PostingsRead:
        segments: dict[int, set[UUID]] = defaultdict(set)
        found: dict[TopicTerm, dict[UUID, bytes]] = {term: {} for term in wanting}
        octets = dict.fromkeys(terms, 0)
        chunks, fresh = 0, list[int]()
        for topic, segment_id, term, content, size in rows:
            if term is not None:
                octets[topic, term] += size
                if content is None:
                    found.pop((topic, term), None)
                elif (topic, term) in found:
                    found[topic, term][segment_id] = content
            elif segment_id is not None:
                segments[topic].add(segment_id)
                chunks += size
            elif content:
                fresh = np.frombuffer(content, ">i8").tolist()
        current = {term: lists for term, lists in kept.items() if lists.segments == segments[term[0]]}
        if len(current) < len(kept):
            return _ask(terms, current, topic_ids=topic_ids, longest=longest).fetch()
        for term, lists in found.items():
            if octets[term] >= LONG:
                _kept.keep(term, TermLists(segments[term[0]], lists))
        octets |= {term: sum(map(len, lists.lists.values())) for term, lists in kept.items()}
        whole = {
            term: kept[term].lists if term in kept else found[term] for term in terms if term in kept or term in found
        }
        return PostingsRead(topic_ids, whole, octets, chunks, fresh)

    parameters = {
        "of": [topic for topic, _ in wanting],
        "terms": [term for _, term in wanting],
        "topics": list(topic_ids),
        "longest": longest,
    }
    return Query(_READ, parameters, read, binary=True)


def lists_of(
    terms: Collection[TopicTerm], *, topic_ids: Sequence[int], known: PostingsRead | None = None
) -> tuple[Lists, list[int]]:
    """The lists of each term, by segment, in the order of the terms, and the fresh sources of the topics.

    From what is `known`, if that has all of them.
    """
    if known is None or not known.has(terms, topic_ids=topic_ids):
        known = ask(terms, topic_ids=topic_ids, longest=_ANY_LENGTH).fetch()
    return {term: known.lists[term] for term in terms}, known.fresh


T = TypeVar("T")
TermPostings = Mapping[TopicTerm, bytes]
ListsBySegment = Mapping[UUID, TermPostings]


def read_segments(
    terms: Collection[TopicTerm],
    *,
    topic_ids: Sequence[int],
    read: Callable[[ListsBySegment], T],
    known: PostingsRead | None = None,
) -> tuple[T, list[int]]:
    """What `read` makes of the terms' lists in each segment that has any, and the sources that no segment has yet.

    What is `known` is not asked again. `read` raises LookupError when a segment was replaced meanwhile, and
    DamagedSegment: then it is called again, as `read_again` does.
    """

    tries = [known]

    def attempt() -> tuple[T, list[int]]:
        lists, fresh = lists_of(terms, topic_ids=topic_ids, known=tries.pop() if tries else None)
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
