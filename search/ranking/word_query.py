"""A query by its words: what each weighs in a scope, and the vector that scores a passage."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise, product
from typing import Any, NamedTuple

from law.words.analysis import Term
from law.words.spellings import SpelledWords, Spellings
from law.words.stop_words import content_terms, query_term_weight
from law.words.synonyms import Meaning
from law.words.term_weights import FIELDS, NOTHING, SparseVector, WeightedField, WeightedTerms, idf, query_vector

MAX_STEMS = 200  # distinct stems of a query that are looked up
WEIGHT_IN_TOPIC = 0.3  # of a word of the topic's own name
SPELLING_WEIGHT = 0.6  # of a word as the query has it, where it may be another word
SAME_WEIGHT = 0.99  # where it is surely the same one


@dataclass(frozen=True)
class TermCounts:
    """How many chunks a scope's topics have, and how many of them hold each stem, by its hash.

    Others hold none, where it `is_whole`: of many new chunks a sample is counted. `read` is what the engine met on the
    way, for its own use when it looks for candidates.
    """

    chunks: int
    by_stem: Mapping[int, int]
    read: Any = field(default=None, compare=False, repr=False)
    is_whole: bool = field(default=True, compare=False)


class QueryTerm(NamedTuple):
    """A stem to be found, of the query or of another spelling: its hash, its weight, and how many chunks hold it."""

    stem: int
    weight: float
    frequency: int


Word = Sequence[QueryTerm]  # what any of them stands for: first the stem of the query, then spellings and meanings


@dataclass(frozen=True)
class WordQuery:
    """A query against the passages of a scope: the vector that scores them, and the terms by which they are found.

    `frequencies` tell of each stem of the query in how many chunks it is, in any spelling. `meanings` are those all of
    whose words the scope's topics have. `little` are the stems of the query that the topic is called by. `read` is that
    of the counts.
    """

    vector: SparseVector = NOTHING
    terms: Sequence[QueryTerm] = ()
    frequencies: Mapping[int, int] = field(default_factory=dict)
    chunks: int = 0
    meanings: Sequence[Meaning] = ()
    little: frozenset[int] = frozenset()
    read: Any = field(default=None, compare=False, repr=False)

    @property
    def known_share(self) -> float:
        """The share of the query's words, from 0 to 1, that some passage has."""
        held = self.frequencies.values()
        return sum(count > 0 for count in held) / len(held) if held else 1.0


def stems_to_count(query: SpelledWords, meanings: Sequence[Meaning] = ()) -> list[int]:
    """The stems whose counts `query_weights` needs, as hashes: of the query, its other spellings and its meanings."""
    stems = _stems(query)
    meant = (term.stem_hash for meaning in meanings for term in meaning.terms)
    return list(dict.fromkeys([*stems, *_spellings(query, stems), *meant]))


