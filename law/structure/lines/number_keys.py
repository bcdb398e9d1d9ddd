"""Section numbers: how a document marks them, what they are compared by, which may follow which, and paths to them."""

import enum
import re
from bisect import bisect_left, insort
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from string import ascii_letters

from law.languages import LANGUAGES
from law.languages.scripts import language_of
from law.patterns import regex
from law.words.numerals import LATIN_ORDINALS, LETTER_VALUES

# One component is number, letters, number: 5, 5א, 5א1, 15A. A key is its components: 18.8.2 has three.
Component = tuple[int, int, int]
Key = tuple[Component, ...]
ONE: Key = ((1, 0, 0),)  # where numbers begin

_NUMBERING = "".join(language.numbering for language in LANGUAGES)
_QUOTED = "".join(LETTER_VALUES)  # a last letter behind a quotation mark: `5כ"ד`
_DETAIL = regex(rf"(\d+)([{_NUMBERING}]*)[\"״'׳]?([{_QUOTED}]?)(\d*)")
_LETTER_BEHIND = regex(r"[ –-](?=[A-Za-z])")  # 3-A is 3A, and 3-bis is 3bis
_NO_SIGNS = str.maketrans("", "", "(),")  # 12-1,101 is 12-1101
_FRACTION = regex(r"\d{1,4}[A-Z]?\.(\d{1,5})")
FRACTION_DIGITS = 6
_BETWEEN = 1_000  # room for inserted letters between two letters
_CHILD_START = 3  # 5.1 follows 5; 5.7 does not
_NEAREST = 12  # lower numbers that are looked at


class Style(enum.StrEnum):
    """How a document marks its sections."""

    WORD = "word"  # Section 5, סעיף 5, § 5
    NUMBER = "number"  # 5. and 5.2.1, also 5.—(1)
    BRACKET = "bracket"  # 5)
    SQUARE = "square"  # [5]
    BARE = "bare"  # 5 Heading


@dataclass(frozen=True, slots=True)
class SectionNumber:
    """A section number at the start of a line."""

    number: str  # as printed, without word and closing full stop
    key: Key
    style: Style
    rest: str  # what follows on the line
    clause: str = ""  # (2) in 1.2.1.(2)
    above: tuple[str, ...] = ()  # Part 2, Chapter 1 in Part 2.Chapter 1.6.
    prefix: str = ""  # A in A1.2.3
    heading: str = ""  # from the table cell before it, or the words before it on the line
    behind: bool = False  # there are such words, which might be the end of a sentence
    word: str = ""  # the first letter of the word before it: `Section`, `Sec.` and § are one form, `Article` is another
    is_text: bool = False  # nothing but a blank stands between such a word's number and a sentence

    @property
    def is_roman(self) -> bool:
        return self.style is Style.WORD and not self.prefix and self.number[0].isalpha()

    @property
    def is_coded(self) -> bool:
        """Whether it is that of a code: 64-01-05, 2:14."""
        return len(self.key) > 1 and self.number[:1].isdigit() and ("-" in self.number or ":" in self.number)

    @property
    def has_decimals(self) -> bool:
        """Whether it was put between two of a code: 12-99-103.5 between 12-99-103 and 12-99-104."""
        return self.is_coded and len(self.key) > 3 and "." in self.number.rpartition("-")[2]

    @property
    def form(self) -> str:
        """What the numbers of a sequence have in common."""
        return self.style + self.word


def key_of(number: str) -> Key:
    """The number as something to compare: 5 < 5bis < 5א < 5א1 < 5ב < 6, and 1.9 < 1.10."""
    plain = _LETTER_BEHIND.sub("", number.translate(_NO_SIGNS)).replace(" ", "")
    return tuple(_component(part) for part in re.split(r"[.:–-]", plain))


@lru_cache(maxsize=10_000)
def lettered_key(number: str) -> tuple[str, Key]:
    """The letters before a number (`A1.2.3`), and the number to compare."""
    digits = number.lstrip(ascii_letters)
    return number[: len(number) - len(digits)], key_of(digits)


def as_fraction(number: str, key: Key) -> Key | None:
    """The key where 11.1 stands between 11.09 and 11.11, None for a number of another form."""
    found = _FRACTION.fullmatch(number)
    return (key[0], (int(found[1].ljust(FRACTION_DIGITS, "0")), 0, 0)) if found else None


def _component(part: str) -> Component:
    found = _DETAIL.match(part)
    if found is None:
        return 0, 0, 0
    behind = part[found.end(1) :]
    if ordinal := LATIN_ORDINALS.get(behind.casefold()):
        return int(found[1]), ordinal, 0
    if behind.isascii() and behind.islower():
        found = _DETAIL.match(part.upper()) or found
    digits, letters, more, last = found.groups()
    return int(digits), _letters_value(letters + more), int(last or 0)


def _letters_value(letters: str) -> int:
    """Order of the letters: א, ב, ... י, יא. בא stands between ב and ג. After A to Z comes AA."""
    if not letters:
        return 0
    place, inserted = language_of(letters[0]).letters_order(letters)
    return place * _BETWEEN + inserted


def step(last: Key, new: Key) -> int:
    """How far the new number is from the last: 1 is the next (or the first below it), 0 means that it goes back."""
    for depth, component in enumerate(new):
        if depth == len(last):
            return max(1, component[0]) if _starts_below(new[depth:]) else 0
        if component == last[depth]:
            continue
        if component < last[depth] or not _starts_below(new[depth + 1 :]):
            return 0
        return _difference(last[depth], component)
    return 0


def _difference(one: Component, other: Component) -> int:
    if other[0] > one[0]:
        return other[0] - one[0]
    if other[1] > one[1]:
        return max(1, other[1] // _BETWEEN - one[1] // _BETWEEN)
    return other[2] - one[2]


def _starts_below(components: Key) -> bool:
    return all(component[0] <= _CHILD_START for component in components)


def is_below(above: Key, key: Key) -> bool:
    """5.1 is below 5."""
    return len(key) > len(above) and key[: len(above)] == above


class PathTree:
    """The best paths to numbers of one form, by all that they begin with."""

    def __init__(self) -> None:
        self._below: dict[Key, list[Component]] = {}
        self._best: dict[Key, tuple[float, int]] = {}
        self._exact: dict[Key, tuple[float, int]] = {}

    def add(self, key: Key, worth: float, index: int) -> None:
        if worth > self._exact.get(key, (float("-inf"), 0))[0]:
            self._exact[key] = worth, index
        for depth in range(1, len(key) + 1):
            above = key[:depth]
            if above not in self._best:
                insort(self._below.setdefault(key[: depth - 1], []), key[depth - 1])
            if worth > self._best.get(above, (float("-inf"), 0))[0]:
                self._best[above] = worth, index

    def same(self, key: Key) -> tuple[float, int] | None:
        return self._exact.get(key)

    def before(self, key: Key) -> Iterator[tuple[float, int]]:
        """The best paths to numbers that may come before this one, or to what is below them."""
        for depth in range(len(key) - 1, -1, -1):
            above = key[:depth]
            if depth and (exact := self._exact.get(above)):
                yield exact
            inside = self._below.get(above, [])
            end = bisect_left(inside, key[depth])
            for component in reversed(inside[max(0, end - _NEAREST) : end]):
                yield self._best[(*above, component)]
