"""Which words of a query are shown where they were found."""

from __future__ import annotations

from collections.abc import Iterable

from search.analysis import Term, terms

# Found everywhere and telling nothing; shown as a match they would only hide the words that count.
FUNCTION_WORDS = frozenset(
    term.word
    for term in terms(
        "של על את עם או אם כי לא הוא היא הם הן זה זו זאת אלה כל גם מה מי אל בין לפי יש אין "
        "a an and are as at be by for from how in is it of on or that the this to was what when which who will with"
    )
)


def matched_stems(query: Iterable[Term]) -> frozenset[int]:
    """The stems whose words are to be highlighted: the query's, without function words unless it has nothing else."""
    query = list(query)
    telling = [term for term in query if term.word not in FUNCTION_WORDS]
    return frozenset(term.stem_hash for term in telling or query)
