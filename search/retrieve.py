"""Retrieval: the one function through which everything searches."""

import logging
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace

from django.core.exceptions import ImproperlyConfigured

from kb_project.database.rows import fetch_together, storable
from kb_project.errors import Invalid, ProviderError
from kb_project.observability.metrics import SEARCH_SECONDS
from search import citations
from search.citations import CitationTargets, Namings, find_named_anywhere
from search.embedders.spaces import active_space, begin_embedding, find_active_space
from search.index import Nearest, NearestSearch, engine
from search.models import Chunk
from search.named_act import find_act
from search.named_sources import NamedSources, find_named, raise_named
from search.ranking.coverage import Weights, weigh
from search.ranking.fusion import Ranking, dense_weight, fuse
from search.ranking.word_query import WordQuery
from search.results import Hit, Match, Mode, RankedChunk, Retrieval, read_hits
from search.scope import Scope
from search.text.analysis import Term, terms
from search.text.spellings import matched_stems
from search.word_search import best_passages, weigh_in

__all__ = ["Hit", "Match", "Mode", "Retrieval", "Scope", "retrieve"]

logger = logging.getLogger(__name__)

LONGEST_QUERY = 2_000  # characters
MOST_RESULTS = 100
FUSED_DEPTH = 100  # passages of each ranking that are fused
EXPANSION_WEIGHT = 0.4  # of what another wording of the query finds
CITED_PASSAGES = 3  # of a source that is cited as a whole
TRIES = 3  # of a search whose passages are replaced while it runs; then it does without them


def retrieve(
    query: str,
    *,
    scope: Scope,
    limit: int = 10,
    mode: Mode | str = Mode.HYBRID,
    expansions: Sequence[str] = (),
    started: float | None = None,
) -> Retrieval:
    """The passages of the scope that answer the query best, and what of it each holds.

    A reference to a section, or to a source by its identifier, comes first (except in semantic mode, which compares
    meanings alone). `expansions` are other wordings of the query, which count less. `took_ms` counts from `started`, a
    `time.perf_counter()`, where the caller's wait began before this call. Raises Invalid for a blank or
    overlong query, and ProviderError when semantic mode's embedder fails; hybrid mode then goes by the words alone.
    """
    began = time.perf_counter()
    mode = Mode(mode)
    query = checked_query(query)
    limit = max(1, min(limit, MOST_RESULTS))
    for _ in range(TRIES):
        found, gone = _search(query, scope=scope, limit=limit, mode=mode, expansions=expansions)
        if not gone:  # else a source was replaced or deleted meanwhile
            break
    ended = time.perf_counter()
    SEARCH_SECONDS.labels(mode=mode.value).observe(ended - began)
    took_ms = round((ended - (began if started is None else started)) * 1000, 2)
    return replace(found, took_ms=took_ms)


def _search(query: str, *, scope: Scope, limit: int, mode: Mode, expansions: Sequence[str]) -> tuple[Retrieval, int]:
    """What is found, and how many more passages there were that are gone by now."""
    query_terms = terms(query)
    reworded = [terms(wording) for wording in expansions]
    prepared, *wordings, space, titles = fetch_together(
        [
            *(weigh_in(scope, words) for words in (query_terms, *reworded)),
            find_active_space(),
            find_named_anywhere(query_terms, scope=scope),
        ]
    )
    weight, nearest = 0.0, None
    if mode is not Mode.LEXICAL:
        space = space or active_space()
        weight = 1.0 if mode is Mode.SEMANTIC else dense_weight(space.provider)
    if weight:
        # Begun first, so that the query is embedded while its words are looked for.
        vector = begin_embedding(query, space=space)
        nearest = engine().nearest(vector, space=space, scope=scope, limit=_depth(limit, weight))
    cited = CitationTargets()
    named = NamedSources()
    also: Ranking = []
    if mode is not Mode.SEMANTIC:
        cited = _cited(query, query_terms, titles, scope=scope)
        # What a citation names is settled; else a source may be named by its title alone.
        if not cited.chunk_ids:
            named = find_named(query_terms, titles, scope=scope, limit=FUSED_DEPTH)
        also = list(_reworded(wordings, scope=scope))
    ranking = _rank(prepared, named, also, nearest, scope=scope, limit=limit, weight=weight)
    ranked = _with_citations(cited, ranking)[:limit]
    weights = _weights(query_terms, prepared)
    hits = read_hits(
        ranked,
        matched_stems=matched_stems(query_terms),
        wordings=[weights, *map(_weights, reworded, wordings)],
    )
    is_name = not (cited.chunk_ids or cited.not_found or mode is Mode.SEMANTIC)
    found = Retrieval(
        query=query,
        mode=mode,
        hits=hits,
        weights=weights,
        took_ms=0.0,
        expanded=tuple(expansions),
        not_found=cited.not_found,
        named_id=find_act(query, query_terms, titles, hits, scope=scope) if is_name else None,
    )
    return found, len(ranked) - len(hits)


