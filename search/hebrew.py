"""A light stem for Hebrew words: prefix letters and common endings off, no dictionary."""

from __future__ import annotations

PREFIX_LETTERS = frozenset("והבכלמש")
MOST_PREFIXES = 3
# Plurals, constructs and possessives, longer ones first.
ENDINGS = (
    *("ויות", "יות", "יים", "ותי", "ים", "ות", "ית", "יו", "יה", "הם", "הן", "נו", "כם"),
    *("ה", "ת", "י", "ך", "ו", "ם"),
)
SHORTEST_STEM = 3
_MEDIAL = str.maketrans("ךםןףץ", "כמנפצ")


def is_hebrew(word: str) -> bool:
    """Whether a bare word is written in Hebrew letters."""
    return "א" <= word[:1] <= "ת"


def stem(word: str) -> str:
    """The light stem of a bare Hebrew word (no vowel marks, no quotes), with no letter in its final form.

    Words that share a stem are often but not always related; the index therefore holds the word as it stands too.
    Grammatical order of the prefixes is not asked for: requiring it found less.
    """
    start = 0
    while start < MOST_PREFIXES and len(word) - start > SHORTEST_STEM and word[start] in PREFIX_LETTERS:
        start += 1
    word = word[start:]
    for ending in ENDINGS:
        if word.endswith(ending) and len(word) - len(ending) >= SHORTEST_STEM:
            word = word[: -len(ending)]
            break
    return word.translate(_MEDIAL)
