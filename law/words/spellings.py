"""Words of a query as others spell them (`רישיון` is `רשיון` in older laws), and which of them are highlighted."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache

from law.languages.scripts import language_of
from law.words.analysis import Place, Term, hash_text, terms
from law.words.stop_words import FUNCTION_WORDS, content_terms

MIN_RESPELLED_LENGTH = 4  # letters of a stem; shorter ones turn into other words
MAX_SPELLINGS = 150

Spellings = Mapping[int, tuple[Term, int]]
"""By the hash of its stem: each spelling that the query does not have, and the hash of the stem it stands for."""


@dataclass(frozen=True)
class SpelledWords:
    """The words of a query in their order, and how others spell them.

    A search finds passages, weighs them and shows their words by these. Each part is read when it is first asked for.
    """

    terms: Sequence[Term]

    @cached_property
    def content(self) -> Sequence[Term]:
        """Those that say what is asked about."""
        return content_terms(self.terms)

    @cached_property
    def spellings(self) -> Spellings:
        """The other spellings of `content`, at most `MAX_SPELLINGS`."""
        asked = {term.stem_hash for term in self.terms}
        found: dict[int, tuple[Term, int]] = {}
        for term in self.content:
            for spelling in (*_same(term.word), *_spellings(term.stem)):
                if spelling.stem_hash not in asked and len(found) < MAX_SPELLINGS:
                    found.setdefault(spelling.stem_hash, (spelling, term.stem_hash))
        return found

    @cached_property
    def same(self) -> Mapping[int, Sequence[Term]]:
        """By the hash of its stem: what surely is the same word, in a spelling that the query does not have."""
        found: dict[int, list[Term]] = {}
        for term in dict.fromkeys(self.terms):
            for spelling in _same(term.word):
                if self.spellings.get(spelling.stem_hash, (None, 0))[1] == term.stem_hash:
                    found.setdefault(term.stem_hash, []).append(spelling)
        return found

    @cached_property
    def by_stem(self) -> Mapping[str, frozenset[str]]:
        """The words by their stems, and by those of their other spellings."""
        asked: dict[str, set[str]] = {}
        for term in self.terms:
            asked.setdefault(term.stem, set()).add(term.word)
        by_hash = {term.stem_hash: term.stem for term in self.terms}
        for spelling, stands_for in self.spellings.values():
            asked.setdefault(spelling.stem, set()).update(asked[by_hash[stands_for]])
        return {stem: frozenset(words) for stem, words in asked.items()}

    @cached_property
    def matched_stems(self) -> frozenset[str]:
        """The stems whose words are to be highlighted, in any spelling.

        Without function words, unless the query has nothing else: shown as a match they would hide the words that
        count.
        """
        shown = [term for term in self.terms if term.word not in FUNCTION_WORDS] or self.terms
        return stems_of(shown, self.spellings)


def stems_of(query: Iterable[Term], spellings: Spellings) -> frozenset[str]:
    """The stems of the query and of its other spellings."""
    return frozenset([term.stem for term in query] + [spelling.stem for spelling, _ in spellings.values()])


@lru_cache(maxsize=50_000)
def _same(word: str) -> tuple[Term, ...]:
    return tuple(term for other in language_of(word).full_or_short(word) for term in terms(other))


@lru_cache(maxsize=50_000)
def _spellings(stem: str) -> tuple[Term, ...]:
    if len(stem) < MIN_RESPELLED_LENGTH:
        return ()
    return tuple(map(_as_term, language_of(stem).other_spellings(stem)))


def _as_term(stem: str) -> Term:
    stem_hash = hash_text(stem)
    return Term(stem, stem, stem_hash, stem_hash)


def shown(asked: Mapping[str, frozenset[str]], text: str, found: Iterable[Place]) -> list[tuple[int, int]]:
    """Of the places with one of `matched_stems` those with a word of the query or a form of it, by its `by_stem`.

    A stem may join other words too. What no word of the query has, such as the stem of a synonym, is kept.
    """
    return [(start, end) for start, end, stem in found if stem not in asked or _is_shown(text[start:end], asked[stem])]


@lru_cache(maxsize=50_000)
def _is_shown(written: str, asked: frozenset[str]) -> bool:
    [term] = terms(written)
    return term.word in asked or any(language_of(word).is_shown_for(term.word, word) for word in asked)


def discriminative_stems(stems: frozenset[str], *, name: frozenset[str], names: bool) -> frozenset[str]:
    """Those of a query's stems that tell one passage of a document from another: not those of its name.

    `name` is what `matched_stems` says of it. Where no others are, words of it are asked for and all of them are told,
    unless the query `names` the document or a section of it.
    """
    told = stems - name
    return told if told or names else stems