def checked_query(query: str) -> str:
    """The query as it is searched for. Raises Invalid when it is blank or too long."""
    query = storable(query).strip()
    if not query:
        raise Invalid("The query is empty.", errors={"query": ["This field may not be blank."]})
    if len(query) > LONGEST_QUERY:
        sentence = f"The query is longer than {LONGEST_QUERY} characters."
        raise Invalid(sentence, errors={"query": [sentence]})
    return query


def _depth(limit: int, weight: float) -> int:
    """How many passages of each ranking are wanted: what is put together from two is the same for every limit."""
    return limit if weight in (0.0, 1.0) else max(FUSED_DEPTH, limit)


def _rank(
    prepared: WordQuery,
    named: NamedSources,
    also: Ranking,
    nearest: NearestSearch | None,
    *,
    scope: Scope,
    limit: int,
    weight: float,
) -> list[RankedChunk]:
    """The passages by their words, and with `weight` by their meaning; `also` is added to the words' score."""
    depth = max(FUSED_DEPTH, limit) if named.ranking or also else _depth(limit, weight)
    words = dict(engine().candidates(prepared, scope=scope, limit=depth, surely=limit)) if weight < 1 else {}
    by_words = {*words, *dict(named.ranking), *dict(also)}
    found = Nearest()
    try:
        if nearest:
            # What one way found is judged the other way too: not to be among its first is not to score nothing.
            found = nearest(by_words)
    except (ProviderError, ImproperlyConfigured):
        if weight == 1:  # semantic mode: nothing else is left to go by
            raise
        logger.warning("The embedder failed; this search goes by the words alone", exc_info=True)
        weight = 0.0
    meanings = {**dict(found.ranking), **found.similarities}
    by_meaning = {chunk_id for chunk_id, _ in found.ranking}
    if by_meaning and weight < 1:
        words |= engine().scores(prepared, chunk_ids=by_meaning - words.keys())
    ranking = _added(raise_named(list(words.items()), named), also) if weight < 1 else []

    def match(chunk_id: int) -> Match:
        if chunk_id in by_words:
            return Match.BOTH if chunk_id in by_meaning else Match.LEXICAL
        return Match.SEMANTIC

    fused = fuse(ranking, list(meanings.items()), weight=weight)
    return [RankedChunk(chunk_id, score, match(chunk_id), meanings.get(chunk_id)) for chunk_id, score in fused]


def _reworded(wordings: Sequence[WordQuery], *, scope: Scope) -> Iterator[tuple[int, float]]:
    """What other wordings of the query find."""
    for prepared in wordings:
        for chunk_id, score in engine().candidates(prepared, scope=scope, limit=FUSED_DEPTH):
            yield chunk_id, EXPANSION_WEIGHT * score


def _weights(words: Sequence[Term], prepared: WordQuery) -> Weights:
    return weigh(words, frequencies=prepared.frequencies, chunks=prepared.chunks)


def _added(ranking: Ranking, also: Ranking) -> Ranking:
    scores = dict(ranking)
    for chunk_id, score in also:
        scores[chunk_id] = scores.get(chunk_id, 0.0) + score
    return sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))


def _cited(query: str, query_terms: Sequence[Term], titles: Namings, *, scope: Scope) -> CitationTargets:
    """What the query cites, as chunks: of a source cited as a whole, those that fit the query best."""
    cited = citations.resolve(query, titles, scope=scope)
    chunk_ids = list(cited.chunk_ids)
    for source_id in cited.source_ids:
        inside = replace(scope, source_ids=(source_id,))
        found = best_passages(query_terms, scope=inside, limit=CITED_PASSAGES)
        chunk_ids += [chunk_id for chunk_id, _ in found] or _first_chunk(source_id)
    return replace(cited, chunk_ids=tuple(chunk_ids))


def _first_chunk(source_id: int) -> list[int]:
    return list(Chunk.objects.filter(source_id=source_id, seq=0).values_list("pk", flat=True))


def _with_citations(cited: CitationTargets, ranked: Sequence[RankedChunk]) -> list[RankedChunk]:
    """Cited chunks go before all others; their scores lie above 1 and fall in order."""
    ids = cited.chunk_ids
    first = [
        RankedChunk(chunk_id, 2.0 - place / len(ids), Match.CITATION, None, cited.clauses.get(chunk_id, ()))
        for place, chunk_id in enumerate(ids)
    ]
    return [*first, *(row for row in ranked if row.chunk_id not in ids)]
