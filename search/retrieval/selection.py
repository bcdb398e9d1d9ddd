"""Which passages a search ranks, and which of them it gives: the best, or all that match as a list that ends.

The list has an order of its own, and the passages of a scope that match stand in it document by document.
"""

import math
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from kb_project.database.rows import fetch
from law.questions.phrases import Phrase
from search.facets import count_facets
from search.index import Matches, Nearest, NearestSearch, engine
from search.ranking.fusion import Ranking
from search.results import Mode, Retrieval, ScoredChunk, SearchHit
from search.retrieval.listing import Group, Listing, Sort
from search.retrieval.matching import find_matches, phrases_of
from search.retrieval.query_plan import QueryPlan
from sources.scope import Scope

FUSED_DEPTH = 100  # passages of each ranking that are fused
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


class Selection(Protocol):
    """Chooses for one search."""

    def depth(self, plan: QueryPlan) -> int:
        """How many passages of each ranking are wanted."""
        ...

    def candidates(
        self, plan: QueryPlan, *, cited: Collection[int], named: Ranking, nearest: NearestSearch | None
    ) -> dict[int, float]:
        """The passages to rank, by the score of the query's words.

        `cited` and `named` are passages that are ranked besides, `nearest` is the search by meaning that has begun.
        """
        ...

    def complete(self, near: Nearest) -> None:
        """Take what the search by meaning found, after what words found."""
        ...

    def chosen(self, ranked: Iterable[ScoredChunk]) -> list[ScoredChunk]:
        """The results among what was ranked, best first, in their order."""
        ...

    def described(self, found: Retrieval) -> Retrieval:
        """What was found, with all that is known of what matches."""
        ...


def select(plan: QueryPlan, *, limit: int) -> Selection:
    """The selection that a listing and the phrases of the query ask for. Raises Invalid for too many phrases."""
    if plan.listing is None or not plan.is_list:
        return _Best(limit)
    return _Listed(plan.filtered, plan.listing, phrases_of(plan.parsed), limit)


@dataclass(frozen=True)
class _Best:
    """The best passages of a scope. Nothing is known of the others."""

    limit: int

    def depth(self, plan: QueryPlan) -> int:
        """What is put together from two rankings is the same for every limit."""
        return self.limit if plan.weight in (0.0, 1.0) else max(FUSED_DEPTH, self.limit)

    def candidates(
        self, plan: QueryPlan, *, cited: Collection[int], named: Ranking, nearest: NearestSearch | None
    ) -> dict[int, float]:
        if not plan.uses_words:
            return {}
        depth = max(FUSED_DEPTH, self.limit) if named or plan.reworded else self.depth(plan)
        best = engine().candidates(plan.words, scope=plan.scope, limit=depth, guaranteed=self.limit, nearest=nearest)
        found = dict(best)
        others = {
            chunk_id
            for wording in plan.reworded
            for chunk_id, _ in engine().candidates(wording.words, scope=plan.scope, limit=FUSED_DEPTH)
        }
        return found | dict(engine().scores(plan.words, chunk_ids=others - found.keys())) if others else found

    def complete(self, near: Nearest) -> None:
        pass

    def chosen(self, ranked: Iterable[ScoredChunk]) -> list[ScoredChunk]:
        return list(islice(ranked, self.limit))

    def described(self, found: Retrieval) -> Retrieval:
        return found


class _Listed:
    """All that matches in a scope. Filters only choose among it, so that facets can count what each would leave."""

    def __init__(self, scope: Scope, listing: Listing, phrases: Sequence[Phrase], limit: int) -> None:
        self._filtered, self._listing, self._phrases, self._limit = scope, listing, phrases, limit
        self._matches = MatchList(scope=scope, listing=listing)
        self._lacking: dict[int, float] = {}  # what words find in semantic mode, of which some have no vector

    def depth(self, plan: QueryPlan) -> int:
        """Of few vectors all would be among the nearest hundred, and match."""
        return math.ceil(FUSED_DEPTH * plan.share_of_vectors)

    def candidates(
        self, plan: QueryPlan, *, cited: Collection[int], named: Ranking, nearest: NearestSearch | None
    ) -> dict[int, float]:
        self._matches.add(find_matches(plan, self._phrases))
        self._add(cited)
        scored = dict(engine().scores(plan.words, chunk_ids=self._matches.to_score(self._limit)))
        if plan.mode is Mode.SEMANTIC and plan.uses_words:
            # What has no vector is none of the nearest: the best of it by its words match instead.
            self._lacking = dict(engine().candidates(plan.words, scope=plan.scope, limit=FUSED_DEPTH))
        return scored | self._lacking

    def complete(self, near: Nearest) -> None:
        """What is near matches too, and what has no vector and is found by its words instead."""
        by_meaning = dict(near.ranking)
        lacking = self._lacking.keys() - by_meaning.keys() - near.similarities.keys()
        self._add([*lacking, *by_meaning])

    def chosen(self, ranked: Iterable[ScoredChunk]) -> list[ScoredChunk]:
        return self._matches.listed(list(ranked))[: self._limit]

    def described(self, found: Retrieval) -> Retrieval:
        return replace(
            found,
            hits=self._matches.counted(found.hits),
            phrases=tuple(phrase.text for phrase in self._phrases),
            passages=self._matches.passages,
            documents=self._matches.documents,
            facets=count_facets(self._filtered, among=self._matches.source_ids) if self._listing.facets else None,
        )

    def _add(self, chunk_ids: Collection[int]) -> None:
        """With phrases nothing matches but what holds them."""
        if not self._phrases:
            self._matches.add_chunks(chunk_ids)


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

    def listed(self, ranked: Sequence[ScoredChunk]) -> list[ScoredChunk]:
        """Of what was ranked, best first, the results in their order."""
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
