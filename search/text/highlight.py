"""Which words of a query are shown where they were found."""

from __future__ import annotations

from collections.abc import Iterable

from search.text.analysis import Term
from search.text.spellings import other_spellings, stems_of
from search.text.stop_words import FUNCTION_WORDS


def matched_stems(query: Iterable[Term]) -> frozenset[str]:
    """The stems whose words are to be highlighted, in any spelling.

    Without function words, unless the query has nothing else: shown as a match they would hide the words that count.
    """
    query = list(query)
    shown = [term for term in query if term.word not in FUNCTION_WORDS] or query
    return stems_of(shown, other_spellings(query))
