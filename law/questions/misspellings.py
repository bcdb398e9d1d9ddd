"""What a word that nobody knows may have been meant to be: one slip of the keyboard away."""

from collections.abc import Iterator
from functools import lru_cache

from law.languages.scripts import language_of

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
