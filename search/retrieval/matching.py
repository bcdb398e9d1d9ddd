"""Which passages match a query.

A passage matches that holds enough of the query's telling words, each weighed by how rare it is in the topic: `ENOUGH`
of what the passage that holds most of them holds. So do those that the query cites, and in searches by meaning the
nearest of the topic. With phrases, those match that hold every phrase, and no others. Filters and limits change nothing
of this: they only choose among what matches.
"""

from collections.abc import Iterator, Sequence

import numpy as np

from kb_project.database.rows import fetch
from kb_project.errors import Invalid
from law.citations.parsing import ParsedQuery
from law.questions.phrases import Phrase, find_phrases, texts_with_phrase
from search.index import Matches, engine
from search.ranking.word_query import content_words
from search.results import Mode
from search.retrieval.query_plan import QueryPlan
from sources.scope import Scope

ENOUGH = 0.6  # more loses passages that answer long questions, less lists what holds half of two words
MAX_PHRASES = 10
MAX_PAIRS = 4  # of neighbouring words by which passages are told before they are read
CHECKED = 5_000  # passages with all words of the phrases: of more, those are read that score best
READ_AT_ONCE = 1_000


def phrases_of(query: ParsedQuery) -> Sequence[Phrase]:
    """The phrases of a query. Raises Invalid when there are too many."""
    if len(query.phrases) > MAX_PHRASES:
        sentence = f"The query has more than {MAX_PHRASES} phrases."
        raise Invalid(sentence, errors={"query": [sentence]})
    return query.phrases


def find_matches(plan: QueryPlan, phrases: Sequence[Phrase]) -> Matches:
    """The passages that hold every phrase. Without phrases those that hold enough of the words, in any wording."""
    if phrases:
        return _with_phrases(plan, phrases)
    if plan.mode is Mode.SEMANTIC:
        return Matches()
    found = [
        engine().matches(content_words(one.spelled, one.words), scope=plan.scope, least=ENOUGH) for one in plan.wordings
    ]
    weights = [one.weight for one in plan.wordings]
    return found[0] if len(found) == 1 else _together(found, weights)


def places_of(phrase: str, *, scope: Scope) -> list[tuple[int, str]]:
    """The provisions whose passages hold a phrase, as ids of sources with addresses, in the order of the passages."""
    phrases = find_phrases(f'"{phrase}"')
    found = engine().matches((), scope=scope, least=ENOUGH, required=_required(phrases))
    rows = _holding(phrases, np.sort(found.chunk_ids)[:CHECKED].tolist())
    return list(dict.fromkeys((source_id, eid) for _, source_id, eid in sorted(rows) if eid))


def _with_phrases(plan: QueryPlan, phrases: Sequence[Phrase]) -> Matches:
    """The passages that hold every phrase in their text or their heading."""
    words = content_words(plan.parsed.spelled, plan.words)
    found = engine().matches(words, scope=plan.scope, least=ENOUGH, required=_required(phrases))
    order = np.lexsort((found.chunk_ids, -found.scores))[:CHECKED]
    held = [chunk_id for chunk_id, *_ in _holding(phrases, found.chunk_ids[order].tolist())]
    return found.at(order[np.isin(found.chunk_ids[order], held)])


def _required(phrases: Sequence[Phrase]) -> list[list[int]]:
    """The stems that each word of the phrases may have."""
    return [[term.stem_hash for term in forms] for phrase in phrases for forms in phrase.words]


def _holding(phrases: Sequence[Phrase], chunk_ids: Sequence[int]) -> Iterator[tuple[int, int, str]]:
    """Those of the passages that hold every phrase: their ids, their sources and addresses."""
    pairs = [pair.as_text() for phrase in phrases for pair in phrase.pairs][:MAX_PAIRS]
    # Few of the passages that have all words have them side by side: only these are read.
    side_by_side = " AND terms <#> %s::sparsevec < 0" * len(pairs)
    statement = f"SELECT id, source_id, eid, text, heading FROM kb_chunk WHERE id = ANY(%s::bigint[]){side_by_side}"
    for start in range(0, len(chunk_ids), READ_AT_ONCE):
        rows = fetch(statement, [chunk_ids[start : start + READ_AT_ONCE], *pairs])
        for phrase in phrases:
            texts, headings = (texts_with_phrase([row[column] for row in rows], phrase) for column in (3, 4))
            rows = [row for row, *found in zip(rows, texts, headings, strict=True) if any(found)]
        yield from ((chunk_id, source_id, eid) for chunk_id, source_id, eid, *_ in rows)


def _together(found: Sequence[Matches], weights: Sequence[float]) -> Matches:
    """What several wordings find, each passage once."""
    scores = np.concatenate([weight * one.scores for one, weight in zip(found, weights, strict=True)])
    source_ids = np.concatenate([one.source_ids for one in found])
    chunk_ids = np.concatenate([one.chunk_ids for one in found])
    chunk_ids, firsts, places = np.unique(chunk_ids, return_index=True, return_inverse=True)
    return Matches(chunk_ids, source_ids[firsts], np.bincount(places, scores, len(chunk_ids)).astype(np.float32))
