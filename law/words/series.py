"""Instruments by their number, and collections by their parts: the rows of the languages as patterns and keys."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from itertools import islice

from law.languages import LANGUAGES, Language
from law.languages.scripts import any_hint
from law.languages.words import Series
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
# `\(`, `[…]`, `(a|b)`, `{number}`, `S.I.`, `No.`, a word, a space, any other sign
_TOKEN = regex(
    r"\\(?P<sign>.)|\{(?P<field>\w+)\}|(?P<points>(?:[^\W\d_]\.){2,})|(?P<word>[^\W\d_]+)(?P<point>\.?)|(?P<space>\s)"
    r"|\d+|."
)
_NOT_BEFORE, _NOT_BEHIND = r"(?<![\w.§/-])", r"(?![\w/%]|[-–]\d|\.\d)"
_NOT_BEHIND_PAGE = r"(?![\w/]|[.,]\d)"
_WORD = regex(r"[^\W\d_]+(?:[\"״”][^\W\d_]+)?[°º]?")
# A unit, a grade or the name of a form, where no sign is behind it: `GS 12-5`, `TCA 12-50 mg`
_LETTERS_ALONE = regex(r"[A-Z]{2,5},? ?")
_GROUP = regex(r"\(\?P<\w+>")
_INITIALS = regex(r"(?:[A-Z]\. ?){2,}")
_IS_ROMAN = regex(r"[IVXLC]+")
_INNER_FIELD = regex(r"\{([a-z_]+)\}")


def pattern_of(printed: str, row: Series) -> str:
    """The pattern of one way to print a name. Fields are groups."""
    return "".join(_read(token, row) for token in _TOKEN.finditer(printed))


def _read(token: re.Match[str], row: Series) -> str:
    if name := token["field"]:
        return f"(?P<{name}>{_field(name, row)})"
    if points := token["points"]:
        letters = points.replace(".", " ").split()
        return r"\. ?".join(letters) + r"\." if row.pointed else r"\.? ?".join(letters) + r"\.?"
    if word := token["word"]:
        point = (r"\." if row.pointed else r"\.?") if token["point"] else ""
        return re.escape(word) + point
    if token["space"]:
        return " ?" if row.pointed else " "
    return re.escape(token["sign"]) if token["sign"] else _SIGNS.get(token[0]) or re.escape(token[0])


def _field(name: str, row: Series) -> str:
    said = row.fields.get(name) or FIELDS.get(name)
    if said is None:
        raise ValueError(f"The row {row.name} of series.toml has no field {name}.")
    if isinstance(said, str):
        return _INNER_FIELD.sub(lambda inner: f"(?:{_field(inner[1], row)})", said)
    return "|".join(pattern_of(word, row) for word in said)


@dataclass(frozen=True, slots=True)
class Named:
    """A part of a series that a text names between two places. `keys` are none of a judgment, the likeliest first."""

    series: Series
    keys: tuple[str, ...]
    start: int
    end: int
    fields: dict[str, str]

    @property
    def shown(self) -> str:
        return self.series.shown.format(**self.fields)

    def unsigned(self, text: str) -> int:
        """Where the number of a section begins that follows without a sign: `C.R.S. 18-3-102`. Else -1."""
        sign, start = self.series.divided, self.end - len(self.fields.get("part", ""))
        follows = sign and start > self.start and text[self.end : self.end + 1].replace("–", "-") == sign
        is_grade = self.fields.get("part", "").isalnum() and _LETTERS_ALONE.fullmatch(text, self.start, start)
        is_sure = not (is_grade or text[:start].endswith(("§", "§ ")))
        return start if follows and is_sure else -1

    def is_inside(self, other: "Named") -> bool:
        """Whether it is a part of another name, which is longer."""
        is_longer = other.end - other.start > self.end - self.start
        return is_longer and other.start <= self.start and self.end <= other.end


class SeriesReader:
    """One row."""

    def __init__(self, row: Series, *, begins: str) -> None:
        """`begins` is the pattern of what its language has not before a word."""
        self.row = row
        ends = r"(?!\w)" if row.around else _NOT_BEHIND_PAGE if row.judgment else _NOT_BEHIND
        forms = list(_divided(row)) if row.divided else [f"{pattern_of(one, row)}{ends}" for one in row.printed]
        forms = [form if form.startswith("\\") else f"{begins}{form}" for form in forms]
        self.exact = [regex(form) for form in forms]
        self._any_case = self.exact if row.cased else [regex(form, re.IGNORECASE) for form in forms]
        head = (*row.printed, *row.head) if row.shown and not row.divided else ()
        self._head = [regex(pattern_of(one, row), re.IGNORECASE) for one in head]

    def find(self, text: str) -> Iterator[Named]:
        """What a query or an identifier names of it, in whatever case: each place once, if several forms fit there."""
        found = (self._named(match) for pattern in self._any_case for match in pattern.finditer(text))
        yield from {(one.start, one.end): one for one in found}.values()

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
        values = [":".join(filter(None, (_plain(fields.get(name, "")) for name in self.row.key)))]
        values = [form.format(**fields) for form in self.row.numbered] or values
        # No words of an identifier have such a sign: `9 U.S.C. § 4` is not in title 4.
        keys = tuple(f"{self.row.same_as or self.row.name}:{value}".casefold() for value in values if value)
        shown = {name: value[1:-1] if value.startswith("(") else value for name, value in fields.items()}
        return Named(self.row, keys, found.start(), found.end(), shown)


def _beginnings(row: Series) -> Iterator[tuple[str, str]]:
    """The characters that its forms begin with, `0` for a number, and the words or, of a bracket, the pattern."""
    for printed in row.printed:
        if printed.startswith("\\"):  # before a bracket, behind which a field shows that it is one
            yield printed[1], "".join(_read(token, row) for token in islice(_TOKEN.finditer(printed), 2))
            continue
        choice = printed[1:].partition(")")[0].split("|") if printed.startswith("(") else [printed.lstrip("[")]
        for one in choice:
            word = _WORD.match(one)
            yield from [(word[0][0], word[0])] if word else [(first, "") for first in row.begins]
        if printed.startswith("["):  # which may be missing
            yield from ((first, "") for first in row.begins)
    if row.divided:
        yield "0", ""


def _divided(row: Series) -> Iterator[str]:
    """The forms of a collection whose sections begin with the number of their part."""
    part, sign = f"(?P<part>{_part(row)})", _sign(row)
    for printed in row.printed:
        name = pattern_of(printed, row)
        yield rf"{name}[,:]? (?i:title|tit\.?|chapter|ch\.?) {part}(?!\w)"
        # Letters alone and a number of this kind are also a grade or a mass: `GS 12-5`, `TCA 12-50 mg`
        named = name if row.divided == "." else pattern_of(printed, replace(row, pointed=True))
        yield rf"(?:{name},? §§? ?|{named},? ){part}(?={sign}\d|$)"
        yield rf"{part}{sign}\d[\w.()-]{{0,20}}(?:,| of the| of) {name}"


def part_of_number(row: Series, number: str) -> str:
    """The part of a divided collection that a section's number begins with, as it is shown, or ''."""
    found = re.match(rf"(?P<part>{_part(row)}){_sign(row)}", number)
    return row.shown.format(part=found["part"]) if found else ""


