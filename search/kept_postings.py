"""Long posting lists that were read before: segments never change, so as long as they are the same their lists are."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Iterable, Mapping, Set
from threading import Lock
from typing import NamedTuple
from uuid import UUID

from search.postings import TopicTerm

_OVERHEAD = 500  # bytes, about, that an entry takes besides its lists
_OVERHEAD_OF_A_LIST = 200  # and a list besides its postings, or the name of a segment


class TermLists(NamedTuple):
    """The lists of a term in each of the segments that its topic had, unless it is not in one."""

    segments: Set[UUID]
    lists: Mapping[UUID, bytes]

    @property
    def size(self) -> int:
        """In bytes, about."""
        listed = len(self.segments) + len(self.lists)
        return _OVERHEAD + _OVERHEAD_OF_A_LIST * listed + sum(map(len, self.lists.values()))


class KeptPostings:
    """The lists of the terms that were used last, up to so many bytes.

    Safe to be shared between threads.
    """

    def __init__(self, *, most_bytes: int) -> None:
        self._most_bytes = most_bytes
        self._bytes = 0
        self._terms: OrderedDict[TopicTerm, TermLists] = OrderedDict()
        self._lock = Lock()

    def of(self, terms: Iterable[TopicTerm]) -> dict[TopicTerm, TermLists]:
        """What is kept of these terms. Whether the topic's segments are still the same is for the caller to see."""
        with self._lock:
            found = {term: self._terms[term] for term in terms if term in self._terms}
            for term in found:
                self._terms.move_to_end(term)
            return found

    def keep(self, term: TopicTerm, lists: TermLists) -> None:
        """Keep the lists of a term in place of those that were kept."""
        with self._lock:
            if replaced := self._terms.pop(term, None):
                self._bytes -= replaced.size
            self._terms[term] = lists
            self._bytes += lists.size
            while self._bytes > self._most_bytes:
                _, dropped = self._terms.popitem(last=False)
                self._bytes -= dropped.size
