"""Words as the laws use them: drawn by how often they occur, and new ones at the rate at which text brings new ones."""

import math
import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

WORD = re.compile(r"""(?<![\w"'״׳])([א-ת]{2,})(?![\w"'״׳])""")
MAX_RANK = float(2**53)
# What the recogniser of sections goes by is left as it is, with and without a prefix letter.
STRUCTURE = frozenset(
    prefix + word
    for prefix in ("", "ה", "ב", "ל", "ו", "מ")
    for word in (
        *("סעיף", "סעיפים", "תקנה", "תקנות", "תקנת", "פרק", "חלק", "סימן", "תוספת", "לוח", "טופס", "נספח"),
        *("חוק", "פקודה", "פקודת", "צו", "פסקה", "פסקאות"),
    )
)


@dataclass(frozen=True)
class Words:
    """The words of a corpus, how often each occurs (summed up), and how the vocabulary grows.

    `unseen` is the probability that the next word is one that never occurred (Good and Turing: the share of words seen
    once). `growth` is the exponent of Heaps' law, by which the ranks of new words fall off.
    """

    words: Sequence[str]
    cumulated: NDArray[np.float64]
    unseen: float
    growth: float

    def draw(self, random: Generator, count: int) -> list[str]:
        """Words of the corpus, each as likely as it is frequent."""
        places = np.searchsorted(self.cumulated, random.random(count), side="right")
        return [self.words[place] for place in np.minimum(places, len(self.words) - 1).tolist()]

    def draw_new(self, random: Generator, count: int) -> list[str]:
        """Words beyond the corpus: common ones come again, rare ones never end."""
        tail = 1 / self.growth - 1
        ranks = len(self.words) * (1 - random.random(count)) ** (-1 / tail)
        return [self.word_of_rank(int(rank)) for rank in np.minimum(ranks, MAX_RANK).tolist()]

    def word_of_rank(self, rank: int) -> str:
        """The word of a rank beyond the corpus, always the same: the front of one word and the end of another."""
        mixed = _mixed(rank)
        front, end = self.words[mixed % len(self.words)], self.words[(mixed >> 32) % len(self.words)]
        return front[: max(2, (len(front) + 1) // 2)] + end[len(end) // 2 :]


def count_words(texts: Iterable[str]) -> Words:
    """The distribution of the words that may be replaced."""
    counts: Counter[str] = Counter()
    total = half_vocabulary = 0
    texts = list(texts)
    for number, text in enumerate(texts):
        if number == len(texts) // 2:
            half_vocabulary, half_total = len(counts), total
        found = [word for word in WORD.findall(text) if word not in STRUCTURE]
        counts.update(found)
        total += len(found)
    words = sorted(counts, key=lambda word: (-counts[word], word))
    frequencies = np.array([counts[word] for word in words], dtype=np.float64)
    growth = 0.6
    if half_vocabulary and half_total < total:
        growth = math.log(len(words) / half_vocabulary) / math.log(total / half_total)
    return Words(
        words=words,
        cumulated=np.cumsum(frequencies / total),
        unseen=float((frequencies == 1).sum() / total),
        growth=min(0.9, max(0.3, growth)),
    )


def _mixed(number: int) -> int:
    """64 well-mixed bits (the finaliser of splitmix64)."""
    number = (number * 0x9E3779B97F4A7C15) & 0xFFFFFFFFFFFFFFFF
    number = ((number ^ (number >> 30)) * 0xBF58476D1CE4E5B9) & 0xFFFFFFFFFFFFFFFF
    number = ((number ^ (number >> 27)) * 0x94D049BB133111EB) & 0xFFFFFFFFFFFFFFFF
    return number ^ (number >> 31)
