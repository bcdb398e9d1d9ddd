"""The one function through which everything searches."""

import logging
import time
from collections.abc import Callable, Collection, Sequence
from concurrent.futures import Future, wait
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import replace

from django.core.exceptions import ImproperlyConfigured
from django.utils import timezone

from kb_project.database.connections import release
from kb_project.database.rows import fetch
from kb_project.errors import ProviderError
from kb_project.observability import tracing
from kb_project.observability.metrics import SEARCH_SECONDS
from law.citations.query import ParsedQuery
from law.languages.scripts import main_language
from search.embedders import wanted
from search.embedders.spaces import is_active
from search.index import Nearest, NearestSearch, Vector, engine
from search.ranking.fusion import Ranking, fuse_scores, merge_rankings
from search.results import Match, Mode, Retrieval, ScoredChunk, SearchHit, read_hits
from search.retrieval.definitions import READ, asked_terms, definitions_first
from search.retrieval.listing import Listing, Sort
from search.retrieval.named_act import find_act
from search.retrieval.named_sources import NamedSources, boost_named, find_named
from search.retrieval.question import ASKED, QueryVariant, Question, begin_nearest, parse_query, read_question
from search.retrieval.reranking import passages_to_rerank, reranked
from search.retrieval.selection import FUSED_DEPTH, Selection, select
from search.retrieval.word_search import best_passages
from sources import citations
from sources.citations import CitationTargets
from sources.models import Chunk
from sources.scope import Scope

logger = logging.getLogger(__name__)

MOST_RESULTS = 100
CITED_PASSAGES = 3  # of a source that is cited as a whole
TRIES = 3  # of a search whose passages are replaced while it runs; then it does without them
_BEGINNINGS = "SELECT id, left(text, 200) FROM kb_chunk WHERE id = ANY(%s::bigint[])"


def retrieve(
    query: str | ParsedQuery,
    *,
    scope: Scope,
    limit: int = 10,
    mode: Mode | str = Mode.HYBRID,
    expansions: Sequence[QueryVariant] = (),
    synonyms: bool = True,
    listing: Listing | None = None,
    started: float | None = None,
    turn: Callable[[], AbstractContextManager[object]] = nullcontext,
) -> Retrieval:
    """The passages of the scope that answer the query best, and what of it each holds.

    A reference to a section, or to a source by its identifier, comes first (except in semantic mode, which compares
    meanings alone). `expansions` are other wordings of the query. Without `synonyms` its words mean themselves
    alone. With a `listing` quotation marks make phrases, and unless it is plain the list holds what matches
    (`listing.matching`) and nothing else. `took_ms` counts from `started`, a `time.perf_counter()`, where the caller's
    wait began before this call. What needs the database is done inside `ask_slot()`, and not the waits for an embedder
    and a reranker.

    Raises Invalid for a blank or overlong query, and ProviderError when semantic mode's embedder fails. Hybrid mode
    then goes by the words alone, and in the order that it has where the reranker fails.
    """
    began = time.perf_counter()
    mode = Mode(mode)
    query = parse_query(query) if isinstance(query, str) else query
    limit = max(1, min(limit, MOST_RESULTS))
    # Where one sees what words or meanings alone find, or the newest, the order is left as it is.
    may_move = mode is Mode.HYBRID and (listing is None or listing.sort is Sort.RELEVANCE)
    count = passages_to_rerank() if may_move else 0
    read = READ if may_move and query.asked_term else 0
    with tracing.span("retrieve", {"kb.search.mode": mode.value}) as span:
        with _Turn(turn) as mine:
            for _ in range(TRIES):
                selection = select(query, scope=scope.with_topics(), listing=listing, limit=max(limit, count, read))
                found, gone = _search(
                    query,
                    selection,
                    mode=mode,
                    expansions=expansions,
                    synonyms=synonyms,
                    turn=mine,
                    may_move=may_move,
                    limit=max(limit, count),
                )
                if not gone:  # else a source was replaced or deleted meanwhile, or the model switched
                    break
        found = reranked(found, count=count)
        span.set({"kb.search.passages": min(limit, len(found.hits))})
    ended = time.perf_counter()
    SEARCH_SECONDS.labels(mode=mode.value).observe(ended - began)
    took_ms = round((ended - (began if started is None else started)) * 1000, 2)
    return replace(found, hits=found.hits[:limit], took_ms=took_ms)


