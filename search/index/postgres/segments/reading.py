"""Reading posting lists segment by segment: again when one was replaced meanwhile, and without damaged ones."""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TypeVar
from uuid import UUID

from search.index.postgres.segments import posting_lists
from search.index.postgres.segments.damage import DamagedSegment, leave_out
from search.index.postgres.segments.postings import TopicTerm

T = TypeVar("T")
TermPostings = Mapping[TopicTerm, bytes]
ListsBySegment = Mapping[UUID, TermPostings]


def read_segments(
    terms: Collection[TopicTerm], *, topic_ids: Sequence[int], read: Callable[[ListsBySegment], T]
) -> tuple[T, list[int]]:
    """What `read` makes of the terms' lists in each segment that has any, and the sources that no segment has yet.

    `read` raises LookupError when a segment was replaced meanwhile, and DamagedSegment: then it is called again.
    """
    while True:
        lists, fresh = posting_lists.read(terms, topic_ids=topic_ids)
        by_segment: dict[UUID, dict[TopicTerm, bytes]] = defaultdict(dict)
        for term, stored in lists.items():
            for segment_id, postings in stored.items():
                by_segment[segment_id][term] = postings
        try:
            return read(by_segment), fresh
        except LookupError:
            continue
        except DamagedSegment as damaged:
            leave_out(damaged)


@contextmanager
def reading(segment_id: UUID) -> Iterator[None]:
    """What cannot be read of a posting list means that its segment is damaged."""
    try:
        yield
    except (ValueError, IndexError) as error:  # half an entry, or a place that the segment does not have
        raise DamagedSegment(segment_id, str(error)) from error
