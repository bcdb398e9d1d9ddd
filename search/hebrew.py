"""A light stem for Hebrew words: prefix letters and common endings off, no dictionary."""

from __future__ import annotations

PREFIX_LETTERS = frozenset("והבכלמש")
MOST_PREFIXES = 3
ENDINGS = ("יות", "יים", "ים", "ות", "ית", "ה", "ת", "י", "ך", "ו", "ן", "ם")
SHORTEST_STEM = 3


def stem(word: str) -> str:
    """The light stem of a bare Hebrew word (no vowel marks, no quotes).

    Words that share a stem are often but not always related; the index therefore holds the word as it stands too.
    """
    start = 0
    while start < MOST_PREFIXES and len(word) - start > SHORTEST_STEM and word[start] in PREFIX_LETTERS:
        start += 1
    word = word[start:]
    for ending in ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= SHORTEST_STEM:
            return word[: -len(ending)]
    return word