def _part(row: Series) -> str:
    return str(row.fields.get("part") or FIELDS["part"])


def _sign(row: Series) -> str:
    return "[-–]" if row.divided == "-" else re.escape(row.divided)


def _plain(value: str) -> str:
    """A number as keys have it: without brackets, in digits, and letters without points."""
    bare = value[1:-1] if value.startswith("(") else value
    if _INITIALS.fullmatch(bare):
        return re.sub(r"\W", "", bare)
    return division_number(bare) if _IS_ROMAN.fullmatch(bare) else bare.replace("–", "-")


def _before_word(language: Language) -> str:
    """That a word begins, before which letters may stand that belong to the sentence."""
    if not language.prefixes:
        return _NOT_BEFORE
    letter, prefix = language.letters, "".join(sorted(language.prefixes))
    return rf"(?:(?<![{letter}])|(?<=[{prefix}])(?<![{letter}]{{3}}))"


@cache
def _by_language() -> list[tuple[Language, list[SeriesReader]]]:
    return [
        (language, [SeriesReader(row, begins=_before_word(language)) for row in language.series if not row.rules])
        for language in LANGUAGES
    ]


@cache
def series_readers() -> list[SeriesReader]:
    """Those of all languages, in the order of the rows. Made when they are first asked for."""
    return [reader for _, readers in _by_language() for reader in readers]


