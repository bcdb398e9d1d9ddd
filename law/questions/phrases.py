"""Phrases: words in quotation marks, which stand next to each other in this order in what is found.

A mark between two letters belongs to the word (`צה"ל`, `תשנ"ט`, `Shari'a`), so that no phrase begins or ends there.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from law.patterns import regex
from law.words.analysis import MARKS, Term, term_offsets, term_positions, terms
from law.words.spellings import other_spellings
from law.words.term_weights import SparseVector, pairs_vector

_IN_WORD = rf"[\w{MARKS}]"
_MARKS = ('""', "\u05f4\u05f4", "\u201c\u201d\u201e\u201f", "\u00ab\u00bb")  # ״״ “” „‟ «»
_PHRASE = regex(
    "|".join(
        rf"(?<!{_IN_WORD})[{marks}]((?:[^{marks}]|(?<={_IN_WORD})[{marks}](?={_IN_WORD}))+)[{marks}](?!{_IN_WORD})"
        for marks in _MARKS
    )
)
_WORD = regex(r"\w")


@dataclass(frozen=True)
class Phrase:
    """A phrase as it was written, and for each of its words the forms in which it is found."""

    text: str
    words: tuple[tuple[Term, ...], ...]

    @property
    def pairs(self) -> list[SparseVector]:
        """For each word and the next, what the vector of a passage has where they stand side by side."""
        return [pairs_vector(first, second) for first, second in pairwise(self.words)]

    @property
    def stems(self) -> frozenset[str]:
        return frozenset(term.stem for forms in self.words for term in forms)


def find_phrases(query: str) -> tuple[Phrase, ...]:
    """The phrases of a query, each once."""
    written = [_written(match).strip() for match in _PHRASE.finditer(query)]
    return tuple(phrase for text in dict.fromkeys(written) if (phrase := _phrase(text)).words)


def without_marks(query: str) -> str:
    """The query with the words of its phrases, and no phrase."""
    return _PHRASE.sub(_written, query)


def blanked(query: str, filler: str = " ") -> str:
    """The query, of the same length, with a filler for each character of its phrases and their marks."""
    return _PHRASE.sub(lambda match: filler * len(match[0]), query)


def quoted_places(query: str) -> frozenset[int]:
    """The places of the terms of a query that stand in its phrases."""
    phrases = [match.span() for match in _PHRASE.finditer(query)]
    if not phrases:
        return frozenset()
    return frozenset(
        place
        for place, (start, end) in enumerate(term_offsets(query))
        if any(first <= start and end <= last for first, last in phrases)
    )


def _written(match: re.Match[str]) -> str:
    """What is between the marks."""
    return next(filter(None, match.groups()))


def texts_with_phrase(texts: Sequence[str], phrase: Phrase) -> list[bool]:
    """For each text whether it has the words of the phrase next to each other in their order."""
    wanted = [{term.stem for term in forms} for forms in phrase.words]
    return [
        any(_is_at(start, text, found, wanted) for start in range(len(found) - len(wanted) + 1))
        for text, found in zip(texts, term_positions(texts, phrase.stems), strict=True)
    ]


def _phrase(text: str) -> Phrase:
    words = terms(text)
    spellings = list(other_spellings(words).values())
    forms = [(word, *(other for other, stem in spellings if stem == word.stem_hash)) for word in words]
    return Phrase(text, tuple(forms))


def _is_at(first: int, text: str, found: Sequence[tuple[int, int, str]], wanted: Sequence[set[str]]) -> bool:
    """Whether the phrase begins with the first of these places. Between its words there is none in the text."""
    here = found[first : first + len(wanted)]
    if not all(stem in stems for (_, _, stem), stems in zip(here, wanted, strict=True)):
        return False
    return not any(_WORD.search(text, one[1], other[0]) for one, other in pairwise(here))
