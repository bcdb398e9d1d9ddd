"""Words of a query that mean others: everyday words and those of statutes. Met in any form, the longest first."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from law.languages.scripts import language_of
from law.words.analysis import Term, terms
from law.words.stop_words import content_terms, is_content_word
from law.words.stored import DEFAULT_WEIGHT

MAX_MEANINGS = 24  # of one query: each is more to look for


@dataclass(frozen=True)
class SynonymEntry:
    """Words and phrases, what each of them may mean, and what a word of a meaning counts, from 0 to 1."""

    words: tuple[str, ...]
    means: tuple[str, ...]
    weight: float = DEFAULT_WEIGHT
    field: str = ""


@dataclass(frozen=True)
class Meaning:
    """Other words for the terms of a query from `start` to `end`. `text` is how people read them.

    `same` says that they are the same words, as others write them.
    """

    text: str
    terms: tuple[Term, ...]
    weight: float
    start: int
    end: int
    same: bool = False

    @property
    def stems(self) -> frozenset[str]:
        """Of the words that tell something."""
        return frozenset(term.stem for term in content_terms(self.terms))


@dataclass(frozen=True)
class _Phrase:
    """Words of an entry, the first apart, and what they mean with the weights."""

    first: Term
    rest: tuple[Term, ...]
    means: Mapping[str, float]


class Layer:
    """Entries, by what the first of their words may come from."""

    def __init__(self, entries: Iterable[SynonymEntry]) -> None:
        self._phrases: dict[str, list[_Phrase]] = {}
        for entry in entries:
            means = dict.fromkeys(entry.means, entry.weight)
            for words in filter(None, map(_terms, entry.words)):
                phrase = _Phrase(words[0], words[1:], means)
                for key in _keys(words[0]) | _spoken_forms(words[0]):
                    self._phrases.setdefault(key, []).append(phrase)
        self.beginning = lru_cache(maxsize=5_000)(self._find_beginning)

    def _find_beginning(self, word: Term) -> list[_Phrase]:
        """The phrases that begin with a word, in any form."""
        known = {id(one): one for key in _keys(word) for one in self._phrases.get(key, ())}
        any_form = is_content_word(word.word)  # small words are no forms of others
        return [one for one in known.values() if one.first.word == word.word or (any_form and is_form(one.first, word))]


class SynonymTable:
    """Layers of entries, the general ones first.

    What a later one says of some words stands in place of what the earlier ones say of them. With a weight of 0 the
    words mean nothing else.
    """

    def __init__(self, layers: Iterable[Layer]) -> None:
        self._layers = tuple(layers)

    def meanings(self, query: Sequence[Term], *, apart: frozenset[int] = frozenset()) -> tuple[Meaning, ...]:
        """What the words of a query also mean, except those whose places are in `apart`. The heaviest if too many."""
        asked = {term.stem_hash for term in query}
        found: list[Meaning] = []
        place = 0
        while place < len(query):
            end, means = self._at(query, place)
            if apart.isdisjoint(range(place, end)):
                said = [Meaning(text, _terms(text), weight, place, end) for text, weight in means.items() if weight]
                found += [one for one in said if not asked.issuperset(term.stem_hash for term in one.terms)]
            place = end
        return tuple(sorted(found, key=lambda one: -one.weight)[:MAX_MEANINGS])

    def _at(self, query: Sequence[Term], place: int) -> tuple[int, Mapping[str, float]]:
        """Where the longest phrase of an entry that begins at a place ends, and what it means, or the next place."""
        found = [
            (1 + len(one.rest), number, one)
            for number, layer in enumerate(self._layers)
            for one in layer.beginning(query[place])
            if not one.rest or are_same(one.rest, query[place + 1 : place + 1 + len(one.rest)])
        ]
        if not found:
            return place + 1, {}
        length, last = max((length, number) for length, number, _ in found)
        return place + length, _merged(one.means for *which, one in found if which == [length, last])


def are_same(words: Sequence[Term], others: Sequence[Term]) -> bool:
    """Whether the others are these words in any form."""
    return len(words) == len(others) and all(map(is_form, words, others))


@lru_cache(maxsize=50_000)
def is_form(base: Term, word: Term) -> bool:
    """Whether a word is the base in some form. Where stems join unrelated words, the language is asked."""
    language = language_of(base.word)
    if base.word == word.word or not language.joins_unrelated_words:
        return base.stem == word.stem
    folded, base_word = word.word.translate(language.folding), base.word.translate(language.folding)
    return language.is_form_of(folded, base_word) or folded in _spoken_forms(base)


@lru_cache(maxsize=10_000)
def _keys(term: Term) -> frozenset[str]:
    """Two words of which one is a form of the other have one of these in common."""
    language = language_of(term.word)
    if not language.joins_unrelated_words:
        return frozenset({term.stem})
    return frozenset(language.form_keys(term.word.translate(language.folding)))


@lru_cache(maxsize=10_000)
def _spoken_forms(term: Term) -> frozenset[str]:
    return frozenset(language_of(term.word).spoken_forms(term.word))


def _merged(meanings: Iterable[Mapping[str, float]]) -> Mapping[str, float]:
    """Of several entries for the same words each meaning, with its greatest weight."""
    merged: dict[str, float] = {}
    for means in meanings:
        merged |= {text: max(weight, merged.get(text, 0.0)) for text, weight in means.items()}
    return merged


@lru_cache(maxsize=10_000)
def _terms(text: str) -> tuple[Term, ...]:
    return tuple(terms(text))
