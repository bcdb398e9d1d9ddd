"""The vectors and impacts of chunks, many at once: BM25 saturations of their terms."""

from collections.abc import Sequence
from itertools import chain, pairwise
from operator import attrgetter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from law.words.analysis import Term
from law.words.stored import MAX_NONZERO
from law.words.term_weights import (
    PAIR_SPREAD,
    SALTS,
    Hashes,
    SparseVector,
    WeightedField,
    add,
    bm25_tf,
    dimensions,
    impact_codes,
    term_ids,
)

_SHIFT = 30  # a dimension is below 2**30, so the number of its row fits in front of it
_DIMENSION = (1 << _SHIFT) - 1
_word_hash, _stem_hash = attrgetter("word_hash"), attrgetter("stem_hash")


class TermTexts(NamedTuple):
    """The terms of some texts one after another: their hashes, and the number of the text each stands in."""

    words: Hashes
    stems: Hashes
    rows: NDArray[np.int64]
    lengths: NDArray[np.int64]


class Entries(NamedTuple):
    """Entries of vectors: row and dimension as one number, and the value."""

    keys: NDArray[np.int64]
    values: NDArray[np.float64]


def texts_of(texts: Sequence[Sequence[Term]]) -> TermTexts:
    lengths = np.array([len(text) for text in texts], dtype=np.int64)
    every = list(chain.from_iterable(texts))
    words = np.fromiter(map(_word_hash, every), dtype=np.uint64, count=len(every))
    stems = np.fromiter(map(_stem_hash, every), dtype=np.uint64, count=len(every))
    return TermTexts(words, stems, np.repeat(np.arange(len(texts)), lengths), lengths)


def field_entries(field: WeightedField, texts: TermTexts) -> Entries:
    """What one field adds to the vector of each text."""
    together = texts.rows[:-1] == texts.rows[1:]  # a term and the next stand in one text
    pairs = texts.stems[:-1][together] * PAIR_SPREAD + texts.stems[1:][together]
    forms = {
        "word": (texts.words, texts.rows),
        "stem": (texts.stems, texts.rows),
        "pair": (pairs, texts.rows[:-1][together]),
    }
    families = [
        (rows << _SHIFT) | dimensions(hashes, SALTS[field.name, form])
        for form, _ in field.families
        for hashes, rows in [forms[form]]
    ]
    keys, counts = np.unique(np.concatenate(families), return_counts=True)
    return Entries(keys, bm25_tf(counts, texts.lengths[keys >> _SHIFT] / field.average_length))


def field_vector(field: WeightedField, text: Sequence[Term]) -> SparseVector:
    """What one field adds to the vector of a text."""
    return vectors([field_entries(field, texts_of([text]))], 1)[0]


def same_entries(vector: SparseVector, rows: Sequence[int]) -> Entries:
    """One vector in each of some rows."""
    numbers = np.array(rows, dtype=np.int64)
    keys = (numbers[:, None] << _SHIFT) | vector.indices[None, :]
    return Entries(keys.ravel(), np.tile(vector.values, len(numbers)))


def vectors(parts: Sequence[Entries], count: int) -> list[SparseVector]:
    """`term_weights.add` of the parts, for each of `count` rows."""
    keys, places = np.unique(np.concatenate([part.keys for part in parts]), return_inverse=True)
    weights = np.concatenate([part.values for part in parts])
    values = np.asarray(np.bincount(places, weights, minlength=len(keys)), dtype=np.float64)
    borders = np.searchsorted(keys, np.arange(count + 1, dtype=np.int64) << _SHIFT).tolist()
    found = [SparseVector(keys[start:end] & _DIMENSION, values[start:end]) for start, end in pairwise(borders)]
    return [add(vector) if len(vector.indices) > MAX_NONZERO else vector for vector in found]


def stem_impacts(
    fields: Sequence[tuple[WeightedField, TermTexts]], count: int, *, topic_id: int
) -> list[tuple[NDArray[np.int32], NDArray[np.uint8]]]:
    """For each of `count` rows the `term_ids` of its distinct stems, and beside them how much each says there.

    That is the code of its impact: of the sum over the fields of BM25's saturation times what a match there is worth.
    """
    counted = [_counted(field, texts) for field, texts in fields]
    stems, rows, impacts = (np.concatenate(arrays) for arrays in zip(*counted, strict=True))
    order = np.lexsort((stems, rows))
    starts = _starts(stems[order], rows[order])
    stems, rows = stems[order][starts], rows[order][starts]
    summed = np.add.reduceat(impacts[order], starts) if len(starts) else np.empty(0)
    ids, codes = term_ids(stems, topic_id), impact_codes(summed)
    borders = np.searchsorted(rows, np.arange(count + 1)).tolist()
    return [(ids[start:end], codes[start:end]) for start, end in pairwise(borders)]


def _counted(field: WeightedField, texts: TermTexts) -> tuple[Hashes, NDArray[np.int64], NDArray[np.float64]]:
    """The distinct stems of each text, the text's number, and what the stem says there."""
    order = np.lexsort((texts.stems, texts.rows))
    stems, rows = texts.stems[order], texts.rows[order]
    starts = _starts(stems, rows)
    counts = np.diff(np.append(starts, len(stems)))
    rows = rows[starts]
    return stems[starts], rows, field.impact * bm25_tf(counts, texts.lengths[rows] / field.average_length)


def _starts(stems: Hashes, rows: NDArray[np.int64]) -> NDArray[np.int64]:
    """Where in sorted arrays a stem of a row comes up first."""
    first = np.ones(len(stems), dtype=bool)
    first[1:] = (stems[1:] != stems[:-1]) | (rows[1:] != rows[:-1])
    return np.flatnonzero(first)
