"""What a query asks of a source that it names by its title: `כללי אתיקה, סודיות`."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from kb_project.database.rows import fetch
from law.kinds import STATUTORY_KINDS
from law.words.analysis import Term
from law.words.synonyms import Meaning
from search.ranking.fusion import Ranking
from search.ranking.word_query import MAX_STEMS, TermCounts
from search.retrieval.word_search import best_passages
from sources.citations import MIN_CHUNKS, TitleMatches, best_matches, named_anywhere
from sources.scope import Scope

MIN_TITLE_LENGTH = 4  # words: shorter titles of what is no law are often but a subject (`Inside information`)
MAX_NAMED = 3  # sources that an ambiguous title may mean
NAMED_WEIGHT = 3.0  # of what the rest of the query finds in a source that it names
_INSIDE = "SELECT id FROM kb_chunk WHERE id = ANY(%s::bigint[]) AND source_id = ANY(%s::bigint[])"


@dataclass(frozen=True)
class NamedSources:
    """The sources that a query names, and what the rest of the query finds in them."""

    source_ids: tuple[int, ...] = ()
    ranking: Ranking = ()


def find_named(
    query: Sequence[Term],
    titles: TitleMatches,
    *,
    scope: Scope,
    limit: int,
    counts: TermCounts,
    meanings: Sequence[Meaning] = (),
) -> NamedSources:
    """Up to `limit` passages of the sources that a query names by their title, ranked by the rest of the query.

    The words of its title are all over a source and would outweigh what is asked about it. `titles` is the answer of
    `title_query` for the query, `counts` are those of its first `MAX_STEMS` stems.
    """
    namings = titles(MIN_CHUNKS)
    if namings and namings[0].end - namings[0].start < MIN_TITLE_LENGTH:
        kinds = tuple(sorted(STATUTORY_KINDS.intersection(scope.kinds or STATUTORY_KINDS)))
        statutes = replace(scope, kinds=kinds)
        namings = named_anywhere(query, scope=statutes, least_chunks=MIN_CHUNKS) if kinds else []
    if not namings:
        return NamedSources()
    best = namings[0]
    rest = [*query[: best.start], *query[best.end : MAX_STEMS]]
    source_ids = tuple(naming.source_id for naming in best_matches(namings)[:MAX_NAMED])
    inside = replace(scope, source_ids=source_ids)
    return NamedSources(source_ids, best_passages(rest, scope=inside, limit=limit, meanings=meanings, counts=counts))


def boost_named(ranking: Ranking, named: NamedSources) -> Ranking:
    """The ranking of the whole query with the named passages in it. Not sorted.

    Each starts from where the best of its sources stands: how much else of the title it repeats is no merit.
    """
    if not named.ranking:
        return ranking
    scores = dict(ranking)
    inside = fetch(_INSIDE, [list(scores), list(named.source_ids)])
    start = max((scores[chunk_id] for (chunk_id,) in inside), default=0.0)
    return [*({**scores, **{chunk_id: start + NAMED_WEIGHT * score for chunk_id, score in named.ranking}}).items()]
