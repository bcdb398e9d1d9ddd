"""The third step of a search: one ranking of the candidates, by words and meaning, and what of it is given."""

from collections.abc import Collection, Iterable, Iterator, Sequence

from kb_project.database.rows import fetch
from law.languages.scripts import main_language
from law.structure.definitions import DefinitionRequest, defined_words
from search.index import engine
from search.ranking.fusion import Ranking, fuse_scores, merge_rankings
from search.results import Match, ScoredChunk
from search.retrieval.candidates import MAX_DEFINING, Candidates, NamedSources
from search.retrieval.query_plan import ASKED, QueryPlan
from sources.citations import CitationTargets

NAMED_WEIGHT = 3.0  # of what the rest of the query finds in a source that it names
MAX_WORDS = 100  # words; no term that is defined has as many
_INSIDE = "SELECT id FROM kb_chunk WHERE id = ANY(%s::bigint[]) AND source_id = ANY(%s::bigint[])"
_TEXTS = "SELECT id, text FROM kb_chunk WHERE id = ANY(%s::bigint[])"
_BEGINNINGS = "SELECT id, left(text, 200) FROM kb_chunk WHERE id = ANY(%s::bigint[])"


def fuse(plan: QueryPlan, candidates: Candidates) -> Sequence[ScoredChunk]:
    """The best candidates, first what is cited, then what defines the term that is asked for."""
    by_words, by_meaning, weight = candidates.by_words, candidates.by_meaning, candidates.weight
    meanings = {**dict(candidates.nearest.ranking), **candidates.nearest.similarities}
    words = candidates.words
    if by_meaning and weight < 1:
        words = words | dict(engine().scores(candidates.query, chunk_ids=by_meaning - words.keys()))
    ranking = _boosted(list(words.items()), candidates.named) if words else []

    def match(chunk_id: int) -> Match:
        if chunk_id in by_words:
            return Match.BOTH if chunk_id in by_meaning else Match.LEXICAL
        return Match.SEMANTIC

    vector = candidates.vector if weight and plan.uses_words else None
    spread = plan.vectors.spread(vector) if plan.vectors and vector is not None else None
    elsewhere = _in_other_language(plan, meanings) if spread and spread.across else frozenset()
    if ranking and plan.reworded:
        found = {chunk_id for chunk_id, _ in ranking}
        others = [(engine().scores(one.words, chunk_ids=found), one.weight) for one in plan.reworded]
        ranking = merge_rankings([(ranking, ASKED), *others])
    fused = fuse_scores(
        ranking, list(meanings.items()), weight=weight, spread=spread, elsewhere=elsewhere, shown_by=by_words
    )
    ranked = (ScoredChunk(chunk_id, score, match(chunk_id), meanings.get(chunk_id)) for chunk_id, score in fused)
    given: Sequence[ScoredChunk] = candidates.selection.chosen(_with_citations(candidates.cited, ranked))
    return (_definitions_first(given, plan.asked) if plan.may_move else given)[: candidates.limit]


def _boosted(ranking: Ranking, named: NamedSources) -> Ranking:
    """The ranking of the whole query with the named passages in it. Not sorted.

    Each starts from where the best of its sources stands: how much else of the title it repeats is no merit.
    """
    if not named.ranking:
        return ranking
    scores = dict(ranking)
    inside = fetch(_INSIDE, [list(scores), list(named.source_ids)])
    start = max((scores[chunk_id] for (chunk_id,) in inside), default=0.0)
    return [*({**scores, **{chunk_id: start + NAMED_WEIGHT * score for chunk_id, score in named.ranking}}).items()]


def _in_other_language(plan: QueryPlan, chunk_ids: Collection[int]) -> frozenset[int]:
    """Those of the chunks whose beginning is in another language than the query."""
    language = main_language(plan.parsed.text)
    beginnings = fetch(_BEGINNINGS, [[*chunk_ids]])
    return frozenset(chunk_id for chunk_id, text in beginnings if main_language(text) is not language)


def _with_citations(cited: CitationTargets, ranked: Iterable[ScoredChunk]) -> Iterator[ScoredChunk]:
    """Cited chunks go before all others. Their scores lie above 1 and fall in order."""
    ids = cited.chunk_ids
    for place, chunk_id in enumerate(ids):
        yield ScoredChunk(chunk_id, 2.0 - place / len(ids), Match.CITATION, None, cited.clauses.get(chunk_id, ()))
    yield from (row for row in ranked if row.chunk_id not in ids)


def _definitions_first(ranked: Sequence[ScoredChunk], asked: DefinitionRequest) -> Sequence[ScoredChunk]:
    """A ranking with those of its first passages first that define what is asked for, behind what is cited.

    Each takes the score of the place that it comes to.
    """
    first = ranked[:MAX_DEFINING] if asked else ()
    if len(first) < 2:
        return ranked
    texts: dict[int, str] = dict(fetch(_TEXTS, [[row.chunk_id for row in first]]))

    def words(row: ScoredChunk) -> int:
        return MAX_WORDS if row.match is Match.CITATION else defined_words(texts.get(row.chunk_id, ""), asked)

    moved = sorted(first, key=words, reverse=True)
    return [
        *(row._replace(score=place.score) for row, place in zip(moved, first, strict=True)),
        *ranked[MAX_DEFINING:],
    ]
