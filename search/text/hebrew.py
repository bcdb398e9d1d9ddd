"""A light stem for Hebrew words: prefix letters and common endings off, no dictionary."""

from __future__ import annotations

PREFIX_LETTERS = frozenset("והבכלמש")
MOST_PREFIXES = 3
# Plurals, constructs and possessives, longer ones first.
ENDINGS = (
    *("ויות", "יות", "יים", "ותי", "ים", "ות", "ית", "יו", "יה", "הם", "הן", "נו", "כם"),
    *("ה", "ת", "י", "ך", "ו", "ם"),
)
_ENDINGS = {last: tuple(one for one in ENDINGS if one[-1] == last) for last in {one[-1] for one in ENDINGS}}
SHORTEST_STEM = 3
LONG_STEM = 5
VOWEL_LETTERS = "וי"  # written or left out
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
    for ending in _ENDINGS.get(word[-1:], ()):
        if word.endswith(ending) and len(word) - len(ending) >= SHORTEST_STEM:
            word = word[: -len(ending)]
            break
    return word.translate(_MEDIAL)


def other_spellings(stem: str) -> list[str]:
    """The stems that differ from this one by a single ו or י: `רשיונ` and `רישיונ`, `תכנ` and `תוכנ`.

    In front of a stem only a י can have come or gone, where a letter before it was taken for a prefix: `בטחון` and
    `ביטחון` leave `טחונ` and `יטחונ`.
    """
    shorter = [stem[:at] + stem[at + 1 :] for at in range(1, len(stem)) if stem[at] in VOWEL_LETTERS]
    shorter += [stem[1:]] if stem[:1] == "י" else []
    longer = [stem[:at] + letter + stem[at:] for at in range(1, len(stem)) for letter in VOWEL_LETTERS]
    found = dict.fromkeys([*(one for one in shorter if len(one) >= SHORTEST_STEM), *longer, f"י{stem}"])
    found.pop(stem, None)  # of `יי` either may have been doubled
    return list(found)


def skeleton(stem: str) -> str:
    """What all spellings of a stem have in common; it joins unrelated words too, so it only compares names."""
    stem = stem.removesuffix("ינ") if len(stem) > LONG_STEM else stem
    return stem[:1] + "".join(letter for letter in stem[1:] if letter not in VOWEL_LETTERS)