class _Turn(ExitStack):
    """A caller's turn, taken again after others were waited for."""

    def __init__(self, turn: Callable[[], AbstractContextManager[object]]) -> None:
        super().__init__()
        self._turn = turn
        self.enter_context(turn())

    def wait_for(self, search: NearestSearch) -> None:
        """Wait for what the search needs of others, without the turn and without a connection."""
        if search.is_awaited:
            self.close()
            release()
            wait(search.awaited)
            self.enter_context(self._turn())


def _search(
    query: ParsedQuery,
    selection: Selection,
    *,
    mode: Mode,
    expansions: Sequence[QueryVariant],
    synonyms: bool,
    turn: _Turn,
    may_move: bool,
    limit: int,
) -> tuple[Retrieval, int]:
    """What is found, and how many more hits there were that are gone by now, or one where all vectors are.

    A passage that defines what is asked for comes to the front where it `may_move`.
    """
    with tracing.span("read question"):
        question = read_question(query, scope=selection.scope, mode=mode, expansions=expansions, synonyms=synonyms)
    # Begun first, so that the query is embedded while its words are looked for.
    nearest, vector = begin_nearest(question, limit=selection.depth(question))
    with tracing.span("find citations"):
        cited = _cited(question)
        # What a citation names is settled; else a source may be named by its title alone.
        named = NamedSources() if cited.chunk_ids else _named(question)
    if nearest and nearest.with_words:
        turn.wait_for(nearest)
    with tracing.span("find words"):
        words = selection.candidates(question, cited=cited.chunk_ids, named=named.ranking, nearest=nearest)
    with tracing.span("find meanings"):
        if nearest:
            turn.wait_for(nearest)
        ranking = _rank(question, words, named, nearest, vector)
    asked = asked_terms(query, question.words.meanings)
    ranked: Sequence[ScoredChunk] = selection.chosen(_with_citations(cited, ranking))
    weights = question.weights
    day = question.scope.as_of or timezone.localdate()
    with tracing.span("read passages"):
        ranked = (definitions_first(ranked, asked) if may_move else ranked)[:limit]
        hits = read_hits(ranked, query=query.terms, shown_stems=question.shown_stems, wordings=weights, day=day)
    if question.lacks_vectors and mode is not Mode.LEXICAL:
        wanted.note([hit.chunk_id for hit in hits if hit.similarity is None])
    found = Retrieval(
        query=query.text,
        mode=mode,
        hits=hits,
        weights=weights[0],
        by_sentence=question.sentence is not None,
        expanded=(*(wording.text for wording in expansions), *question.meanings),
        not_found=cited.not_found,
        unread=cited.unread,
        named_id=None if cited.chunk_ids or cited.not_found else _named_act(question, hits),
        asked=asked,
        lacking=question.lacking,
    )
    gone = len(ranked) - len(hits) + (not hits and _is_switched(question))
    return selection.described(found), gone


def _is_switched(question: Question) -> bool:
    """Whether the vectors that it was to be compared with went while it was embedded."""
    return question.space is not None and not is_active(question.space)


