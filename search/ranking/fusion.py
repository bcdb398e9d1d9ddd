"""Joining two rankings into one by a weighted sum of their scaled scores."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from statistics import fmean, linear_regression

Ranking = Sequence[tuple[int, float]]

# Chosen with `bench.lay_questions` on each half of the development set: both prefer the same, and little depends on it.
DENSE_WEIGHT = {"hashing": 0.0}
DENSE_WEIGHT_OF_MODELS = 0.5
# Where the passages do not have the words, as where the query is in another language.
DENSE_WEIGHT_WITHOUT_WORDS = 0.7
DENSE_WEIGHT_OF_NAMES = 0.15  # where the query is no question: it may be a heading, which has the very words
KNOWN_WORDS = 0.5  # of the query: with fewer the words say little
SPAN = 3.0  # deviations above the mean, which come to 1
# The meaning of a passage without a vector is expected of the square of its score by words: that which words find best
# is by far the nearest, too. Measured with `bench.vector_shares`.
EXPECTED_OF_BEST = 1.2
SURE_AS = 2  # pairs of passages, one without words and one with the most, that have both


def meaning_weight(provider: str, *, known: float = 1.0, is_question: bool = True) -> float:
    """The share of the score by meaning in hybrid search. `known` is the share of the query's words that there are."""
    if provider in DENSE_WEIGHT:
        return DENSE_WEIGHT[provider]
    if known < KNOWN_WORDS:
        return DENSE_WEIGHT_WITHOUT_WORDS
    return DENSE_WEIGHT_OF_MODELS if is_question else DENSE_WEIGHT_OF_NAMES


@dataclass(frozen=True)
class Spread:
    """The similarities of a query with all passages of a topic: about so many, with this deviation.

    `across` is that of the similarities with passages in another language than the query's, where it was measured.
    """

    mean: float
    deviation: float
    across: float | None = None

    def scaled(self, ranking: Ranking, elsewhere: Collection[int] = ()) -> Ranking:
        """What is as near as any passage comes to 0, what is `SPAN` deviations nearer to 1. It may come to more.

        `elsewhere` are the passages in another language.
        """
        units = SPAN * self.deviation, SPAN * (self.across or self.deviation)
        return [(chunk_id, max(0.0, (score - self.mean) / units[chunk_id in elsewhere])) for chunk_id, score in ranking]


def merge_rankings(rankings: Sequence[tuple[Ranking, float]]) -> list[tuple[int, float]]:
    """Rankings of the same passages by several wordings, each with what it counts. The best comes first.

    Each is scaled to a best score of 1. Of that the square root: what several wordings find is likelier than what one
    of them finds best (docs/retrieval.md).
    """
    joined: dict[int, float] = {}
    for ranking, weight in rankings:
        best = max((score for _, score in ranking), default=0.0)
        for chunk_id, score in ranking:
            share = score / best if best > 0 else 0.0
            joined[chunk_id] = joined.get(chunk_id, 0.0) + weight * share**0.5
    return sorted(joined.items(), key=lambda pair: (-pair[1], pair[0]))


def fuse_scores(
    words: Ranking,
    meanings: Ranking,
    *,
    weight: float,
    spread: Spread | None = None,
    elsewhere: Collection[int] = (),
    shown_by: Collection[int] | None = None,
) -> list[tuple[int, float]]:
    """Both rankings scaled, and summed with `weight` for meaning. The best comes first.

    That of the words to a best score of 1. So is the other where nobody knows how its similarities are spread.
    `elsewhere` are the passages in another language than the query.

    A passage without a similarity, as its vector is still to be made, has the meaning that its words let expect. That
    is shown by those of `shown_by` that have both, None for all: they should not have been chosen by their meaning.
    """
    by_words = dict(_to_best(words))
    by_meaning = dict(spread.scaled(meanings, elsewhere) if spread else _to_best(meanings))
    if not by_meaning:
        weight = 0.0
    elif lacking := by_words.keys() - by_meaning.keys():
        both = (by_words.keys() & by_meaning.keys()).intersection(by_words if shown_by is None else shown_by)
        level = None if spread else fmean(by_meaning.values())
        expected = _expectation([(by_words[one], by_meaning[one]) for one in both], level=level)
        by_meaning |= {one: expected(by_words[one]) for one in lacking}
    scores = {
        one: (1 - weight) * by_words.get(one, 0.0) + weight * by_meaning.get(one, 0.0) for one in by_words | by_meaning
    }
    best = max(1.0, max(scores.values(), default=0.0))
    order = sorted(scores, key=lambda one: (-scores[one], -by_words.get(one, 0.0), one))
    return [(one, scores[one] / best) for one in order]


def _expectation(shown: Sequence[tuple[float, float]], *, level: float | None) -> Callable[[float], float]:
    """The score by meaning that a score by words lets expect: a line through those of passages that have both.

    A few cannot bend it, as they stand beside the ends of the line where nothing is known. That line is at one `level`
    where nobody knows what a similarity says.
    """
    ends = [(0.0, 0.0), (1.0, EXPECTED_OF_BEST)] if level is None else [(0.0, level), (1.0, level)]
    points = [*((words**2, meaning) for words, meaning in shown), *ends * SURE_AS]
    slope, start = linear_regression(*zip(*points, strict=True))
    if slope > 0:
        return lambda words: start + slope * words**2
    mean = fmean(meaning for _, meaning in points)
    return lambda words: mean


def _to_best(ranking: Ranking) -> Ranking:
    best = max((score for _, score in ranking), default=0.0)
    return [(chunk_id, score / best if best > 0 else 0.0) for chunk_id, score in ranking]
