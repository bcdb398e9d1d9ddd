"""The index in Postgres: immutable segments of posting lists and of vector codes beside the table of chunks."""

from collections import Counter
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import Future
from functools import partial

from kb_project.database.rows import Query, Rows, fetch
from kb_project.operations.integrity.registry import IntegrityCheck
from search.embedders.spaces import space_in_use
from search.index.chunk_store import pending_sources, scoring
from search.index.chunk_store.engine import StoredChunks
from search.index.chunk_store.similarities import search_chosen
from search.index.postgres import matching
from search.index.postgres.segments import candidates, merge, posting_lists
from search.index.postgres.segments.members import SourceMask, mask_of, mask_with
from search.index.postgres.segments.postings import ENTRY_BYTES
from search.index.postgres.vectors import quantized_candidates, quantized_segments
from search.index.postgres.vectors.quantized_candidates import CodedCandidates, choose
from search.index.protocol import Matches, NearestSearch, Vector
from search.models import EmbeddingSpace
from search.ranking.fusion import Ranking
from search.ranking.word_query import TermCounts, Word, WordQuery
from sources.scope import Scope

# Rows without a segment and with a number. In one statement with the lists, so that a source on its way from the fresh
# ones into a segment is counted once.
_PENDING = f"""
UNION ALL SELECT topic_id, NULL::uuid, term, NULL::bytea, held
FROM ({pending_sources.counts_of(pending_sources.NEW)}) AS pending (topic_id, term, held)
"""


def search_by_meaning(vector: Future[Vector], *, space: EmbeddingSpace, scope: Scope, limit: int) -> NearestSearch:
    """As `SearchIndex.nearest`. Never fewer than `limit` where the scope has as many.

    A chunk without a vector has no similarity.
    """
    field = quantized_candidates.field(space, scope=scope)

    def chosen(asked: Vector) -> CodedCandidates | None:
        return None if field is None else choose(asked, field, limit=limit)

    return search_chosen(chosen, vector, space=space, scope=scope, limit=limit)


def search_by_words(query: WordQuery, *, scope: Scope, limit: int, guaranteed: int | None = None) -> Ranking:
    """As `SearchIndex.candidates`."""
    if not query.terms:
        return []
    if scope.narrows_sources:
        inside, chunks = scope.sources()
        if chunks <= scoring.SCORED_WHOLE:
            return scoring.score_whole(query, scope=scope, limit=limit)
        mask: SourceMask | None = mask_with(inside)
    else:
        mask = mask_of(scope)
    topic_ids = scope.topic_ids()
    choose = partial(candidates.find, query.terms, topic_ids=topic_ids, mask=mask, known=query.read)
    return scoring.score_chosen(query, choose, scope=scope, topic_ids=topic_ids, limit=limit, guaranteed=guaranteed)


def count_terms(stems: Sequence[int], *, topic_ids: Sequence[int]) -> Query[TermCounts]:
    """The counts of stems, by their hashes, over some topics. `read` of them are the lists.

    A chunk is counted until its segment is compacted after it is gone. Fresh ones are counted one by one: a word that
    they alone have would else seem as rare as one that nobody has.
    """
    stem_of = pending_sources.stems_by_term(stems, topic_ids=topic_ids)
    asked = posting_lists.ask(stem_of, topic_ids=topic_ids)

    def counted(rows: Rows) -> TermCounts:
        pending = [row for row in rows if row[1] is None and row[4] is not None]
        read = asked.read([row for row in rows if row[1] is not None or row[4] is None])
        by_stem = Counter[int]()
        for term, octets in read.octets.items():
            if octets:
                by_stem[stem_of[term]] += octets // ENTRY_BYTES
        added = [(topic_id, term, count) for topic_id, _, term, _, count in pending]
        return pending_sources.with_pending(read.chunks, by_stem, added, stem_of=stem_of, read=read)

    parameters = {**asked.parameters, "counted": [term for _, term in stem_of]}
    return Query(asked.statement + _PENDING, parameters, counted, binary=asked.binary)


class PostgresIndex(StoredChunks):
    """The verbs of `search.index.protocol.SearchIndex`, each of which has a module of its own."""

    def count(self, stems: Sequence[int], *, scope: Scope) -> Query[TermCounts]:
        return count_terms(stems, topic_ids=scope.topic_ids())

    def candidates(
        self,
        query: WordQuery,
        *,
        scope: Scope,
        limit: int,
        guaranteed: int | None = None,
        nearest: NearestSearch | None = None,
    ) -> Ranking:
        return search_by_words(query, scope=scope, limit=limit, guaranteed=guaranteed)

    def matches(
        self, words: Sequence[Word], *, scope: Scope, least: float, required: Sequence[Collection[int]] = ()
    ) -> Matches:
        return matching.find(words, scope=scope, least=least, required=required)

    def nearest(self, vector: Future[Vector], *, space: EmbeddingSpace, scope: Scope, limit: int) -> NearestSearch:
        return search_by_meaning(vector, space=space, scope=scope, limit=limit)

    def maintain(self, *, thorough: bool = False) -> int:
        gathered = merge.merge_pending()
        if thorough:
            merge.compact()
            self._complete_codes()
        return gathered

    def is_behind(self) -> bool:
        """Whether a source waits for a segment."""
        return bool(fetch("SELECT 1 FROM kb_fresh_source LIMIT 1", []))

    def fill(self, *, on_progress: Callable[[int, int], object] | None = None) -> None:
        merge.gather_missing(on_progress=on_progress)
        self._complete_codes()

    def _complete_codes(self) -> None:
        if space := space_in_use():
            quantized_segments.complete(space)

    def check(self) -> Sequence[IntegrityCheck]:
        from search.index.postgres.checks import CHECKS  # they need models

        return CHECKS
