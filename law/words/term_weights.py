"""Terms to numbers: BM25 weights of a chunk as a sparse vector, and the term ids by which it is found.

A chunk's terms come in families: words, stems and pairs of neighbouring stems of its body and of its heading, words
and stems of its source's title. Each (family, term) has its own dimension of the vector, and holds the BM25
saturation of the term's frequency (Robertson & Zaragoza 2009, eq. 3.15). The families' weights and the inverse
document frequencies are in the query's vector only, so both can change without touching the index.

Average lengths are constants instead of the topic's true averages, so that a chunk's weights do not depend on when
it was indexed. On the development sets this costs nothing.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from itertools import chain
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from law.words.analysis import Term, hash_text
from law.words.stop_words import query_term_weight
from law.words.stored import DIMENSIONS, MAX_NONZERO

# The textbook's 1.2 and 0.75 are for words alone. Here a word that is repeated is counted as word, stem and pairs, and
# what a passage holds at all says more than how often (docs/retrieval.md).
K1 = 0.6
B = 0.9
SAME_WORD = 0.5  # of the places where a stem of a query is met, so many hold the query's own word

Hashes = NDArray[np.uint64]


@dataclass(frozen=True)
class WeightedField:
    """A part of what is indexed, and what a match in it is worth."""

    name: str
    average_length: float
    word_weight: float
    stem_weight: float
    pair_weight: float = 0.0

    @property
    def impact(self) -> float:
        """What a match of a stem is worth when it is not known whether the word is the same, too."""
        return self.stem_weight + SAME_WORD * self.word_weight

    def times(self, factor: float) -> WeightedField:
        """The same part, with a match in it worth so many times as much."""
        weights = {name: factor * getattr(self, name) for name in ("word_weight", "stem_weight", "pair_weight")}
        return replace(self, **weights)

    @cached_property
    def without_pairs(self) -> WeightedField:
        return replace(self, pair_weight=0.0)

    @cached_property
    def of_pairs(self) -> WeightedField:
        return replace(self, word_weight=0.0, stem_weight=0.0)

    @cached_property
    def families(self) -> list[tuple[str, float]]:
        """The form of term each family is made of, with its weight."""
        forms = [("word", self.word_weight), ("stem", self.stem_weight), ("pair", self.pair_weight)]
        return [(form, weight) for form, weight in forms if weight]

    def salt(self, form: str) -> int:
        return hash_text(f"{self.name} {form}")


BODY = WeightedField("body", average_length=90, word_weight=0.3, stem_weight=1.0, pair_weight=0.45)
HEADING = WeightedField("heading", average_length=6, word_weight=4.0, stem_weight=2.0, pair_weight=2.0)
TITLE = WeightedField("title", average_length=10, word_weight=1.5, stem_weight=0.75)
FIELDS = (BODY, HEADING, TITLE)
# Who types a heading wants what it heads. A question, or a sentence that may answer it, has words of many headings and
# is none of them.
FIELDS_OF_SENTENCE = (BODY, HEADING.times(0.2), TITLE)

SALTS = {(field.name, form): np.uint64(field.salt(form)) for field in FIELDS for form, _ in field.families}
_CODES_OF_A_DOUBLING = 56.0
IMPACTS = (2.0 ** (np.arange(256) / _CODES_OF_A_DOUBLING) - 1).astype(np.float32)
_SPREAD = np.uint64(0x9E3779B97F4A7C15)
PAIR_SPREAD = np.uint64(0xC2B2AE3D27D4EB4F)


@dataclass(frozen=True)
class SparseVector:
    """0-based dimensions in rising order, and their values."""

    indices: NDArray[np.int64]
    values: NDArray[np.float64]

    def as_text(self) -> str:
        """In pgvector's notation, which counts dimensions from 1."""
        pairs = zip((self.indices + 1).tolist(), self.values.tolist(), strict=True)
        written = ",".join(["%d:%.6g"] * len(self.indices)) % tuple(chain.from_iterable(pairs))
        return f"{{{written}}}/{DIMENSIONS}"


NOTHING = SparseVector(np.empty(0, np.int64), np.empty(0))


def bm25_tf(counts: NDArray[np.int64], relative_length: NDArray[np.float64] | float) -> NDArray[np.float64]:
    """BM25's saturation of frequencies in texts that are so many times as long as the average."""
    frequencies = counts.astype(np.float64)
    return frequencies * (K1 + 1) / (frequencies + K1 * (1 - B + B * relative_length))


def add(*vectors: SparseVector) -> SparseVector:
    """The sum of vectors, cut to its heaviest dimensions if there are more than the database takes."""
    return _added(np.concatenate([v.indices for v in vectors]), np.concatenate([v.values for v in vectors]))


