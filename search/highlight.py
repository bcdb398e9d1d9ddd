"""Which words of a query are shown where they were found."""

from __future__ import annotations

from collections.abc import Iterable

from search.analysis import Term
from search.telling import FUNCTION_WORDS


def matched_stems(query: Iterable[Term]) -> frozenset[int]:
    """The stems whose words are to be highlighted: the query's, without function words unless it has nothing else."""
    query = list(query)
    telling = [term for term in query if term.word not in FUNCTION_WORDS]
    return frozenset(term.stem_hash for term in telling or query)
