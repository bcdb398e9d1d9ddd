"""After a search: its first passages in the order of a model that reads each of them with the query."""

from collections.abc import Sequence
from dataclasses import replace

from django.conf import settings

from kb_project.database.connections import release
from kb_project.llm.quick import BoundedCalls, NoModelAnswer
from kb_project.observability import tracing
from kb_project.observability.metrics import RERANKINGS
from search.rerankers import Reranker, configured
from search.results import Match, Reranking, Retrieval, SearchHit

MAX_TEXT_LENGTH = 2_000  # characters of a passage with its title and heading: models read little more
_calls = BoundedCalls("reranking")


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
