"""The second step of a search: the passages that may answer, by each way that finds them."""

import logging
from collections.abc import Callable, Collection, Mapping, Sequence
from concurrent.futures import wait
from contextlib import AbstractContextManager, ExitStack
from dataclasses import dataclass, replace

from django.core.exceptions import ImproperlyConfigured

from kb_project.database.connections import release
from kb_project.database.rows import fetch
from kb_project.errors import ProviderError
from kb_project.observability import tracing
from law.kinds import STATUTORY_KINDS
from law.languages import Language
from law.languages.scripts import main_language
from law.words.spellings import SpelledWords
from law.words.stop_words import is_content_word
from search.index import Nearest, NearestSearch, engine
from search.ranking.fusion import Ranking, Spread
from search.ranking.word_query import MAX_STEMS
from search.results import Mode
from search.retrieval.query_plan import QueryPlan
from search.retrieval.selection import FUSED_DEPTH, Selection, select
from sources import citations
from sources.citations import (
    MIN_CHUNKS,
    CitationTargets,
    TitleMatches,
    UnresolvedCitation,
    best_matches,
)
from sources.models import Chunk

logger = logging.getLogger(__name__)

MAX_DEFINING = 30  # first passages of a search among which definitions are looked for
CITED_PASSAGES = 3  # of a source that is cited as a whole
MIN_TITLE_LENGTH = 4  # words: shorter titles of what is no law are often but a subject (`Inside information`)
MAX_NAMED = 3  # sources that an ambiguous title may mean
NAMED_WEIGHT = 3.0  # of what the rest of the query finds in a source that it names
_INSIDE = "SELECT id FROM kb_chunk WHERE id = ANY(%s::bigint[]) AND source_id = ANY(%s::bigint[])"
_BEGINNINGS = "SELECT id, left(text, 200) FROM kb_chunk WHERE id = ANY(%s::bigint[])"


@dataclass(frozen=True)
class NamedSources:
    """The sources that a query names, and what the rest of the query finds in them."""

    source_ids: tuple[int, ...] = ()
    ranking: Ranking = ()


@dataclass(frozen=True, kw_only=True)
class Candidates:
    """What each way found, with all that a ranking of it needs.

    `titles` are the sources that the query names, None where a citation says what is meant, and in semantic mode.
    `named` are the passages of those that it names by their title. `words` has the score of each candidate by the
    words of the query, not sorted, and `reworded` those by its other wordings, each with what the wording counts.
    `similarities` are cosines of meaning, and `spread` is how they lie in the topic, where that is known. `elsewhere`
    are candidates in another language than the query. `by_words` and `by_meaning` are the ways by which they were
    found. `weight` is that of meaning beside words, 0 where the embedder failed. `selection` gives up to `limit`.
    """

    selection: Selection
    limit: int
    cited: CitationTargets
    titles: TitleMatches | None
    named: NamedSources
    words: Ranking
    reworded: Sequence[tuple[Ranking, float]]
    similarities: Mapping[int, float]
    spread: Spread | None
    elsewhere: frozenset[int]
    by_words: frozenset[int]
    by_meaning: frozenset[int]
    weight: float


class QuerySlot(ExitStack):
    """The slot at the database of whoever searches, taken again after others were waited for."""

    def __init__(self, take: Callable[[], AbstractContextManager[object]]) -> None:
        super().__init__()
        self._take = take
        self.enter_context(take())

    def wait_for(self, search: NearestSearch) -> None:
        """Wait for what the search needs of others, without the slot and without a connection."""
        if search.is_awaited:
            self.close()
            release()
            wait(search.awaited)
            self.enter_context(self._take())


def choose_candidates(plan: QueryPlan, *, limit: int, slot: QuerySlot) -> Candidates:
    """Those for `limit` results.

    Raises Invalid for too many phrases, and ProviderError when the embedder fails and there is nothing else to go by.
    """
    selection = select(plan, limit=max(limit, MAX_DEFINING) if plan.may_move and plan.asked else limit)
    nearest = _begin_nearest(plan, limit=selection.depth(plan))  # first: it is embedded while words are looked for
    with tracing.span("find citations"):
        cited = _cited(plan)
        # What a citation names is settled; else a source may be named by its title alone.
        titles = None if cited.chunk_ids else _titles(plan)
        named = _named(plan, titles) if titles else NamedSources()
    if nearest and nearest.combined:
        slot.wait_for(nearest)
    with tracing.span("find words"):
        missing = None if cited.chunk_ids else cited.not_found
        searched = _without_citation(plan, missing) if missing and not missing.is_of_act_here else plan
        words = selection.candidates(searched, cited=cited.chunk_ids, named=named.ranking, nearest=nearest)
    with tracing.span("find meanings"):
        if nearest:
            slot.wait_for(nearest)
        found = _nearest(plan, nearest, {*words, *dict(named.ranking)})
    weight, near = (plan.weight, found) if found else (0.0, Nearest())
    by_meaning = frozenset(chunk_id for chunk_id, _ in near.ranking)
    selection.complete(near)
    by_words = frozenset((*words, *dict(named.ranking)))
    if by_meaning and weight < 1:
        words |= dict(engine().scores(searched.words, chunk_ids=by_meaning - words.keys()))
    ranking = _with_named(words, named)
    ranked = {chunk_id for chunk_id, _ in ranking}
    similarities = {**dict(near.ranking), **near.similarities}
    spread = plan.spread if weight else None
    return Candidates(
        selection=selection,
        limit=limit,
        cited=cited,
        titles=titles,
        named=named,
        words=ranking,
        reworded=[(engine().scores(one.words, chunk_ids=ranked), one.weight) for one in plan.reworded if ranked],
        similarities=similarities,
        spread=spread,
        elsewhere=_in_other_language(plan.language, similarities) if spread and spread.across else frozenset(),
        by_words=by_words,
        by_meaning=by_meaning,
        weight=weight,
    )


