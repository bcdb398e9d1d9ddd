"""Which passages a search ranks, and which of them it gives: the best, or all that match as a list that ends."""

import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Protocol

from law.citations.query import ParsedQuery
from law.questions.phrases import Phrase
from search.facets import count_facets
from search.index import NearestSearch, engine
from search.ranking.fusion import Ranking
from search.results import Match, Mode, Retrieval, ScoredChunk
from search.retrieval.listing import Listing
from search.retrieval.listing.match_list import MatchList
from search.retrieval.listing.matching import find_matches, phrases_of
from search.retrieval.query_plan import QueryPlan
from sources.scope import Scope

FUSED_DEPTH = 100  # passages of each ranking that are fused


class Selection(Protocol):
    """Chooses for one search. It reads its question in `scope`."""

    @property
    def scope(self) -> Scope: ...

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

    def chosen(self, ranked: Sequence[ScoredChunk]) -> list[ScoredChunk]:
        """The results among what was ranked, best first, in their order."""
        ...

    def described(self, found: Retrieval) -> Retrieval:
        """What was found, with all that is known of what matches."""
        ...


def select(query: ParsedQuery, *, scope: Scope, listing: Listing | None, limit: int) -> Selection:
    """The selection that a listing and the phrases of the query ask for. Raises Invalid for too many phrases."""
    phrases = phrases_of(query) if listing else ()
    if listing is None or (listing.is_plain and not phrases):
        return _Best(scope, limit)
    return _Listed(scope, listing, phrases, limit)


@dataclass(frozen=True)
class _Best:
    """The best passages of a scope. Nothing is known of the others."""

    scope: Scope
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

    def chosen(self, ranked: Sequence[ScoredChunk]) -> list[ScoredChunk]:
        return list(ranked[: self.limit])

    def described(self, found: Retrieval) -> Retrieval:
        return found


class _Listed:
    """All that matches in a scope. Filters only choose among it, so that facets can count what each would leave."""

    def __init__(self, scope: Scope, listing: Listing, phrases: Sequence[Phrase], limit: int) -> None:
        self.scope = scope.unfiltered
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

    def chosen(self, ranked: Sequence[ScoredChunk]) -> list[ScoredChunk]:
        near = (Match.SEMANTIC, Match.BOTH)
        lacking = [row.chunk_id for row in ranked if row.similarity is None and row.chunk_id in self._lacking]
        self._add([*lacking, *(row.chunk_id for row in ranked if row.match in near)])
        return self._matches.listed(ranked)[: self._limit]

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
