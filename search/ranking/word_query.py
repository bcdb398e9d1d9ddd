"""A query by its words: what each is worth in a scope, and the vector that scores a passage."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from search.ranking.term_weights import FIELDS, NOTHING, SparseVector, add, idf, query_vector
from search.text.analysis import Term
from search.text.spellings import Spellings, other_spellings
from search.text.stop_words import content_terms, worth

MOST_STEMS = 200  # distinct stems of a query that are looked up
SPELLING_WORTH = 0.6  # of a word as the query has it
_SINGLY = [replace(field, pair_weight=0.0) for field in FIELDS]


@dataclass(frozen=True)
class TermCounts:
    """How many chunks a scope's topics have, and how many of them hold each stem, by its hash; others hold none."""

    chunks: int
    by_stem: Mapping[int, int]


@dataclass(frozen=True)
class QueryTerm:
    """A stem to be found, of the query or of another spelling: its hash, its worth, and how many chunks hold it."""

    stem: int
    worth: float
    frequency: int


Word = Sequence[QueryTerm]  # what any of them stands for: first the stem of the query, then its other spellings


@dataclass(frozen=True)
class WordQuery:
    """A query against the passages of a scope: the vector that scores them, and the terms by which they are found.

    `frequencies` tell of each stem of the query in how many chunks it is, in any spelling.
    """

    vector: SparseVector = NOTHING
    terms: Sequence[QueryTerm] = ()
    frequencies: Mapping[int, int] = field(default_factory=dict)
    chunks: int = 0


def stems_to_count(query: Sequence[Term]) -> list[int]:
    """The hashes of the stems whose counts `weigh` needs: the query's and those of its other spellings."""
    stems = _stems(query)
    return [*stems, *_spellings(query, stems)]


def weigh(query: Sequence[Term], counts: TermCounts) -> WordQuery:
    """The query's words weighed by how rare they are; another spelling of a word weighs no more than the word."""
    stems = _stems(query)
    count = Counter(counts.by_stem)
    spellings = {one: meant for one, meant in _spellings(query, stems).items() if count[one]}
    rarity = {stem: idf(count[stem], counts.chunks) for stem in stems}
    told: dict[int, float] = {}
    for term in query:
        told[term.stem_hash] = max(told.get(term.stem_hash, 0.0), worth(term.word))
    worths = {stem: told[stem] * rare for stem, rare in rarity.items()}
    frequencies = {stem: count[stem] for stem in stems}
    for spelling, (_, stem) in spellings.items():
        worths[spelling] = SPELLING_WORTH * min(idf(count[spelling], counts.chunks), worths[stem])
        frequencies[stem] += count[spelling]
    # No pairs: they do not stand side by side, but for words that are anywhere in the query.
    otherwise = query_vector([spelling for spelling, _ in spellings.values()], worths, fields=_SINGLY)
    return WordQuery(
        vector=add(query_vector(query, rarity), otherwise),
        terms=[QueryTerm(stem, worth, count[stem]) for stem, worth in worths.items()],
        frequencies=frequencies,
        chunks=counts.chunks,
    )


def telling_words(query: Sequence[Term], weighed: WordQuery) -> list[Word]:
    """The words of the query that say what is asked about, each once; `weighed` is what `weigh` made of it."""
    by_stem = {term.stem: term for term in weighed.terms}
    words = {term.stem_hash: [by_stem[term.stem_hash]] for term in content_terms(query) if term.stem_hash in by_stem}
    for spelling, (_, stem) in other_spellings(query).items():
        if spelling in by_stem and stem in words:
            words[stem].append(by_stem[spelling])
    return list(words.values())


def _stems(query: Sequence[Term]) -> list[int]:
    return list(dict.fromkeys(term.stem_hash for term in query))[:MOST_STEMS]


def _spellings(query: Sequence[Term], stems: Iterable[int]) -> Spellings:
    kept = set(stems)
    return {one: meant for one, meant in other_spellings(query).items() if meant[1] in kept}