def _begin_nearest(plan: QueryPlan, *, limit: int) -> NearestSearch | None:
    """The search by meaning, begun, or none where it adds nothing."""
    if plan.space is None or plan.vector is None:
        return None
    return engine().nearest(plan.vector, space=plan.space, scope=plan.scope, limit=limit)


def _nearest(plan: QueryPlan, search: NearestSearch | None, by_words: set[int]) -> Nearest | None:
    """What the search finds, with the similarities of what words found. None where it cannot be had."""
    try:
        # What one way found is judged the other way too: not to be among its first is not to score nothing.
        return search(by_words) if search else None
    except (ProviderError, ImproperlyConfigured) as error:
        if plan.weight == 1:  # semantic mode: nothing else is left to go by
            raise error if isinstance(error, ProviderError) else ProviderError(str(error), retryable=True) from error
        logger.warning("The embedder failed; this search goes by the words alone", exc_info=True)
        return None


def _titles(plan: QueryPlan) -> TitleMatches | None:
    """The sources that the query names, asked for now where it cites. None in semantic mode."""
    if plan.mode is Mode.SEMANTIC:
        return None
    if plan.cited_names is None:
        return plan.titles
    return plan.cited_names.matches(plan.parsed.terms, scope=plan.scope)


def _named(plan: QueryPlan, titles: TitleMatches) -> NamedSources:
    """Passages of the sources that the query names by their title (`כללי אתיקה, סודיות`), ranked by the rest of it.

    The words of its title are all over a source and would outweigh what is asked about it.
    """
    query, scope = plan.parsed.terms, plan.scope
    namings = titles(MIN_CHUNKS)
    if namings and namings[0].end - namings[0].start < MIN_TITLE_LENGTH:
        namings = titles(MIN_CHUNKS, kinds=STATUTORY_KINDS)
    if not namings:
        return NamedSources()
    best = namings[0]
    rest = [*query[: best.start], *query[best.end : MAX_STEMS]]  # the plan counts so many stems
    source_ids = tuple(naming.source_id for naming in best_matches(namings)[:MAX_NAMED])
    inside = replace(scope, source_ids=source_ids)
    words = plan.weigh_inside(SpelledWords(rest), meanings=plan.words.meanings)
    found = engine().candidates(words, scope=inside, limit=FUSED_DEPTH)
    return NamedSources(source_ids, found)


def _cited(plan: QueryPlan) -> CitationTargets:
    """What the query cites, as chunks: of a source cited as a whole, those that fit the query best."""
    if plan.mode is Mode.SEMANTIC:
        return CitationTargets()
    cited = citations.resolve(plan.parsed, scope=plan.scope, names=plan.cited_names.spans if plan.cited_names else None)
    chunk_ids = list(cited.chunk_ids)
    for source_id in cited.source_ids:
        inside = replace(plan.scope, source_ids=(source_id,))
        words = plan.weigh_inside(plan.parsed.spelled)
        found = engine().candidates(words, scope=inside, limit=CITED_PASSAGES)
        chunk_ids += [chunk_id for chunk_id, _ in found] or _first_chunk(source_id)
    return replace(cited, chunk_ids=tuple(chunk_ids))


def _without_citation(plan: QueryPlan, missing: UnresolvedCitation) -> QueryPlan:
    """The same, without the words of a citation whose act is not here, but for the telling ones of its name.

    Else the first result would be a passage that has the number of the section, and nothing else.
    """
    told = [
        term
        for term in plan.parsed.discriminative.terms
        if is_content_word(term.word) and not term.word[0].isdigit() and term.stem not in missing.boilerplate
    ]
    return replace(plan, words=replace(plan.weigh(SpelledWords(told)), frequencies=plan.words.frequencies))


def _with_named(words: Mapping[int, float], named: NamedSources) -> Ranking:
    """The scores by the whole query, with those of the named passages.

    Each starts from where the best of its sources stands: how much else of the title it repeats is no merit.
    """
    if not words or not named.ranking:
        return list(words.items())
    inside = fetch(_INSIDE, [list(words), list(named.source_ids)])
    start = max((words[chunk_id] for (chunk_id,) in inside), default=0.0)
    return [*({**words, **{chunk_id: start + NAMED_WEIGHT * score for chunk_id, score in named.ranking}}).items()]


def _in_other_language(language: Language, chunk_ids: Collection[int]) -> frozenset[int]:
    """Those of the chunks whose beginning is in another language."""
    beginnings = fetch(_BEGINNINGS, [[*chunk_ids]])
    return frozenset(chunk_id for chunk_id, text in beginnings if main_language(text) is not language)


def _first_chunk(source_id: int) -> list[int]:
    return list(Chunk.objects.filter(source_id=source_id, seq=0).values_list("pk", flat=True))
