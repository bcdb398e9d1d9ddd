"""Joining two rankings into one by a weighted sum of their scaled scores."""

from collections.abc import Sequence

Ranking = Sequence[tuple[int, float]]

# Measured on the development sets (docs/retrieval.md): the built-in embedder adds nothing to BM25; with MiniLM, 0.4 and
# 0.5 are best and alike.
DENSE_WEIGHT = {"hashing": 0.0}
DENSE_WEIGHT_OF_MODELS = 0.45


def dense_weight(provider: str) -> float:
    """The share of the dense score in hybrid search."""
    return DENSE_WEIGHT.get(provider, DENSE_WEIGHT_OF_MODELS)


def merge_rankings(rankings: Sequence[tuple[Ranking, float]]) -> list[tuple[int, float]]:
    """Rankings of the same passages by several wordings, each with what it counts; best first.

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


def fuse_scores(lexical: Ranking, dense: Ranking, *, weight: float) -> list[tuple[int, float]]:
    """Both rankings scaled to a best score of 1, and summed with `weight` for the dense one; best first."""
    scores: dict[int, float] = {}
    for ranking, share in ((lexical, 1 - weight), (dense, weight)):
        best = max((score for _, score in ranking), default=0.0)
        for chunk_id, score in ranking:
            scores[chunk_id] = scores.get(chunk_id, 0.0) + (share * score / best if best > 0 else 0.0)
    return sorted(scores.items(), key=lambda pair: (-pair[1], pair[0]))