def _added(indices: NDArray[np.int64], values: NDArray[np.float64]) -> SparseVector:
    """The vector of dimensions in any order. The values of one that comes again are added."""
    if not len(indices):
        return NOTHING
    order = np.argsort(indices, kind="stable")
    indices, values = indices[order], values[order]
    first = np.flatnonzero(np.concatenate([[True], indices[1:] != indices[:-1]]))
    indices, values = indices[first], np.add.reduceat(values, first)
    if len(indices) > MAX_NONZERO:
        kept = np.sort(np.argpartition(-values, MAX_NONZERO)[:MAX_NONZERO])
        indices, values = indices[kept], values[kept]
    return SparseVector(indices, values)


def term_ids(stem_hashes: Hashes, topic_id: int) -> NDArray[np.int32]:
    """The ids of stems in the posting lists of one topic.

    The topic is mixed into the hash, so a posting list never holds another topic's chunks.
    """
    return (((stem_hashes ^ _salt_of_topic(topic_id)) * _SPREAD) >> np.uint64(32)).astype(np.uint32).view(np.int32)


@lru_cache(maxsize=1_000)
def _salt_of_topic(topic_id: int) -> np.uint64:
    return np.uint64(hash_text(f"topic {topic_id}"))


def impact_codes(impacts: NDArray[np.float64]) -> NDArray[np.uint8]:
    """Impacts as whole numbers up to 255, each 1.2 % apart from the next. `IMPACTS[code]` is about the impact again."""
    return np.minimum(np.round(np.log2(1 + impacts) * _CODES_OF_A_DOUBLING), 255).astype(np.uint8)


def idf(document_frequency: int, documents: int) -> float:
    """BM25's inverse document frequency in the variant that never turns negative (Lucene's)."""
    document_frequency = min(document_frequency, documents)
    return math.log(1 + (documents - document_frequency + 0.5) / (document_frequency + 0.5))


class WeightedTerms(NamedTuple):
    """Neighbouring words, the inverse document frequencies of their stems, and what each form of them is worth."""

    terms: Sequence[Term]
    idf_by_stem: Mapping[int, float]
    fields: Sequence[WeightedField] = FIELDS


def query_vector(*parts: WeightedTerms) -> SparseVector:
    """The query's side of the inner product: family weight times inverse document frequency times what the word tells.

    A word weighs by its stem's frequency and a pair by the sum of its two: both do as well as frequencies of
    their own would, which then need not be kept. What the parts have in common is added.
    """
    hashes: list[Hashes] = []
    salts: list[np.uint64] = []
    values: list[NDArray[np.float64]] = []
    for terms, idf_by_stem, fields in parts:
        if not terms:
            continue
        forms = _forms(terms)
        telling = np.array([idf_by_stem.get(term.stem_hash, 0.0) * query_term_weight(term.word) for term in terms])
        told = {"word": telling, "stem": telling, "pair": telling[:-1] + telling[1:]}
        for field in fields:
            for form, weight in field.families:
                hashes.append(forms[form])
                salts.append(SALTS[field.name, form])
                values.append(weight * told[form])
    if not hashes:
        return NOTHING
    return _added(dimensions(np.concatenate(hashes), np.repeat(salts, list(map(len, hashes)))), np.concatenate(values))


def _forms(terms: Sequence[Term]) -> dict[str, Hashes]:
    hashes = np.array([(term.word_hash, term.stem_hash) for term in terms], dtype=np.uint64)
    stems = hashes[:, 1]
    return {"word": hashes[:, 0], "stem": stems, "pair": stems[:-1] * PAIR_SPREAD + stems[1:]}


def pairs_vector(first: Sequence[Term], second: Sequence[Term]) -> SparseVector:
    """1 in each dimension of a term of the first next to one of the second.

    Its inner product with a passage's vector is 0 where no two of them stand side by side, in the text or the heading.
    """
    before, after = (np.array([term.stem_hash for term in one], dtype=np.uint64) for one in (first, second))
    pairs = (before[:, np.newaxis] * PAIR_SPREAD + after).ravel()
    indices = np.unique(np.concatenate([dimensions(pairs, SALTS[field.name, "pair"]) for field in (BODY, HEADING)]))
    return SparseVector(indices, np.ones(len(indices)))


def dimensions(hashes: Hashes, salt: np.uint64 | Hashes) -> NDArray[np.int64]:
    """The dimensions of terms in a family, which its salt tells from the others: one salt, or each term's own."""
    # 34 bits are shifted off, then the few values of 30 bits beyond the last dimension wrap round.
    return (((hashes ^ salt) * _SPREAD) >> np.uint64(34)).astype(np.int64) % DIMENSIONS
