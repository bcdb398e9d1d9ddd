"""Instruments by their number, and collections by their parts: the rows of the languages as patterns and keys."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

from law.languages import LANGUAGES, Language
from law.languages.scripts import any_hint
from law.languages.series import Series
from law.patterns import regex
from law.words.numerals import division_number

FIELDS = {
    "year": r"(?:1[5-9]|20)\d\d",
    "number": r"\d{1,5}",
    "bracketed": r"\(?\d{1,5}\)?",
    "part": r"\d{1,4}[A-Z]?",
    "roman": r"[IVXLC]{1,9}",
}
"""What a word in curly brackets stands for, where a row says nothing else."""

_SIGNS = {"[": "(?:", "]": ")?", "(": "(?:", ")": ")", "|": "|", "-": "[-–—]", "’": "['’]", "'": "['’׳]"}
# `[…]`, `(a|b)`, `{number}`, `S.I.`, `No.`, a word, a space, any other sign
_TOKEN = regex(
    r"\{(?P<field>\w+)\}|(?P<points>(?:[^\W\d_]\.){2,})|(?P<word>[^\W\d_]+)(?P<point>\.?)|(?P<space>\s)|\d+|."
)
_NOT_BEFORE, _NOT_BEHIND = r"(?<![\w.§/-])", r"(?![\w/%]|[-–]\d|\.\d)"
_WORD = regex(r"[^\W\d_]+(?:[\"״][^\W\d_]+)?")
_GROUP = regex(r"\(\?P<\w+>")
_IS_ROMAN = regex(r"[IVXLC]+")


def pattern_of(printed: str, row: Series, *, prefix: str = "") -> str:
    """The pattern of one way to print a name. Fields are groups, with `prefix` before their names."""
    return "".join(_read(token, row, prefix) for token in _TOKEN.finditer(printed))


def _read(token: re.Match[str], row: Series, prefix: str) -> str:
    if name := token["field"]:
        return f"(?P<{prefix}{name}>{row.fields.get(name) or FIELDS[name]})"
    if points := token["points"]:
        return r"\.? ?".join(points.replace(".", " ").split()) + r"\.?"
    if word := token["word"]:
        return re.escape(word) + (r"\.?" if token["point"] else "")
    if token["space"]:
        return " "
    return _SIGNS.get(token[0]) or re.escape(token[0])


@dataclass(frozen=True, slots=True)
class Named:
    """A part of a series that a text names between two places."""

    series: Series
    key: str
    start: int
    end: int
    fields: dict[str, str]

    @property
    def shown(self) -> str:
        return self.series.shown.format(**self.fields)

    def is_inside(self, other: "Named") -> bool:
        """Whether it is a part of another name, which is longer."""
        is_longer = other.end - other.start > self.end - self.start
        return is_longer and other.start <= self.start and self.end <= other.end


class SeriesReader:
    """One row."""

    def __init__(self, row: Series, *, prefixed: bool) -> None:
        """`prefixed` where a word may have letters before it that belong to the sentence."""
        self.row = row
        begins = "" if prefixed else _NOT_BEFORE
        ends = r"(?!\w)" if row.around else _NOT_BEHIND
        forms = list(_divided(row)) if row.divided else [f"{pattern_of(one, row)}{ends}" for one in row.printed]
        self.exact = [regex(f"{begins}{form}") for form in forms]
        self._any_case = self.exact if row.cased else [regex(f"{begins}{form}", re.IGNORECASE) for form in forms]
        head = (*row.printed, *row.head) if row.shown and not row.divided else ()
        self._head = [regex(pattern_of(one, row), re.IGNORECASE) for one in head]

    def find(self, text: str) -> Iterator[Named]:
        """What a query or an identifier names of it, in whatever case."""
        for pattern in self._any_case:
            yield from (self._named(found) for found in pattern.finditer(text))

    def at(self, text: str, place: int) -> Named | None:
        """What a text names of it from this place on."""
        found = next(filter(None, (pattern.match(text, place) for pattern in self.exact)), None)
        return self._named(found) if found else None

    def head(self, line: str) -> Named | None:
        """What a line of a document's head names, that is nothing else."""
        found = next(filter(None, (pattern.fullmatch(line) for pattern in self._head)), None)
        return self._named(found) if found else None

    def _named(self, found: re.Match[str]) -> Named:
        fields = {name: value for name, value in found.groupdict().items() if value}
        values = (_plain(fields.get(name, "")) for name in self.row.key)
        # No words of an identifier have such a sign: `9 U.S.C. § 4` is not in title 4.
        key = ":".join((self.row.same_as or self.row.name, *filter(None, values))).casefold()
        shown = {name: value[1:-1] if value.startswith("(") else value for name, value in fields.items()}
        return Named(self.row, key, found.start(), found.end(), shown)


