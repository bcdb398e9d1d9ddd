"""The passages that match a query, those of a scope among them, and the order in which they are listed."""

from collections.abc import Collection, Iterable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kb_project.database.rows import fetch
from search.index import Matches
from search.results import ScoredChunk, SearchHit
from search.retrieval.listing import Group, Listing, Sort
from sources.scope import Scope

CANDIDATES = 200  # results that are scored
CANDIDATES_FOR_ONE = 4  # of the results that are asked for, if that is more
OF_A_DOCUMENT = 3  # passages that are scored to find its best
UNDATED = 1 << 40  # in an order by date
_SOURCES = """
SELECT s.id, s.published_at - DATE '0001-01-01' FROM kb_source s WHERE s.id = ANY(%(ids)s::bigint[]) AND {condition}
"""
_CHUNKS = """
SELECT c.id, c.source_id FROM kb_chunk c JOIN kb_source s ON s.id = c.source_id
WHERE c.id = ANY(%(ids)s::bigint[]) AND {condition}
"""


class MatchList:
    """What matches is added, then ranked by the search, then listed.

    Filters choose what is listed, not what matches.
    """

    def __init__(self, *, scope: Scope, listing: Listing) -> None:
        self._scope, self._listing = scope, listing
        self._narrows = scope != scope.unfiltered or listing.sort is not Sort.RELEVANCE
        self._all = self._listed = Matches()
        self._dates: dict[int, int] = {}  # of sources, smaller for what comes first

    def add(self, matches: Matches) -> None:
        """Have passages of the scope without its filters match, unless they do already."""
        new = matches
        if len(self._all.chunk_ids):
            new = matches.at(np.flatnonzero(~np.isin(matches.chunk_ids, self._all.chunk_ids)))
        self._all = self._all.joined(new)
        self._listed = self._listed.joined(self._narrowed(new) if self._narrows else new)

    def add_chunks(self, chunk_ids: Collection[int]) -> None:
        """The same for passages that may be gone."""
        if not chunk_ids:
            return
        condition, parameters = self._scope.unfiltered.source_condition("s")
        rows = fetch(_CHUNKS.format(condition=condition), {**parameters, "ids": list(chunk_ids)})
        ids = np.array(rows, np.int64).reshape(-1, 2)
        self.add(Matches(ids[:, 0], ids[:, 1], np.zeros(len(ids), np.float32)))

    @property
    def source_ids(self) -> list[int]:
        """The documents that match, whatever the filters."""
        return _distinct(self._all.source_ids)

    @property
    def passages(self) -> int:
        """How many passages the filters leave."""
        return len(self._listed.chunk_ids)

    @property
    def documents(self) -> int:
        """How many documents they are of."""
        return len(_distinct(self._listed.source_ids))

    def to_score(self, limit: int) -> list[int]:
        """The passages that may be among the first so many results, in no order."""
        count = max(CANDIDATES, CANDIDATES_FOR_ONE * limit)
        listed = self._listed
        if self._listing.group is Group.PASSAGE and self._listing.sort is Sort.RELEVANCE:
            return listed.chunk_ids[_highest(listed, count)].tolist()
        keys: list[NDArray[Any]] = [listed.chunk_ids, -listed.scores]
        if self._listing.sort is not Sort.RELEVANCE:
            keys.append(np.array([self._dates[source] for source in listed.source_ids.tolist()], np.int64))
        order = np.lexsort(keys)
        if self._listing.group is Group.DOCUMENT:
            return listed.chunk_ids[order[_first_of_each(listed.source_ids[order], count)]].tolist()
        return listed.chunk_ids[order[:count]].tolist()

    def listed(self, ranked: Iterable[ScoredChunk]) -> list[ScoredChunk]:
        """Of what was ranked, best first, the results in their order."""
        ranked = list(ranked)
        there = np.isin(self._listed.chunk_ids, [row.chunk_id for row in ranked])
        ids = (self._listed.chunk_ids[there].tolist(), self._listed.source_ids[there].tolist())
        source_of = dict(zip(*ids, strict=True))
        rows = [row for row in ranked if row.chunk_id in source_of]
        if self._listing.sort is not Sort.RELEVANCE:
            rows.sort(key=lambda row: self._dates[source_of[row.chunk_id]])  # keeps the order of equals
        if self._listing.group is Group.DOCUMENT:
            best: dict[int, ScoredChunk] = {}
            for row in rows:
                best.setdefault(source_of[row.chunk_id], row)
            rows = [*best.values()]
        return rows

    def counted(self, hits: Sequence[SearchHit]) -> tuple[SearchHit, ...]:
        """The hits of a list grouped by document, each with how many more passages of its document match."""
        if self._listing.group is Group.PASSAGE:
            return tuple(hits)
        inside = np.isin(self._listed.source_ids, [hit.source.id for hit in hits])
        sources, counts = np.unique(self._listed.source_ids[inside], return_counts=True)
        count_of = dict(zip(sources.tolist(), counts.tolist(), strict=True))
        return tuple(replace(hit, more=count_of[hit.source.id] - 1) for hit in hits)

    def _narrowed(self, matches: Matches) -> Matches:
        """Those of the scope. The dates of their sources are noted."""
        condition, parameters = self._scope.source_condition("s")
        ids = _distinct(matches.source_ids)
        rows = fetch(_SOURCES.format(condition=condition), {**parameters, "ids": ids}) if ids else []
        sign = -1 if self._listing.sort is Sort.NEWEST else 1
        dates = {source_id: UNDATED if days is None else sign * days for source_id, days in rows}
        self._dates |= dates
        return matches.at(np.flatnonzero(np.isin(matches.source_ids, [*dates])))


def _distinct(ids: NDArray[np.int64]) -> list[int]:
    """Each of the ids once, in rising order, without sorting them."""
    there = np.zeros(int(ids.max(initial=-1)) + 1, np.bool_)
    there[ids] = True
    return np.flatnonzero(there).tolist()


def _highest(matches: Matches, count: int) -> NDArray[np.intp]:
    """Where the highest scores are, so many or all, in no order. Of equals those of the lowest ids."""
    scores = matches.scores
    if len(scores) <= count:
        return np.arange(len(scores))
    last = np.partition(scores, len(scores) - count)[len(scores) - count]
    higher, equal = np.flatnonzero(scores > last), np.flatnonzero(scores == last)
    equal = equal[np.argsort(matches.chunk_ids[equal])]
    return np.concatenate([higher, equal[: count - len(higher)]])


def _first_of_each(source_ids: NDArray[np.int64], count: int) -> NDArray[np.intp]:
    """Where the first `count` of the sources have their first passages, `OF_A_DOCUMENT` of each."""
    order = np.argsort(source_ids, kind="stable")
    is_first = np.diff(source_ids[order], prepend=-1) != 0
    places = np.arange(len(order))
    nth = np.empty(len(order), np.intp)
    nth[order] = places - np.maximum.accumulate(np.where(is_first, places, 0))
    sources = source_ids[nth == 0][:count]
    return np.flatnonzero((nth < OF_A_DOCUMENT) & np.isin(source_ids, sources))
