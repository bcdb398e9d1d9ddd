"""Phrases of a query, and what looks like an operator and is none here: `NOT`, a minus before a word, `title:`.

Phrases are words in quotation marks, which stand next to each other in this order in what is found.

A mark between two letters belongs to the word (`צה"ל`, `תשנ"ט`, `Shari'a`), so that no phrase begins or ends there.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from law.patterns import regex
from law.words.analysis import MARKS, Term, term_offsets, term_positions, terms
from law.words.spellings import SpelledWords
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
WORDS = ("NOT", "AND", "OR", "NEAR")
FIELD = ":"  # behind the name of a field, as in `title:lease`
SIGNS = (*WORDS, "-", "*", "|", "&", "+", FIELD)
SHOUTED = 3  # words in capitals beside it, with which `NOT` is a word of a sentence
_JOINING = r"(?<=[\w\")]\s)(?:AND|OR|NEAR(?:/\d{1,3})?|\|{1,2}|&&)(?=\s+[\w\"(-])"
_NOT = r"(?<![^\s(])NOT(?=[\s(-]+[\w\"])"
# Not in a number, a date or a word with a hyphen, nor the dash before a year in letters (`-תשמ"א`).
_MINUS = r"(?<=\s)-(?=[^\W\d_]|\"|\()(?![^\W\d_]+[\"״”]\w)"
_PLUS = r"(?<!\S)\+(?=[^\W\d_]|\"|\()"
_FIELD = r"(?<!\S)[a-z_]{2,12}:(?=[^\W\d_]|\"|\()"
_STAR = r"(?<!\*)(?:(?<=[^\W\d_])\*|\*(?=[^\W\d_]))(?!\*)|^\*$"
_OPERATOR = regex("|".join([_NOT, _JOINING, _MINUS, _PLUS, _FIELD, _STAR]))
_CASED = regex(r"[A-Za-z]{2,}")


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
    spellings = list(SpelledWords(words).spellings.values())
    forms = [(word, *(other for other, stem in spellings if stem == word.stem_hash)) for word in words]
    return Phrase(text, tuple(forms))


def _is_at(first: int, text: str, found: Sequence[tuple[int, int, str]], wanted: Sequence[set[str]]) -> bool:
    """Whether the phrase begins with the first of these places. Between its words there is none in the text."""
    here = found[first : first + len(wanted)]
    if not all(stem in stems for (_, _, stem), stems in zip(here, wanted, strict=True)):
        return False
    return not any(_WORD.search(text, one[1], other[0]) for one, other in pairwise(here))


@dataclass(frozen=True)
class Operators:
    """Those of a query: each sign once, in their order, and the query with blanks in their places."""

    signs: tuple[str, ...]
    words: str


def find_operators(query: str) -> Operators:
    """What stands in a phrase is a part of it, and no operator."""
    outside = blanked(query, '"')
    found = list(_OPERATOR.finditer(outside))
    cased = [word for word in _CASED.findall(outside) if word not in WORDS]
    if len(cased) >= SHOUTED and all(map(str.isupper, cased)):  # a sentence in capitals, so that they say nothing
        found = [match for match in found if _sign(match[0]) not in WORDS]
    words = query
    for match in found:
        words = f"{words[: match.start()]}{' ' * len(match[0])}{words[match.end() :]}"
    return Operators(tuple(dict.fromkeys(_sign(match[0]) for match in found)), words)


def _sign(written: str) -> str:
    """Which of `SIGNS` it is."""
    if written.endswith(FIELD):
        return FIELD
    return written[0] if written[0] in "|&" else written.partition("/")[0]
