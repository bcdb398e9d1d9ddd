"""The built-in embedder: hashed stems and letter groups, deterministic, without a model or a download."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from law.words.analysis import Term, hash_text, terms
from search.embedders.protocol import Kind, normalised

MODEL = "stems-and-4-grams-1"
DIMENSION = 256
GRAM = 4
GRAMS_WEIGHT = 0.5
FULL_WEIGHT_LENGTH = 8  # short words are mostly function words
AT_ONCE = 64  # texts whose features are added up together


class HashingEmbedder:
    """Feature hashing (Weinberger et al. 2009): each feature adds its weight, with a sign, to one dimension."""

    provider = "hashing"
    model = MODEL

    def __init__(self, *, dimension: int = DIMENSION) -> None:
        self.dimension = dimension

    def embed(self, texts: Sequence[str], kind: Kind) -> NDArray[np.float32]:
        return self.embed_terms([terms(text) for text in texts])

    def embed_terms(self, texts: Sequence[Sequence[Term]]) -> NDArray[np.float32]:
        """As `embed`, of texts whose terms are known already."""
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for start in range(0, len(texts), AT_ONCE):
            block = texts[start : start + AT_ONCE]
            vectors[start : start + AT_ONCE] = _sums(block, self.dimension)
        return normalised(np.sign(vectors) * np.sqrt(np.abs(vectors)))


def _sums(texts: Sequence[Sequence[Term]], dimension: int) -> NDArray[np.float64]:
    """The features of each text added up, one row each."""
    numbers: dict[str, int] = {}  # of the stems that the texts have, each once
    stems = np.array([numbers.setdefault(term.stem, len(numbers)) for text in texts for term in text], dtype=np.int64)
    if not len(stems):
        return np.zeros((len(texts), dimension))
    features = [_features(stem) for stem in numbers]
    places = (np.concatenate([hashes for hashes, _ in features]) % np.uint64(dimension)).astype(np.int64)
    weights = np.concatenate([weights for _, weights in features])
    counts = np.array([len(hashes) for hashes, _ in features])
    starts = np.cumsum(counts) - counts
    lengths = counts[stems]
    # For each stem of each text the places of its features, which follow one another.
    ends = np.cumsum(lengths)
    taken = np.arange(ends[-1]) + np.repeat(starts[stems] - (ends - lengths), lengths)
    row_starts = np.repeat(np.arange(len(texts)) * dimension, [len(text) for text in texts])
    flat = places[taken] + np.repeat(row_starts, lengths)
    sums = np.bincount(flat, weights[taken], minlength=len(texts) * dimension)
    return np.asarray(sums, dtype=np.float64).reshape(len(texts), dimension)


@lru_cache(maxsize=100_000)
def _features(stem: str) -> tuple[NDArray[np.uint64], NDArray[np.float64]]:
    """The hashes of a stem and of its letter groups, and their signed weights."""
    grams = [stem[start : start + GRAM] for start in range(len(stem) - GRAM + 1)] if len(stem) > GRAM else []
    hashes = np.array([hash_text(stem), *(hash_text("#" + gram) for gram in grams)], dtype=np.uint64)
    weights = np.full(len(hashes), GRAMS_WEIGHT / max(len(grams), 1))
    weights[0] = 1.0
    weights *= min(len(stem), FULL_WEIGHT_LENGTH) / FULL_WEIGHT_LENGTH
    return hashes, np.where(hashes >> np.uint64(63), weights, -weights)
