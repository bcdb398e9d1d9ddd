"""The built-in embedder: hashed stems and letter groups, deterministic, without a model or a download."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from search.analysis import hash_text, terms
from search.embedders.protocol import Kind, normalised

MODEL = "stems-and-4-grams-1"
DIMENSION = 256
GRAM = 4
GRAMS_WEIGHT = 0.5
FULL_WEIGHT_LENGTH = 8  # short words are mostly function words


class HashingEmbedder:
    """Feature hashing (Weinberger et al. 2009): each feature adds its weight, with a sign, to one dimension."""

    provider = "hashing"
    model = MODEL

    def __init__(self, *, dimension: int = DIMENSION) -> None:
        self.dimension = dimension

    def embed(self, texts: Sequence[str], kind: Kind) -> NDArray[np.float32]:
        vectors = np.zeros((len(texts), self.dimension), dtype=np.float32)
        for row, text in enumerate(texts):
            features = [_features(term.stem) for term in terms(text)]
            if features:
                hashes = np.concatenate([hashes for hashes, _ in features])
                weights = np.concatenate([weights for _, weights in features])
                places = (hashes % np.uint64(self.dimension)).astype(np.int64)
                vectors[row] = np.bincount(places, weights, minlength=self.dimension)
        return normalised(np.sign(vectors) * np.sqrt(np.abs(vectors)))


@lru_cache(maxsize=100_000)
def _features(stem: str) -> tuple[NDArray[np.uint64], NDArray[np.float64]]:
    """The hashes of a stem and of its letter groups, and their signed weights."""
    grams = [stem[start : start + GRAM] for start in range(len(stem) - GRAM + 1)] if len(stem) > GRAM else []
    hashes = np.array([hash_text(stem), *(hash_text("#" + gram) for gram in grams)], dtype=np.uint64)
    weights = np.full(len(hashes), GRAMS_WEIGHT / max(len(grams), 1))
    weights[0] = 1.0
    weights *= min(len(stem), FULL_WEIGHT_LENGTH) / FULL_WEIGHT_LENGTH
    return hashes, np.where(hashes >> np.uint64(63), weights, -weights)
