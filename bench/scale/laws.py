"""New laws made of the 600: sections of one law in another's frame, words replaced, titles of their own.

A made law is given by its topic's place and its number in it alone, so it can be made again anywhere. Its words are
drawn by how often the laws use them, and new ones come at the rate at which text brings new ones.
"""

from __future__ import annotations

import datetime as dt
import math
import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from bench.datasets import json_lines

SEED = 20261121
FROM_ELSEWHERE = 0.5  # of the sections
REPLACED = 0.2  # of the words of a section
REPLACED_IN_TITLE = 0.5
SECTION = re.compile(r"(\d+[א-ת]{0,3}\d*)\. (.*)")
YEAR = re.compile(r"(?P<suffix>, ה?תש\S+[–-](?P<year>\d{4}))$")

Pieces = Sequence[str]  # what is not a word and words by turns
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


@dataclass(frozen=True, slots=True)
class Section:
    """The heading and the lines below it, without the number."""

    heading: Pieces
    body: Pieces


@dataclass(frozen=True, slots=True)
class Frame:
    """A law as its parts in order: a section with its number, or a line that stands above sections."""

    kind: str
    name: Pieces  # the title without its year
    parts: Sequence[tuple[str, Section | str]]

    @property
    def sections(self) -> int:
        return sum(isinstance(part, Section) for _, part in self.parts)


@dataclass(frozen=True, slots=True)
class Outline:
    """What is known of a made law before its text is."""

    frame: int
    kind: str
    title: str
    published_at: dt.date | None

    def numbered(self, count: int) -> Outline:
        """The same where it is the `count`-th law of its title: the title says so from the second on."""
        if count == 1:
            return self
        dated = YEAR.search(self.title)
        end = dated.start() if dated else len(self.title)
        return replace(self, title=f"{self.title[:end]} (מס' {count}){self.title[end:]}")


@dataclass(frozen=True)
class Corpus:
    """The laws taken apart."""

    frames: Sequence[Frame]
    years: Sequence[tuple[str, int]]
    words: Words
    title_words: Words

    @cached_property
    def sections(self) -> dict[str, list[Section]]:
        """Every section, by the kind of its law."""
        found: dict[str, list[Section]] = {}
        for frame in self.frames:
            found.setdefault(frame.kind, []).extend(part for _, part in frame.parts if isinstance(part, Section))
        return found

    @cached_property
    def by_sections(self) -> list[int]:
        """The frames, those of the fewest sections first."""
        return sorted(range(len(self.frames)), key=lambda number: (self.frames[number].sections, number))

    def outline(self, topic: int, number: int, *, most_sections: int) -> Outline:
        """The title, kind and date of law `number` of the topic at place `topic`."""
        random = _random(topic, number, "outline")
        fitting = sum(self.frames[place].sections <= most_sections for place in self.by_sections)
        place = self.by_sections[int(random.integers(max(1, fitting)))]
        frame = self.frames[place]
        name = self._varied(frame.name, random, share=REPLACED_IN_TITLE, words=self.title_words)
        suffix, year = self.years[int(random.integers(len(self.years)))]
        dated = random.random() < 0.9
        published_at = dt.date(year, 1, 1) + dt.timedelta(days=int(random.integers(365))) if dated else None
        return Outline(place, frame.kind, name + suffix, published_at)

    def text(self, topic: int, number: int, *, outline: Outline) -> str:
        """The law's whole text."""
        random = _random(topic, number, "text")
        frame = self.frames[outline.frame]
        pool = self.sections[frame.kind]
        lines = [outline.title, ""]
        for label, part in frame.parts:
            if isinstance(part, str):
                lines += [part, ""]
                continue
            chosen = pool[int(random.integers(len(pool)))] if random.random() < FROM_ELSEWHERE else part
            heading, body = (
                self._varied(pieces, random, share=REPLACED, words=self.words)
                for pieces in (chosen.heading, chosen.body)
            )
            lines += [f"{label}. {heading}", body, ""]
        return "\n".join(lines)

    def _varied(self, pieces: Pieces, random: Generator, *, share: float, words: Words) -> str:
        """The text with a share of its words replaced, and some of them by words that are in no law."""
        varied = list(pieces)
        free = np.array([place for place in range(1, len(varied), 2) if varied[place] not in STRUCTURE], dtype=int)
        fate = random.random(len(free))
        for chosen, draw in (
            (free[fate < self.words.unseen], self.words.draw_new),
            (free[(fate >= self.words.unseen) & (fate < self.words.unseen + share)], words.draw),
        ):
            _replace(varied, chosen.tolist(), draw, random)
        return "".join(varied)


def _replace(
    pieces: list[str], places: list[int], draw: Callable[[Generator, int], list[str]], random: Generator
) -> None:
    for place, word in zip(places, draw(random, len(places)), strict=True):
        pieces[place] = word


def read_corpus(root: Path) -> Corpus:
    """Read the laws of the data folder. Raises FileNotFoundError."""
    folder = root / "israeli-law"
    texts, frames, years, names = [], [], set(), []
    for row in json_lines(folder / "index.jsonl"):
        title = row["title"]
        if dated := YEAR.search(title):
            years.add((dated["suffix"], int(dated["year"])))
        names.append(YEAR.sub("", title))
        text = (folder / "files" / row["file"]).read_text(encoding="utf-8")
        texts.append(text)
        frames.append(Frame(row["kind"], WORD.split(names[-1]), _parts(text)))
    return Corpus(
        frames=[frame for frame in frames if frame.sections],
        years=sorted(years),
        words=count_words(texts),
        title_words=count_words(names),
    )


def _parts(text: str) -> list[tuple[str, Section | str]]:
    """The blocks between empty lines, from the second on: the first is the title."""
    parts: list[tuple[str, Section | str]] = []
    for block in re.split(r"\n\s*\n", text.strip())[1:]:
        first, _, rest = block.partition("\n")
        if numbered := SECTION.fullmatch(first.strip()):
            parts.append((numbered[1], Section(WORD.split(numbered[2]), WORD.split(rest))))
        else:
            parts.append(("", block))
    return parts


def _random(topic: int, number: int, purpose: str) -> Generator:
    return np.random.default_rng([SEED, topic, number, *purpose.encode()])


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
