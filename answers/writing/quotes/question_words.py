"""How much of a question's words a text holds, in any form in which a language writes them."""

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field
from functools import cached_property, lru_cache

from law.languages.scripts import language_of
from law.questions.asked_acts import asked_verb, is_general
from law.words.analysis import Term, term_offsets, terms
from law.words.stop_words import content_terms, is_content_word
from law.words.synonyms import is_form
from search.ranking.term_coverage import OTHER_FORM, Weights

TELLING = 0.5  # of what the heaviest word of a question is worth: its lack is told
MIN_KEY = 3  # letters that two forms of a word have in common, without its beginning and its ending


@dataclass(frozen=True)
class WeighedQuestion:
    """The words of a question, what each is worth, and what they mean too. It remembers the forms that it has met."""

    text: str
    weights: Weights
    _met: dict[str, int] = field(default_factory=dict, compare=False, repr=False)
    _met_meant: dict[str, frozenset[Term]] = field(default_factory=dict, compare=False, repr=False)

    def __len__(self) -> int:
        return len(self.weights.by_stem)

    def beside(self, held: Iterable[Term]) -> "WeighedQuestion":
        """The words that these terms of a text are not, if there are others."""
        return WeighedQuestion(self.text, self.weights.without(self.stems_of(held)), self._met, self._met_meant)

    def share(self, held: Iterable[Term]) -> float:
        """The share, from 0 to 1, of the weight of all words that these terms of a text hold."""
        whole = sum(self.weights.by_stem.values())
        return sum(self._held(held).values()) / whole if whole else 0.0

    def count(self, held: Iterable[Term]) -> int:
        """How many of the words these terms of a text hold."""
        return len(self._held(held))

    def holds_any(self, held: Iterable[Term], groups: Collection[frozenset[int]]) -> bool:
        """Whether these terms of a text hold all words of one of these groups of stems, or there is no group."""
        return not groups or any(map(self._held(held).keys().__ge__, groups))

    def missing(self, held: Iterable[Term]) -> list[str]:
        """The telling words, as they were asked with and in their order, that these terms of a text do not hold.

        No general word is told, nor one that may be of one root with one of these.
        """
        held = list(held)
        by_stem, found = self.weights.by_stem, self._held(held)
        roots = frozenset(root for term in held for root in _roots(term.word))
        least = TELLING * max(by_stem.values(), default=0.0)
        missing = {stem for stem, weight in by_stem.items() if weight >= least and stem not in found}
        words = zip(terms(self.text), term_offsets(self.text), strict=True)
        told = [place for term, place in words if self.stem_of(term) in missing and self._is_telling(term, roots)]
        return list(dict.fromkeys(self.text[slice(*place)] for place in told))

    @staticmethod
    def _is_telling(word: Term, roots: frozenset[str]) -> bool:
        return is_content_word(word.word) and not is_general(word) and roots.isdisjoint(_roots(word.word))

    def _held(self, held: Iterable[Term]) -> dict[int, float]:
        by_stem = self.weights.by_stem
        best: dict[int, float] = {}
        meant: set[Term] = set()
        for term in held:
            meant |= self._terms_of_meanings(term)
            stem = self.stem_of(term)
            if stem is not None and stem in by_stem:
                same = term.word_hash in self.weights.words or not language_of(term.word).joins_unrelated_words
                best[stem] = max(best.get(stem, 0.0), by_stem[stem] * (1.0 if same else OTHER_FORM))
        for stems, weight, words in self._meanings:
            if words <= meant:
                best |= {stem: max(best.get(stem, 0.0), by_stem[stem] * weight) for stem in stems}
        return best

    def _terms_of_meanings(self, term: Term) -> frozenset[Term]:
        """The words of what the question means too that a word is a form of."""
        if term.word not in self._met_meant:
            words = {word for _, _, words in self._meanings for word in words}
            self._met_meant[term.word] = frozenset(word for word in words if is_form(word, term))
        return self._met_meant[term.word]

    @cached_property
    def _meanings(self) -> list[tuple[frozenset[int], float, frozenset[Term]]]:
        """Words of the question that mean others too, what these count beside them, and the telling ones of these."""
        known = self.weights.by_stem.keys()
        return [
            (stems & known, one.weight, frozenset(content_terms(one.terms)))
            for stems, one in self.weights.meanings
            if stems & known
        ]

    def stem_of(self, term: Term) -> int | None:
        """The stem of the question that a word stands for, by its hash, if any: `לאחר` for no `אחריות`."""
        is_own = term.word_hash in self.weights.words or term.word in self.text
        if not is_own and not is_content_word(term.word):
            return None
        known = self.weights.spellings.get(term.stem_hash, term.stem_hash)
        if known in self.weights.by_stem:
            return known
        if term.word not in self._met:
            self._met[term.word] = self._found(term)
        return self._met[term.word] or None

    def stems_of(self, held: Iterable[Term]) -> frozenset[int]:
        """Those of the question that these terms stand for."""
        return frozenset(found for term in held if (found := self.stem_of(term)) is not None)

    def _found(self, term: Term) -> int:
        language = language_of(term.word)
        if not language.joins_unrelated_words or len(term.word) <= MIN_KEY:
            return 0
        keys = _keys_of(term.word)
        common = [(len(key), stem) for key in keys if len(key) >= MIN_KEY and (stem := self._keys.get(key))]
        return max(common, default=(0, 0))[1]

    @cached_property
    def _keys(self) -> dict[str, int]:
        """What the words of the question may come from."""
        verb = asked_verb(self.text)
        return {
            key: term.stem_hash
            for term in terms(self.text)
            if term.stem_hash in self.weights.by_stem
            for key in _keys_of(term.word, is_verb=term.word == verb)
            if len(key) > MIN_KEY
        }


def _keys_of(word: str, *, is_verb: bool = False) -> set[str]:
    language = language_of(word)
    word = word.translate(language.folding)
    return language.form_keys(word) | language.verb_forms(word, is_verb=is_verb)


@lru_cache(maxsize=20_000)
def verb_keys(word: str) -> frozenset[str]:
    """What a verb has in common with its other forms, in a language whose stems join unrelated words."""
    if not language_of(word).joins_unrelated_words:
        return frozenset()
    return frozenset(key for key in _keys_of(word, is_verb=True) if len(key) >= MIN_KEY)


@lru_cache(maxsize=20_000)
def _roots(word: str) -> frozenset[str]:
    return frozenset(language_of(word).roots(word))
