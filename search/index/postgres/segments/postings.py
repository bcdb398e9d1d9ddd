"""Posting lists: in which chunks of a segment a term is, and how much it says there.

A list is stored as the chunks' places in the segment (uint16, rising) and behind them as many codes of impacts (uint8),
so that it becomes two arrays without a step in between.
"""

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from law.words.term_weights import impact_codes
from search.index.chunk_store import copy_format

COLUMNS = "cardinality(term_ids), array_send(term_ids), impacts"
_UNKNOWN_IMPACT = impact_codes(np.ones(1)).tobytes()  # of a term of a chunk whose impacts are damaged
MAX_PLACES = 1 << 16  # chunks of a segment
_PLACE = np.dtype("<u2")
ENTRY_BYTES = _PLACE.itemsize + 1

TopicTerm = tuple[int, int]  # a topic, and the id of a term in it


class Postings(NamedTuple):
    """The entries of many posting lists, in any order, as parallel arrays."""

    terms: NDArray[np.int32]
    places: NDArray[np.int64]
    codes: NDArray[np.uint8]


NOTHING = Postings(np.empty(0, np.int32), np.empty(0, np.int64), np.empty(0, np.uint8))


def postings_of(rows: Sequence[tuple[Any, ...]]) -> Postings:
    """The entries of chunks, from rows of `COLUMNS` in the binary format. A chunk's place is that of its row."""
    if not rows:
        return NOTHING
    counts, arrays, impacts = zip(*rows, strict=True)
    terms = np.concatenate([copy_format.sent_int4_array(array) for array in arrays])
    codes = b"".join(
        stored if len(stored) == count else _UNKNOWN_IMPACT * count
        for stored, count in zip(impacts, counts, strict=True)
    )
    return Postings(terms, np.repeat(np.arange(len(rows)), counts), np.frombuffer(codes, np.uint8))


def encode(postings: Postings) -> Iterator[tuple[int, bytes]]:
    """Each term, in rising order, with its list."""
    order = np.lexsort((postings.places, postings.terms))
    terms, codes = postings.terms[order], postings.codes[order]
    places = postings.places[order].astype(_PLACE)
    starts = np.flatnonzero(np.append(True, terms[1:] != terms[:-1])) if len(terms) else np.empty(0, np.int64)
    borders = [*starts.tolist(), len(terms)]
    for term, (start, end) in zip(terms[starts].tolist(), pairwise(borders), strict=True):
        yield term, places[start:end].tobytes() + codes[start:end].tobytes()


def decode(stored: bytes) -> tuple[NDArray[np.uint16], NDArray[np.uint8]]:
    """The places and the codes of one list. Raises ValueError when a part of one is missing."""
    count, rest = divmod(len(stored), ENTRY_BYTES)
    if rest:
        raise ValueError(f"a posting list of {len(stored)} bytes")
    places = np.frombuffer(stored, _PLACE, count)
    return places, np.frombuffer(stored, np.uint8, count, offset=places.nbytes)


def decode_all(lists: Sequence[tuple[int, bytes]]) -> Postings:
    """The entries of the lists of one segment. Raises ValueError as `decode` does."""
    if not lists:
        return NOTHING
    parts = [decode(stored) for _, stored in lists]
    terms = np.repeat(np.array([term for term, _ in lists], np.int32), [len(places) for places, _ in parts])
    places = np.concatenate([places for places, _ in parts]).astype(np.int64)
    return Postings(terms, places, np.concatenate([codes for _, codes in parts]))


def concatenated(parts: Sequence[Postings]) -> Postings:
    return Postings(*(np.concatenate(arrays) for arrays in zip(NOTHING, *parts, strict=True)))


def moved(postings: Postings, places: NDArray[np.int64]) -> Postings:
    """The same entries at other places: `places[old]` is the new one. Entries whose place becomes negative go."""
    found = places[postings.places]
    kept = found >= 0
    return Postings(postings.terms[kept], found[kept], postings.codes[kept])
