"""The entries of posting lists as the rows of chunks give them."""

from collections.abc import Sequence
from typing import Any

import numpy as np

from law.words.term_weights import impact_codes
from search.index.chunk_store import copy_format
from search.index.postgres.segments.postings import NOTHING, Postings

COLUMNS = "cardinality(term_ids), array_send(term_ids), impacts"
_UNKNOWN_IMPACT = impact_codes(np.ones(1)).tobytes()  # of a term of a chunk whose impacts are damaged


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
