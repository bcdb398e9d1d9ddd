"""Everything searches through one function of four steps (plan, choose candidates, fuse, read), then re-ranks."""

import time
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import replace

from kb_project.observability import tracing
from kb_project.observability.metrics import SEARCH_SECONDS
from law.citations.parsing import ParsedQuery
from search.results import Mode, Retrieval
from search.retrieval.candidates import QuerySlot, choose_candidates
from search.retrieval.fusing import fuse
from search.retrieval.listing import Listing
from search.retrieval.planning import build_query_plan, parse_query
from search.retrieval.query_plan import QueryVariant
from search.retrieval.reading import read_results
from search.retrieval.reranking import passages_to_rerank, reranked
from sources.scope import Scope

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
