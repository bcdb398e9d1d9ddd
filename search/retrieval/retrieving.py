"""Everything searches through one function of four steps (plan, choose candidates, fuse, read), then re-ranks."""

import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace

from django.conf import settings

from kb_project.database.connections import release
from kb_project.llm.quick import BoundedCalls, NoModelAnswer
from kb_project.observability import tracing
from kb_project.observability.metrics import RERANKINGS, SEARCH_SECONDS
from law.citations.parsing import ParsedQuery
from search.rerankers import Reranker, configured
from search.results import Match, Mode, Reranking, Retrieval, SearchHit
from search.retrieval.candidates import QuerySlot, choose_candidates
from search.retrieval.fusing import fuse
from search.retrieval.listing import Listing
from search.retrieval.query_plan import QueryVariant, build_query_plan, parse_query
from search.retrieval.reading import read_results
from sources.scope import Scope

MAX_TEXT_LENGTH = 2_000  # characters of a passage with its title and heading: models read little more
_calls = BoundedCalls("reranking")
MAX_RESULTS = 100
TRIES = 3  # of a search whose passages are replaced while it runs; then it does without them


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
    query_slot: Callable[[], AbstractContextManager[object]] = nullcontext,
) -> Retrieval:
    """The passages of the scope that answer the query best, and what of it each holds.

    A reference to a section, or to a source by its identifier, comes first (except in semantic mode, which compares
    meanings alone). `expansions` are other wordings of the query. Without `synonyms` its words mean themselves
    alone. With a `listing` quotation marks make phrases, and unless it is plain the list holds what matches
    (`matching`) and nothing else. `took_ms` counts from `started`, a `time.perf_counter()`, where the caller's
    wait began before this call. What needs the database is done inside `query_slot()`, and not the waits for an
    embedder and a reranker.

    Raises Invalid for a blank or overlong query, and ProviderError when semantic mode's embedder fails. Hybrid mode
    then goes by the words alone, and in the order that it has where the reranker fails.
    """
    began = time.perf_counter()
    mode = Mode(mode)
    query = parse_query(query) if isinstance(query, str) else query
    limit = max(1, min(limit, MAX_RESULTS))
    with tracing.span("retrieve", {"kb.search.mode": mode.value}) as span:
        with QuerySlot(query_slot) as slot:
            for _ in range(TRIES):
                with tracing.span("read question"):
                    plan = build_query_plan(
                        query,
                        scope=scope.with_topics(),
                        mode=mode,
                        listing=listing,
                        expansions=expansions,
                        synonyms=synonyms,
                    )
                count = passages_to_rerank() if plan.may_move else 0
                candidates = choose_candidates(plan, limit=max(limit, count), slot=slot)
                ranked = fuse(candidates)
                found = read_results(plan, candidates, ranked)
                is_whole = len(found.hits) == min(candidates.limit, len(ranked)) and (
                    found.hits or not plan.is_switched
                )
                if is_whole:  # else a source was replaced or deleted meanwhile, or the model switched
                    break
        found = reranked(found, count=count)
        span.set({"kb.search.passages": min(limit, len(found.hits))})
    ended = time.perf_counter()
    SEARCH_SECONDS.labels(mode=mode.value).observe(ended - began)
    took_ms = round((ended - (began if started is None else started)) * 1000, 2)
    return replace(found, hits=found.hits[:limit], took_ms=took_ms)


def passages_to_rerank() -> int:
    """How many of the first passages of a search are re-ranked, none without a reranker."""
    return settings.KB_RERANKER_PASSAGES if configured() else 0


def reranked(found: Retrieval, *, count: int) -> Retrieval:
    """The first `count` passages that are not cited in their new order, or in the one that they have.

    Cited ones stay first, and each takes the rank and the score of the place that it comes to. Waits for at most
    `KB_RERANKER_TIMEOUT_S` seconds, without a database connection. Never raises for the reranker.
    """
    reranker = configured() if count else None
    if reranker is None:
        return found
    start = sum(hit.match is Match.CITATION for hit in found.hits)
    with tracing.span("rerank") as span:
        order, outcome = _order(reranker, found.query, found.hits[start : start + count])
        span.set({"kb.outcome": outcome.value, "kb.passages": len(order)})
    RERANKINGS.labels(outcome=outcome.value).inc()
    places = [*range(start), *(start + place for place in order), *range(start + len(order), len(found.hits))]
    moved = zip(places, found.hits, strict=True)
    hits = tuple(replace(found.hits[at], rank=place.rank, score=place.score) for at, place in moved)
    return replace(found, hits=hits, reranking=outcome)


def _order(reranker: Reranker, query: str, hits: Sequence[SearchHit]) -> tuple[Sequence[int], Reranking]:
    """The places of the hits, best first."""
    as_found = range(len(hits))
    if len(hits) < 2:
        return as_found, Reranking.NEEDLESS
    release()
    texts = [_text(hit) for hit in hits]
    try:
        scores = _calls.get(
            reranker.key,
            lambda timeout_s: reranker.scores(query, texts, timeout_s=timeout_s),
            within_s=settings.KB_RERANKER_TIMEOUT_S,
        )
    except NoModelAnswer as error:
        return as_found, Reranking(error.trouble.value)
    return sorted(as_found, key=lambda place: -scores[place]), Reranking.MADE


def _text(hit: SearchHit) -> str:
    """What the model reads: the passage below the names of where it stands."""
    heading = f"{hit.section} {hit.heading}".strip()
    return "\n".join(filter(None, (hit.source.title, heading, hit.text)))[:MAX_TEXT_LENGTH]