def _first_words(row: Series) -> Iterator[str]:
    """The words that its forms begin with, `0` for a number."""
    for printed in row.printed:
        choice = printed[1:].partition(")")[0].split("|") if printed.startswith("(") else [printed]
        yield from (_WORD.match(one)[0] if one[0] != "{" else "0" for one in choice)  # type: ignore[index]
    if row.divided:
        yield "0"


def _divided(row: Series) -> Iterator[str]:
    """The forms of a collection whose sections begin with the number of their part."""
    part, sign = (
        f"(?P<part>{row.fields.get('part') or FIELDS['part']})",
        "[-–]" if row.divided == "-" else re.escape(row.divided),
    )
    for printed in row.printed:
        name = pattern_of(printed, row)
        yield rf"{name}[,:]? (?i:title|tit\.?|chapter|ch\.?) {part}(?!\w)"
        yield rf"{name},? (?:§§? ?)?{part}(?={sign}\d|$)"
        yield rf"{part}{sign}\d[\w.()-]{{0,20}}(?:,| of the| of) {name}"


def _plain(value: str) -> str:
    """A number as keys have it: without brackets, in digits."""
    bare = value[1:-1] if value.startswith("(") else value
    return division_number(bare) if _IS_ROMAN.fullmatch(bare) else bare.replace("–", "-")


@cache
def _by_language() -> list[tuple[Language, list[SeriesReader]]]:
    return [
        (language, [SeriesReader(row, prefixed=bool(language.prefixes)) for row in language.series])
        for language in LANGUAGES
    ]


@cache
def series_readers() -> list[SeriesReader]:
    """Those of all languages, in the order of the rows. Made when they are first asked for."""
    return [reader for _, readers in _by_language() for reader in readers]


class _Finder:
    """All rows by the first character of what they read, `0` for a number."""

    def __init__(self) -> None:
        words: set[str] = set()  # of languages without capitals
        self._readers: dict[str, list[SeriesReader]] = {}
        for language, readers in _by_language():
            for reader in readers:
                first = set(_first_words(reader.row))
                words |= set() if language.has_capitals else first
                for letter in sorted({word[0] for word in first}):
                    self._readers.setdefault(letter, []).append(reader)
        capitals = "".join(sorted(letter for letter in self._readers if letter.isascii() and letter.isalpha()))
        # A word with a capital, a number before one, or a word with which a form begins
        number = r"\d(?=[\w.()–-]{0,25}(?:,| of the| of)? ?[A-Zac])"
        self._begins = regex(rf"(?<![\w.§/-])(?:[{capitals}]|{number})|{any_hint(sorted(words)).pattern}")
        # Whether any of them reads anything, which most words with a capital do not show
        self._any = {
            letter: regex("|".join(_GROUP.sub("(?:", form.pattern) for reader in readers for form in reader.exact))
            for letter, readers in self._readers.items()
        }

    def find(self, text: str) -> Iterator[Named]:
        end = 0
        for begins in self._begins.finditer(text):
            place = begins.start()
            letter = "0" if text[place].isdigit() else text[place]
            if place >= end and self._any[letter].match(text, place):
                here = [named for reader in self._readers[letter] if (named := reader.at(text, place))]
                named = max(here, key=lambda one: one.end)
                yield named
                end = named.end


_finder = cache(_Finder)


def find_series(text: str) -> list[Named]:
    """What a text names of any series, in its order, the longest of those that begin at one place."""
    return list(_finder().find(text))


def number_of_line(line: str) -> str:
    """What a document's own number is shown as, that is all of a line of its head, or ''."""
    return next((named.shown for reader in series_readers() if (named := reader.head(line))), "")


@lru_cache(maxsize=20_000)
def series_keys(text: str, *, inside: bool = False) -> tuple[str, ...]:
    """The keys of whatever a query, an identifier or a title names, each once, in the order of the rows.

    With `inside` also those of names inside longer ones: `2011, c. 15` may mean what is `S.C. 2011, c. 15`, and not the
    other way round.
    """
    found = [named for reader in series_readers() for named in reader.find(text)]
    return tuple(dict.fromkeys(one.key for one in found if inside or not any(map(one.is_inside, found))))
