"""Vectors of text that lie as those of real models do, without a model: nearby for texts that share words or stems.

Words and groups of letters are hashed to rows of a random projection whose spectrum falls off, as that of a trained
model does: most of what tells two texts apart lies in few directions. The same text has the same vector everywhere.
"""

import re
from collections import Counter
from functools import lru_cache
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

DIMENSION = 384
BUCKETS = 1 << 15
SPECTRUM = -0.35  # the standard deviation of dimension k falls as this power of k
GRAMS = (3, 4, 5)
LONG_WORD = 8  # letters: from here a word weighs in full, as short words are mostly function words
SEED = 384
CACHED_WORDS = 100_000
_WORD = re.compile(r"\w+")


def text_vector(text: str) -> NDArray[np.float32]:
    """The unit vector of a text; one without words gets the same as every other such text."""
    counts = Counter(_WORD.findall(text.lower())) or Counter([""])
    rows = np.stack([_word_vector(word) for word in counts])
    weights = np.sqrt(np.fromiter(counts.values(), dtype=np.float32))
    vector = weights @ rows
    return np.asarray(vector / np.linalg.norm(vector), dtype=np.float32)


@lru_cache(maxsize=CACHED_WORDS)
def _word_vector(word: str) -> NDArray[np.float32]:
    """The word's own direction and the mean of those of its letter groups."""
    marked = f"<{word}>"
    grams = [marked[start : start + size] for size in GRAMS for start in range(len(marked) - size + 1)]
    projection = _projection()
    vector = projection[_bucket(marked)]
    if grams:
        vector = vector + projection[[_bucket(gram) for gram in grams]].mean(axis=0) * len(grams) ** 0.5
    return np.asarray(vector * (min(len(word), LONG_WORD) / LONG_WORD), dtype=np.float32) if word else vector


def _bucket(feature: str) -> int:
    return crc32(feature.encode()) % BUCKETS


@lru_cache(maxsize=1)
def _projection() -> NDArray[np.float32]:
    spectrum = np.arange(1, DIMENSION + 1, dtype=np.float32) ** SPECTRUM
    return np.random.default_rng(SEED).standard_normal((BUCKETS, DIMENSION), dtype=np.float32) * spectrum
