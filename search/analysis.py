"""Text to terms: one analysis for documents, queries and highlights."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from hashlib import blake2b
from typing import NamedTuple

import Stemmer

from search import hebrew

# Combining accents and Hebrew points; maqaf, paseq and sof pasuq (05BE, 05C0, 05C3) separate words.
MARKS = "\u0300-\u036f\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7"
# Straight and curly quotes, geresh and gershayim: inside a word they are part of it (צה״ל, Shari'a).
QUOTES = "\"'\u05f3\u05f4\u2018\u2019\u201c\u201d\u201e"
_TOKEN = re.compile(
    rf"[\w{MARKS}]+(?:(?:(?<=\d)[.,/](?=\d)|(?<=[^\W\d_]|[{MARKS}])[{QUOTES}](?=[^\W\d_]))[\w{MARKS}]+)*"
)
_MARKS = re.compile(rf"[{MARKS}]")
_QUOTES = re.compile(rf"[{QUOTES}]")
_HEBREW_LETTER = re.compile("[א-ת]")
_THOUSANDS = re.compile(r"(?<=\d),(?=\d{3}(?!\d))")
_CACHED_TOKENS = 300_000

_english = Stemmer.Stemmer("english", 0)  # our own cache keeps its answers


class Term(NamedTuple):
    """A token's two forms, and the 64-bit hashes under which they are indexed."""

    word: str
    stem: str
    word_hash: int
    stem_hash: int


def terms(text: str) -> list[Term]:
    """The terms of a text, in order."""
    return [_term(token) for token in _TOKEN.findall(text)]


def places(text: str, stems: frozenset[int]) -> list[tuple[int, int, int]]:
    """Where a text has words with one of the stems: start, end and the stem's hash."""
    found = []
    for match in _TOKEN.finditer(text):
        stem = _term(match[0]).stem_hash
        if stem in stems:
            found.append((*match.span(), stem))
    return found


def hash_text(text: str) -> int:
    """A 64-bit hash that is the same in every process and on every machine."""
    return int.from_bytes(blake2b(text.encode("utf-8", "replace"), digest_size=8).digest(), "little")


@lru_cache(maxsize=_CACHED_TOKENS)
def _term(token: str) -> Term:
    if not token.isascii():
        token = _MARKS.sub("", unicodedata.normalize("NFKD", token))
    token = token.casefold()
    word = _QUOTES.sub("", token)
    if word[:1].isdigit():
        # Section numbers (18.8.2, 5א) and case numbers (1234/05) stay whole; 1,000 is 1000.
        word = stem = _THOUSANDS.sub("", word)
    elif _HEBREW_LETTER.search(word):
        stem = hebrew.stem(word)
    else:
        stem = _english.stemWord(_QUOTES.sub("'", token)).replace("'", "")
    return Term(word, stem, hash_text(word), hash_text(stem))
