"""What a word that nobody knows may have been meant to be: one slip away, or in one word and with a hyphen."""

from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache

from law.languages.scripts import language_of
from law.words.analysis import Term, term_offsets, terms
from law.words.synonyms import Meaning

WEIGHT = 0.9  # of a word as the others write it, beside 1 as the query does
MIN_COMPOUND_LETTERS = 4  # letters of what follows a prefix
MAX_WORDS = 40  # of a query that is read for them
_APOSTROPHES = frozenset("'\u2019")
_VOWELS = frozenset("aeiouh")  # before which a French article loses its own
_HYPHENS = frozenset("-\u2010\u2011")
MIN_LETTERS, MAX_LETTERS = 5, 20  # letters of a word; a slip makes other words of shorter ones
LIKELY = 3.0  # how much likelier than others: two letters that changed places, one that is doubled


@lru_cache(maxsize=200)
def near_words(word: str) -> dict[str, float]:
    """Words that differ by one slip, each with how likely it is. None of a word with signs, or too short or long.

    The first letter stays: few slips are in it, and most words that differ in it are others.
    """
    if not (word.isalpha() and MIN_LETTERS <= len(word) <= MAX_LETTERS):
        return {}
    near: dict[str, float] = {}
    for other, likely in _slips(word, language_of(word).alphabet.casefold()):
        written = _as_written(other)
        near[written] = max(likely, near.get(written, 0.0))
    near.pop(word, None)
    return near


def _slips(word: str, alphabet: str) -> Iterator[tuple[str, float]]:
    for at in range(1, len(word)):
        before, here, after = word[:at], word[at], word[at + 1 :]
        yield before + after, LIKELY if here == before[-1] else 1.0
        if after:
            yield before + after[0] + here + after[1:], LIKELY
        for letter in alphabet:
            yield before + letter + after, 1.0
            yield before + letter + here + after, LIKELY if letter in (before[-1], here) else 1.0
    yield from ((word + letter, LIKELY if letter == word[-1] else 1.0) for letter in alphabet)


def _as_written(word: str) -> str:
    """With final letters at the end alone."""
    folding = language_of(word).folding
    finals = {chr(inner) if isinstance(inner, int) else inner: chr(final) for final, inner in folding.items()}
    word = word.translate(folding)
    return word[:-1] + finals.get(word[-1], word[-1])


def other_writings(text: str, words: Sequence[Term], *, apart: Collection[int] = ()) -> tuple[Meaning, ...]:
    """The words of a query as others join or part them, but for those at the places `apart`. `words` are its terms."""
    if len(words) > MAX_WORDS or not any(
        language.joined_prefixes or language.elisions for language in {language_of(term.word) for term in words}
    ):
        return ()
    places = term_offsets(text)
    found = (*_parted(words), *_joined(text, words, places), *_elided(text, words, places))
    return tuple(one for one in found if not any(place in apart for place in range(one.start, one.end)))


def _meaning(text: str, place: int, words: int = 1) -> Meaning:
    return Meaning(text, tuple(terms(text)), WEIGHT, place, place + words, same=True)


def _parted(words: Sequence[Term]) -> Iterator[Meaning]:
    for place, term in enumerate(words):
        for prefix in language_of(term.word).joined_prefixes.split():
            rest = term.word.removeprefix(prefix)
            if len(term.word) > len(rest) >= MIN_COMPOUND_LETTERS and rest.isalpha():
                yield _meaning(f"{prefix}-{rest}", place)


def _elided(text: str, words: Sequence[Term], places: Sequence[tuple[int, int]]) -> Iterator[Meaning]:
    for place, (start, end) in enumerate(places):
        written = text[start:end]
        elisions = language_of(written).elisions.split()
        before, mark, rest = written[:1].casefold(), written[1:2], written[2:]
        if mark in _APOSTROPHES and before in elisions and rest.isalpha():
            yield _meaning(rest, place)
        elif _may_be_french(written, words[place].word):
            yield from (_meaning(f"{one}'{written}", place) for one in elisions)


def _may_be_french(written: str, word: str) -> bool:
    """Whether it begins with a vowel and is a name, or has an accent."""
    return (
        len(word) >= MIN_COMPOUND_LETTERS
        and word[0] in _VOWELS
        and written.isalpha()
        and (written[0].isupper() or not written.isascii())
    )


def _joined(text: str, words: Sequence[Term], places: Sequence[tuple[int, int]]) -> Iterator[Meaning]:
    for place in range(len(words) - 1):
        (start, before), (after, end) = places[place : place + 2]
        first, second = text[start:before], text[after:end]
        if (
            text[before:after] in _HYPHENS
            and first.isalpha()
            and second.isalpha()
            and language_of(first).joined_prefixes
        ):
            yield _meaning(f"{first}{second}", place, 2)