def weigh(
    query: SpelledWords,
    counts: TermCounts,
    meanings: Sequence[Meaning] = (),
    *,
    topic_stems: Collection[int] = frozenset(),
    fields: Sequence[WeightedField] = FIELDS,
) -> WordQuery:
    """The query's words weighed by how rare they are. Another spelling of a word weighs no more than the word.

    Where it surely is the same word, both are as rare as they are together, and weigh alike in each field.

    `topic_stems`, of the topic's own name, weigh little: all of its documents are about them. `fields` say what a word
    weighs in each part of a passage.
    A word of a meaning weighs as it would in the query, times the weight of the meaning. Together they weigh no more
    than the words that they stand for.
    """
    stems = _stems(query)
    count = Counter(counts.by_stem)
    spellings = {one: meant for one, meant in _spellings(query, stems).items() if count[one]}
    little = frozenset(topic_stems).intersection(stems)
    same = {
        stem: [one for one in spelled if one.stem_hash in spellings]
        for stem, spelled in query.same.items()
        if stem in stems
    }
    together = {stem: count[stem] + sum(count[one.stem_hash] for one in same.get(stem, ())) for stem in stems}
    rarity = {stem: idf(together[stem], counts.chunks) * (WEIGHT_IN_TOPIC if stem in little else 1.0) for stem in stems}
    told: dict[int, float] = {}
    for term in query.terms:
        told[term.stem_hash] = max(told.get(term.stem_hash, 0.0), query_term_weight(term.word))
    weights = {stem: told[stem] * rare for stem, rare in rarity.items()}
    frequencies = {stem: count[stem] for stem in stems}
    for spelling, (_, stem) in spellings.items():
        weights[spelling] = SPELLING_WEIGHT * min(idf(count[spelling], counts.chunks), weights[stem])
        frequencies[stem] += count[spelling]
    as_rare = {one.stem_hash: SAME_WEIGHT * rarity[stem] for stem, spelled in same.items() for one in spelled}
    weights |= {one.stem_hash: SAME_WEIGHT * weights[stem] for stem, spelled in same.items() for one in spelled}
    # No pairs: they do not stand side by side, but for words that are anywhere in the query.
    parts = [WeightedTerms(query.terms, rarity, fields)]
    if spellings:
        singly = [one.without_pairs for one in fields]
        parts.append(WeightedTerms([spelling for spelling, _ in spellings.values()], weights, singly))
    if pairs := [*_pairs(query.terms, same)] if same else ():
        paired = [one.of_pairs for one in fields]
        both = rarity | as_rare
        parts += [WeightedTerms(pair, both, paired) for pair in pairs]
    there = [one for one in meanings if not counts.is_whole or all(count[term.stem_hash] for term in one.terms)]
    for meaning in there:
        added = _added_by(meaning, query.terms, counts, known=weights)
        parts.append(WeightedTerms(meaning.terms, added, fields))
        new = (term for term in meaning.terms if term.stem_hash in added)
        weights |= {term.stem_hash: added[term.stem_hash] * query_term_weight(term.word) for term in new}
    return WordQuery(
        vector=query_vector(*parts),
        terms=[QueryTerm(stem, weight, count[stem]) for stem, weight in weights.items()],
        frequencies=frequencies,
        chunks=counts.chunks,
        meanings=there,
        little=little,
        read=counts.read,
    )


def content_words(query: SpelledWords, weighed: WordQuery) -> list[Word]:
    """The words of the query that say what is asked about, each once. `weighed` is what `query_weights` made of it.

    Of a meaning the rarest word stands for all.
    """
    by_stem = {term.stem: term for term in weighed.terms}
    words = {term.stem_hash: [by_stem[term.stem_hash]] for term in query.content if term.stem_hash in by_stem}
    for spelling, (_, stem) in query.spellings.items():
        if spelling in by_stem and stem in words:
            words[stem].append(by_stem[spelling])
    for meaning in weighed.meanings:
        rarest = min((by_stem[term.stem_hash] for term in content_terms(meaning.terms)), key=lambda one: one.frequency)
        for stem in {term.stem_hash for term in query.terms[meaning.start : meaning.end]}.intersection(words):
            words[stem].append(rarest)
    return list(words.values())


def _stems(query: SpelledWords) -> list[int]:
    return list(dict.fromkeys(term.stem_hash for term in query.terms))[:MAX_STEMS]


def _spellings(query: SpelledWords, stems: Iterable[int]) -> Spellings:
    kept = set(stems)
    return {one: meant for one, meant in query.spellings.items() if meant[1] in kept}


def _pairs(query: Sequence[Term], same: Mapping[int, Sequence[Term]]) -> Iterator[tuple[Term, Term]]:
    """The words that stand side by side, where one or both are spelled as the query does not have them."""
    for pair in dict.fromkeys(pairwise(query)):
        first, second = ((term, *same.get(term.stem_hash, ())) for term in pair)
        yield from (other for other in product(first, second) if other != pair)


def _added_by(
    meaning: Meaning, query: Sequence[Term], counts: TermCounts, *, known: Collection[int]
) -> dict[int, float]:
    """What the stems of a meaning weigh, by their hashes, of those that are not looked for already."""
    said, meant = (_rarity(words, counts) for words in (query[meaning.start : meaning.end], meaning.terms))
    weight = meaning.weight * min(1.0, sum(said.values()) / sum(meant.values()))
    return {stem: weight * rare for stem, rare in meant.items() if stem not in known}


def _rarity(words: Iterable[Term], counts: TermCounts) -> dict[int, float]:
    stems = {term.stem_hash for term in words}
    return {stem: idf(counts.by_stem.get(stem, 0), counts.chunks) for stem in stems}