def _rank(
    question: Question,
    words: dict[int, float],
    named: NamedSources,
    nearest: NearestSearch | None,
    vector: Future[Vector] | None,
) -> list[ScoredChunk]:
    """The passages by the score of their words, and by their meaning."""
    weight = question.weight
    by_words = {*words, *dict(named.ranking)}
    found = Nearest()
    try:
        if nearest:
            # What one way found is judged the other way too: not to be among its first is not to score nothing.
            found = nearest(by_words)
    except (ProviderError, ImproperlyConfigured) as error:
        if weight == 1:  # semantic mode: nothing else is left to go by
            raise error if isinstance(error, ProviderError) else ProviderError(str(error), retryable=True) from error
        logger.warning("The embedder failed; this search goes by the words alone", exc_info=True)
        weight = 0.0
    meanings = {**dict(found.ranking), **found.similarities}
    by_meaning = {chunk_id for chunk_id, _ in found.ranking}
    if by_meaning and weight < 1:
        words |= engine().scores(question.words, chunk_ids=by_meaning - words.keys())
    ranking = _by_words(question, boost_named(list(words.items()), named)) if words else []

    def match(chunk_id: int) -> Match:
        if chunk_id in by_words:
            return Match.BOTH if chunk_id in by_meaning else Match.LEXICAL
        return Match.SEMANTIC

    is_joined = weight and question.uses_words
    spread = question.vectors.spread(vector.result()) if question.vectors and vector and is_joined else None
    elsewhere = _in_other_language(question, meanings) if spread and spread.across else frozenset()
    fused = fuse_scores(
        ranking, list(meanings.items()), weight=weight, spread=spread, elsewhere=elsewhere, shown_by=by_words
    )
    return [ScoredChunk(chunk_id, score, match(chunk_id), meanings.get(chunk_id)) for chunk_id, score in fused]


def _in_other_language(question: Question, chunk_ids: Collection[int]) -> frozenset[int]:
    """Those of the chunks whose beginning is in another language than the query."""
    language = main_language(question.parsed.text)
    beginnings = fetch(_BEGINNINGS, [[*chunk_ids]])
    return frozenset(chunk_id for chunk_id, text in beginnings if main_language(text) is not language)


def _by_words(question: Question, ranking: Ranking) -> Ranking:
    """The ranking by the query's words, joined with those of the same passages by its other wordings."""
    if not question.reworded:
        return sorted(ranking, key=lambda pair: (-pair[1], pair[0]))
    chunk_ids = {chunk_id for chunk_id, _ in ranking}
    others = [(engine().scores(one.words, chunk_ids=chunk_ids), one.weight) for one in question.reworded]
    return merge_rankings([(ranking, ASKED), *others])


def _named(question: Question) -> NamedSources:
    if question.mode is Mode.SEMANTIC:
        return NamedSources()
    return find_named(
        question.parsed.terms,
        question.titles,
        scope=question.scope,
        limit=FUSED_DEPTH,
        meanings=question.words.meanings,
    )


def _named_act(question: Question, hits: Sequence[SearchHit]) -> int | None:
    if question.mode is Mode.SEMANTIC:
        return None
    return find_act(question.parsed, question.titles, hits, scope=question.scope)


def _cited(question: Question) -> CitationTargets:
    """What the query cites, as chunks: of a source cited as a whole, those that fit the query best."""
    if question.mode is Mode.SEMANTIC:
        return CitationTargets()
    cited = citations.resolve(question.parsed, question.titles, scope=question.scope)
    chunk_ids = list(cited.chunk_ids)
    for source_id in cited.source_ids:
        inside = replace(question.scope, source_ids=(source_id,))
        found = best_passages(question.parsed.terms, scope=inside, limit=CITED_PASSAGES)
        chunk_ids += [chunk_id for chunk_id, _ in found] or _first_chunk(source_id)
    return replace(cited, chunk_ids=tuple(chunk_ids))


def _first_chunk(source_id: int) -> list[int]:
    return list(Chunk.objects.filter(source_id=source_id, seq=0).values_list("pk", flat=True))


def _with_citations(cited: CitationTargets, ranked: Sequence[ScoredChunk]) -> list[ScoredChunk]:
    """Cited chunks go before all others. Their scores lie above 1 and fall in order."""
    ids = cited.chunk_ids
    first = [
        ScoredChunk(chunk_id, 2.0 - place / len(ids), Match.CITATION, None, cited.clauses.get(chunk_id, ()))
        for place, chunk_id in enumerate(ids)
    ]
    return [*first, *(row for row in ranked if row.chunk_id not in ids)]
