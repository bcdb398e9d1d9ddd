"""How much of what two documents begin with is the same, whatever their formats make of lines, marks and quotes."""

import numpy as np
from numpy.typing import NDArray

from law.words.analysis import terms

CHARACTERS = 6_000
"""Of a document's beginning that are compared: what is read of every format before it is classified."""
RUN = 3  # words
MIN_RUNS = 20  # of a text that is compared: of a shorter one too much is what all documents begin with
_MULTIPLIERS = np.array([0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F, 0x165667B19E3779F9], dtype=np.uint64)

Fingerprint = NDArray[np.uint32]
"""The hashes of all runs of three words that a document begins with, each once."""


def fingerprint(text: str) -> Fingerprint:
    """The fingerprint of a text, empty for one that is too short to be compared."""
    words = np.array([term.word_hash for term in terms(text[:CHARACTERS])], dtype=np.uint64)
    if len(words) < MIN_RUNS + RUN - 1:
        return np.empty(0, np.uint32)
    runs = np.lib.stride_tricks.sliding_window_view(words, RUN) * _MULTIPLIERS
    return np.unique((runs.sum(axis=1, dtype=np.uint64) >> np.uint64(32)).astype(np.uint32))


def similarity(one: Fingerprint, other: Fingerprint) -> float:
    """The share of runs, from 0 to 1, that two texts have in common, of those of the longer one.

    What is no more than the beginning of the other, as pages with few words may be, counts for a half at least.
    """
    shorter, longer = sorted((len(one), len(other)))
    if not shorter:
        return 0.0
    return len(np.intersect1d(one, other, assume_unique=True)) / min(longer, 2 * shorter)