@cache
def _with_keys() -> list[SeriesReader]:
    return [reader for reader in series_readers() if not reader.row.judgment]


@cache
def rule_books() -> list[tuple[str, list[str]]]:
    """The title of each book of rules, and its names before a number, as patterns that begin with a letter."""
    rows = [row for language in LANGUAGES for row in language.series if row.rules]
    return [(row.shown, [_GROUP.sub("(?:", pattern_of(one, row)) for one in _spelled_out(row)]) for row in rows]


def _spelled_out(row: Series) -> Iterator[str]:
    """Its forms, one for each word where a form begins with a list of them."""
    for printed in row.printed:
        first = _TOKEN.match(printed)
        words = row.fields[first["field"]] if first and first["field"] else [""]
        yield from (word + printed[first.end() if word and first else 0 :] for word in words)


class _Finder:
    """All rows by the first character of what they read, `0` for a number."""

    def __init__(self) -> None:
        words: set[str] = set()  # of languages without capitals, before which letters may stand
        small: set[str] = set()  # of the others, those without one
        brackets: set[str] = set()
        self._readers: dict[str, list[SeriesReader]] = {}
        for language, readers in _by_language():
            for reader in readers:
                for letter, said in _beginnings(reader.row):
                    known = self._readers.setdefault(letter, [])
                    known += [] if reader in known else [reader]
                    if not letter.isalnum():
                        brackets.add(_GROUP.sub("(?:", said))
                    elif said and not language.has_capitals:
                        words.add(said)
                    elif said and not letter.isupper():
                        small.add(said)
        capitals = "".join(sorted(letter for letter in self._readers if letter.isascii() and letter.isupper()))
        # A word with a capital, a number before one, a bracket before a year, or a word with which a form begins
        number = r"\d(?=[\w.():–-]{0,25}(?:,| of the| of)? ?(?:[A-Zac]|(?<=-)[mb]|\(\d{1,2}\) [A-Z]))"
        others = "|".join((*sorted(brackets), any_hint(sorted(words)).pattern))
        self._begins = regex(rf"(?<![\w.§/-])(?:[{capitals}]|{number}|{any_hint(sorted(small)).pattern})|{others}")
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


def named_in_any_case(text: str) -> list[Named]:
    """What a title or a line of a head names of the series that have keys, in its order, the longest first."""
    named = (one for reader in _with_keys() for one in reader.find(text))
    return sorted(named, key=lambda one: (one.start, -one.end))


@lru_cache(maxsize=20_000)
def is_series_number(text: str) -> bool:
    """Whether all of it is the number of an instrument: `Executive Order No. 292`."""
    return any(one.start == 0 and one.end == len(text) for one in named_in_any_case(text))


def number_of_line(line: str) -> str:
    """What a document's own number is shown as, that is all of a line of its head, or ''."""
    return next((named.shown for reader in _with_keys() if (named := reader.head(line))), "")


@lru_cache(maxsize=20_000)
def series_keys(text: str, *, inside: bool = False) -> tuple[str, ...]:
    """The keys of whatever a query, an identifier or a title names, each once, in the order of the rows: `cfr:12:1072`.

    With `inside` also those of names inside longer ones: `2011, c. 15` may mean what is `S.C. 2011, c. 15`, and not the
    other way round.
    """
    found = [named for reader in _with_keys() for named in reader.find(text)]
    told = (one for one in found if inside or not any(map(one.is_inside, found)))
    return tuple(dict.fromkeys(key for one in told for key in one.keys))
