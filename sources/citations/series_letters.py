"""Whether a number is one of another series: `S 63/2014` is not `L.N. 63/2014`."""

import re
from collections.abc import Iterable, Sequence

from law.citations.unread import numbers_of_series
from law.words.abbreviations import SIGN
from law.words.stop_words import FUNCTION_WORDS
from sources.citations.source_keys import NUMBER_NOUNS, identifier_words

_LETTERS = re.compile(r"[^\W\d_]+")
_MIN_BEGINNING = 3  # letters of a word that is cut short


class SeriesOfText:
    """The series of which a text says that its numbers are, by the words or letters before them."""

    def __init__(self, text: str) -> None:
        self._said = [identifier_words(name) for name in numbers_of_series(text)]

    def is_another(self, found: Iterable[str], keys: Sequence[str]) -> bool:
        """Whether a document with these keys, of which a text gives those `found`, is numbered in another series.

        It is where the text gives its number alone of it, and words before it that the document's own number has not.
        """
        numbers = [key for key in found if not key.startswith(SIGN)]
        if not numbers or any(map(_LETTERS.search, numbers)):
            return False
        own = {letters for key in keys for letters in _series(key.split(), numbers)}
        said = {letters for words in self._said for letters in _series(words, numbers)}
        return bool(own and said) and not any(_is_same(one, other) for one in own for other in said)


def _series(words: Sequence[str], numbers: Sequence[str]) -> set[str]:
    """The words and letters beside one of the numbers, if these words have one."""
    if not any(number in words or word.endswith(f"-{number}") for number in numbers for word in words):
        return set()
    letters = {letters for word in words for letters in _LETTERS.findall(word)}
    return {one for one in letters if one not in NUMBER_NOUNS and one not in FUNCTION_WORDS}


def _is_same(one: str, other: str) -> bool:
    shorter, longer = sorted((one, other), key=len)
    return one == other or (len(shorter) >= _MIN_BEGINNING and longer.startswith(shorter))
