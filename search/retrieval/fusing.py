"""The third step of a search: one ranking of the candidates, by words and meaning. It asks nobody anything."""

from collections.abc import Collection, Iterator, Sequence
from itertools import chain

from search.ranking.fusion import fuse_scores, merge_rankings
from search.results import Match, ScoredChunk
from search.retrieval.candidates import Candidates
from search.retrieval.query_plan import ASKED

MATCHES = {  # by whether words found a passage, and whether meaning did
    (True, True): Match.BOTH,
    (True, False): Match.LEXICAL,
    (False, True): Match.SEMANTIC,
    (False, False): Match.SEMANTIC,
}


def fuse(candidates: Candidates) -> Sequence[ScoredChunk]:
    """Those that the search may give, best first, with what is cited before all others.

    Scores of cited chunks lie above 1 and fall in order, others from 0 to 1.
    """
    cited = candidates.cited.chunk_ids
    first = [
        ScoredChunk(
            chunk_id, 2.0 - place / len(cited), Match.CITATION, None, candidates.cited.clauses.get(chunk_id, ())
        )
        for place, chunk_id in enumerate(cited)
    ]
    return candidates.selection.chosen(chain(first, _ranked(candidates, without=cited)))


def _ranked(candidates: Candidates, *, without: Collection[int]) -> Iterator[ScoredChunk]:
    words = candidates.words
    if candidates.reworded:
        words = merge_rankings([(words, ASKED), *candidates.reworded])
    fused = fuse_scores(
        words,
        list(candidates.similarities.items()),
        weight=candidates.weight,
        spread=candidates.spread,
        elsewhere=candidates.elsewhere,
        shown_by=candidates.by_words,
    )
    for chunk_id, score in fused:
        if chunk_id not in without:
            found_by = MATCHES[chunk_id in candidates.by_words, chunk_id in candidates.by_meaning]
            yield ScoredChunk(chunk_id, score, found_by, candidates.similarities.get(chunk_id))
