"""Whether a name is a part of a title that names its act all the same."""

from collections.abc import Iterable
from itertools import pairwise

from law.citations.titles import Title, TitleWord, align, of_one_year, parse_title, title_similarity
from law.patterns import regex
from law.structure.lines.headings import UNITS
from law.words.analysis import Term

MIN_LENGTH = 2  # words
SURELY_LENGTH = 3  # words that the end of a title has without its year
_CUT_SHORT = regex(r"([^\W\d_]{2,})\.")
_ABBREVIATED = regex(r"(?<![^\W_])[^\W\d_]{1,8}\. ?(?=[^\W\d_])")
_INITIALS = regex(r"(?:[^\W\d_]\. ?){2,4}(?=[^\W\d_]{2})")


class PartName:
    """A name that may be a part of a title: its end, words cut short, or a code of which the document is a part."""

    def __init__(self, name: str) -> None:
        self._title = parse_title(name)
        self._cut = {word.casefold() for word in _CUT_SHORT.findall(name)}
        initials = _INITIALS.match(name)
        self._initials = initials[0].casefold().replace(".", " ").split() if initials and initials[0].isupper() else []
        # `N.Y. Alco. Bev. Cont. Law`: most titles do not say which land they are of
        self._words = [word for word in self._title.required if len(word.term.word) > 1]

    @property
    def whole(self) -> list[Term]:
        """The words that are not cut short: each title that it may mean has them."""
        return [word.term for word in self._words if word.term.word not in self._cut]

    def may_mean(self, title: Title) -> bool:
        if len(self._words) < MIN_LENGTH or of_one_year(title, self._title.year, self._title.calendar) is False:
            return False
        is_whole = bool(self._cut) and self._has_all(title.required)
        is_called = bool(title.called) and self._has_all(title.called)
        return is_whole or is_called or self._is_end(title) or self.is_code(title) or self._is_of_land(title)

    def _is_of_land(self, title: Title) -> bool:
        """`N.Y. Penal Law` of `New York Penal Law`."""
        length = len(self._initials)
        land, rest = title.required[:length], title.required[length:]
        return (
            0 < length == len(land)
            and self._has_all(rest)
            and all(word.term.word.startswith(letter) for word, letter in zip(land, self._initials, strict=True))
        )

    def _is_end(self, title: Title) -> bool:
        """`Fish Act, 1950` of `Conservation of Fish Act, 1950`."""
        length = len(self._words)
        is_telling = length >= SURELY_LENGTH or bool(self._title.year and title.year)
        return is_telling and length < len(title.required) and self._has_all(title.required[-length:])

    def is_code(self, title: Title) -> bool:
        """`Oxbow Code` of `Oxbow Code of Ordinances, Chapter 1 Carts`."""
        found = align(self._words, title.words, self._is_same)
        return found.said == len(self._words) and is_part(title.words[found.titled :])

    def _has_all(self, words: list[TitleWord]) -> bool:
        found = align(self._words, words, self._is_same)
        return found.said == len(self._words) and found.titled == len(words)

    def _is_same(self, word: Term, said: Term) -> float:
        is_beginning = said.word in self._cut and word.word.startswith(said.word)
        return float(is_beginning) or title_similarity(word, said)


def is_part(words: Iterable[TitleWord]) -> bool:
    """Whether words of a title say that it is of a part of a code: `Oxbow Code of Ordinances, Chapter 1 Carts`."""
    bare = (word.term.word for word in words)
    return any(word in UNITS and number[0].isdigit() for word, number in pairwise(bare))


def is_cut_short(name: str) -> bool:
    """Whether words of a name are cut short: `N.Y. Alco. Bev. Cont. Law`."""
    return _ABBREVIATED.search(name) is not None
