"""Text to terms: one analysis for documents, queries and highlights."""

import unicodedata
from collections.abc import Collection, Iterable, Sequence
from functools import lru_cache
from hashlib import blake2b
from typing import NamedTuple

from law.languages import LANGUAGES
from law.languages.scripts import language_of
from law.patterns import regex

# Combining accents, and what the languages have besides.
MARKS = "\u0300-\u036f" + "".join(language.marks for language in LANGUAGES)
# What nobody sees and copying brings along: soft hyphens, marks of direction, blanks without width.
INVISIBLE = "\xad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff"
# Straight and curly quotes and the languages' own: inside a word they are part of it (Shari'a).
QUOTES = "\"'\u2018\u2019\u201c\u201d\u201e" + "".join(language.quotes for language in LANGUAGES)
# What stands above or below the line is the mark of a footnote, and no part of the word before it.
RAISED_DIGITS, SMALL_LETTERS = "⁰¹²³⁴-⁹", "ªºʰ-ʸᴬ-ᵪᶛ-ᶿⁱⁿₐ-ₜⱼⱽ"
_LETTER = rf"(?:(?![{RAISED_DIGITS}]|(?:(?<=\d)|(?<=\w\w))[{SMALL_LETTERS}])[\w{MARKS}])"  # `Nº` is a word
# An abbreviation's mark may be typed as two apostrophes.
_IN_WORD = rf"(?<=[^\W\d_]|[{MARKS}])(?:['׳‘’]{{2}}|[{QUOTES}])(?=[^\W\d_])"
_TOKEN = regex(rf"{_LETTER}+(?:(?:(?<=\d)[.,/](?=\d)|{_IN_WORD}){_LETTER}+)*")
_MARKS = regex(rf"[{MARKS}]")
_SPACE = regex(r"\s")
_INVISIBLE = regex(f"[{INVISIBLE}]+")
_QUOTES = regex(rf"[{QUOTES}]+")
_THOUSANDS = regex(r"(?<=\d),(?=(?:\d{2},)*\d{3}(?!\d))")  # also as in India: 12,50,000
_WHOLE_AMOUNT = regex(r"^(\d+)\.00$")
_REMEMBERED_TOKENS = 300_000
_REMEMBERED_WORDS = 100_000
_REMEMBERED_PLACES = 20_000
_MAX_REMEMBERED_LENGTH = 40  # characters


Place = tuple[int, int, str]  # start, end, and the stem of the word between them


class Term(NamedTuple):
    """A token's two forms, and the 64-bit hashes under which they are indexed."""

    word: str
    stem: str
    word_hash: int
    stem_hash: int


def without_invisible(text: str) -> str:
    """The text as it looks. What is stored was cleaned so when it was read (`extraction.text.cleaning`)."""
    return _INVISIBLE.sub("", text)


def terms(text: str) -> list[Term]:
    """The terms of a text, in order."""
    return list(map(term_of, _TOKEN.findall(text)))


def term_offsets(text: str) -> list[tuple[int, int]]:
    """Where each of the terms of a text stands."""
    return [match.span() for match in _TOKEN.finditer(text)]


def term_positions(texts: Sequence[str], stems: frozenset[str]) -> list[list[Place]]:
    """For each text where its words with one of the stems stand, in order."""
    if not stems:
        return [[] for _ in texts]
    words_of = [text.split() for text in texts]
    seen = _seen_words  # another thread may set a new one
    wanted: set[str] = set()  # the words with one of the stems
    unseen = set[str]().union(*(words for words in words_of if not seen.words.issuperset(words)))
    for word in unseen.difference(seen.words):
        held = {stem for _, _, stem in _tokens.__wrapped__(word)}
        if len(word) <= _MAX_REMEMBERED_LENGTH:  # longer ones are seldom seen again
            seen.remember(word, held)
        elif not stems.isdisjoint(held):
            wanted.add(word)
    wanted.update(*(seen.by_stem.get(stem, ()) for stem in stems))
    return [_places(text, words, wanted, stems) for text, words in zip(texts, words_of, strict=True)]


def _places(text: str, words: Sequence[str], wanted: Collection[str], stems: frozenset[str]) -> list[Place]:
    """Those of a text of these words, in order, that hold one of the stems. `wanted` are the words that do."""
    spaced = " ".join(words)
    if len(spaced) != len(text):  # else one character of white space stands between two, and none around them
        spaced = _SPACE.sub(" ", text)
    spaced = f" {spaced} "
    found: list[Place] = []
    behind = 0  # the last word with one: what next stands alone and is equal to a later word is that one
    for word in filter(wanted.__contains__, words):
        at = spaced.index(f" {word} ", behind)
        behind = at + len(word) + 1
        for start, end, stem in _tokens(word):
            if stem in stems:
                found.append((at + start, at + end, stem))
    return found


class _SeenWords:
    """Words that texts had between white space, and by each stem those that hold it.

    A search meets some hundreds and wants a few: to look each of them up would take longer than all else that is done
    with a text. When there are too many, all are forgotten.
    """

    def __init__(self) -> None:
        self.words: set[str] = set()
        self.by_stem: dict[str, list[str]] = {}

    def remember(self, word: str, stems: Iterable[str]) -> None:
        global _seen_words
        for stem in stems:
            self.by_stem.setdefault(stem, []).append(word)
        self.words.add(word)  # last: whoever sees it here finds it under its stems
        if len(self.words) >= _REMEMBERED_WORDS and _seen_words is self:
            _seen_words = _SeenWords()


_seen_words = _SeenWords()


@lru_cache(maxsize=_REMEMBERED_PLACES)
def _tokens(word: str) -> tuple[Place, ...]:
    """The places of the tokens in what stands between white space: none reaches over it."""
    if word.isalpha():  # most are, and there is nothing to look for
        return ((0, len(word), _forms(word)[1]),)
    return tuple((*match.span(), _forms(match[0])[1]) for match in _TOKEN.finditer(word))


def hash_text(text: str) -> int:
    """A 64-bit hash that is the same in every process and on every machine."""
    return int.from_bytes(blake2b(text.encode("utf-8", "replace"), digest_size=8).digest(), "little")


@lru_cache(maxsize=_REMEMBERED_TOKENS)
def term_of(token: str) -> Term:
    """The term that a token is: what a place of `term_positions` is of its text."""
    word, stem = _forms(token)
    word_hash = hash_text(word)
    return Term(word, stem, word_hash, word_hash if stem == word else hash_text(stem))


def _forms(token: str) -> tuple[str, str]:
    """The word that a token is, and its stem."""
    if not token.isascii():
        token = unicodedata.normalize("NFKD", token)
    bare = token.isalpha()  # without marks, quotes and digits, as most are
    token = (token if bare else _MARKS.sub("", token)).casefold()
    word = token if bare else _QUOTES.sub("", token)
    if word[:1].isdigit():
        # Section numbers (18.8.2, 5A) and case numbers (1234/05) stay whole; 1,000 and 1,000.00 are 1000.
        word = _WHOLE_AMOUNT.sub(r"\1", _THOUSANDS.sub("", word))
        return word, word
    return word, language_of(word).stem(word if bare else _QUOTES.sub("'", token))
