"""What is cited: sections with their clauses, ranges of them, and parts."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from law.languages import LANGUAGES
from law.languages.scripts import LETTERS, ChoiceByScript, language_of
from law.patterns import Choice, regex
from law.structure.lines.headings import UNITS
from law.structure.provisions import address_of_number
from law.words.numerals import division_number

_KINDS = {word: kind for language in LANGUAGES for word, kind in language.divisions.kinds.items()}
_ANNEXES = frozenset(kind for language in LANGUAGES for kind in language.divisions.annexes)
_ACTS_TOO = frozenset(one.name for language in LANGUAGES for one in language.divisions.divisions if one.acts_too)
_PLACES = frozenset(word for language in LANGUAGES for word in language.divisions.places)
MAX_OF_RANGE = 10
_WHOLE = regex(r"\d+")
_LAST_NUMBER = regex(r"(?P<stem>.*[.:-])(?P<last>\d+)")
_LAST_LETTER = regex(rf"(?P<stem>.*\d)(?P<last>[{LETTERS}])")
_INSERTED = regex(r"(?P<base>\d+)\D")


def is_numbered(match: re.Match[str]) -> bool:
    """Whether what stands for the number is none in words, or one that is known."""
    word = match.groupdict().get("word")
    return not word or word.casefold() in _PLACES


def _of_all(attribute: str) -> Choice:
    return Choice((getattr(language.citations, attribute) for language in LANGUAGES), re.IGNORECASE)


DIVISION = ChoiceByScript(lambda language: language.citations.division, is_meant=is_numbered)
# `סעיף 3 לתוספת`: the only schedule, or any.
UNNUMBERED = _of_all("unnumbered_annex")
ANNEX_ALONE = _of_all("annex_alone")
_ANNEX = _of_all("annex_label")


@dataclass(frozen=True)
class CitedDivision:
    """A part or the like by its kind and number. An empty number stands for any of the kind."""

    kind: str
    number: str

    @property
    def is_annex(self) -> bool:
        """Whether sections count anew in it."""
        return self.kind in _ANNEXES

    @property
    def may_be_act(self) -> bool:
        """Whether acts are called so too: `Ch. 308`."""
        return self.kind in _ACTS_TOO and bool(self.number)

    @property
    def address(self) -> str:
        """How the address of such a one ends: `chp_2`. What no heading is has one that is found nowhere."""
        unit = UNITS.get(self.kind, self.kind)
        return f"{unit}_{address_of_number(self.number)}" if self.number else unit


def division_of(match: re.Match[str]) -> CitedDivision:
    """What DIVISION or UNNUMBERED matched."""
    kind, groups = match["kind"].casefold().rstrip("."), match.groupdict()
    return CitedDivision(_KINDS.get(kind, kind), division_number(groups.get("id") or ""))


def stands_in(path: Sequence[str], divisions: Sequence[CitedDivision]) -> bool:
    """Whether a path names every one of the divisions."""
    above = [one for _, one in _divisions(path)]
    return all(
        any(one.kind == wanted.kind and wanted.number in ("", one.number) for one in above) for wanted in divisions
    )


def _divisions(path: Sequence[str]) -> list[tuple[str, CitedDivision]]:
    """Those that the labels of a path name, each with its label."""
    found = ((label, DIVISION.match(label) or _ANNEX.match(label)) for label in path)
    return [(label, division_of(match)) for label, match in found if match]


def annex_of(path: Sequence[str]) -> str:
    """The schedule that a passage stands in, as printed, or '' for the body of the act."""
    return next((label for label, one in _divisions(path) if one.is_annex), "")


@dataclass(frozen=True)
class CitedItem:
    """One section of a reference, or all from it to `last`. `clauses` are the ways to what is meant inside it.

    It stands between the places `start` and `end` of the folded text. `last` has its own `last_clauses`. `parted` is
    where the words up to it end, and where it begins. `spans` are the places of the ways that were read last.
    """

    number: str
    last: str = ""
    clauses: tuple[tuple[str, ...], ...] = ()
    last_clauses: tuple[tuple[str, ...], ...] = ()
    start: int = field(default=0, compare=False)
    end: int = field(default=0, compare=False)
    parted: tuple[int, int] = field(default=(0, 0), compare=False)
    spans: tuple[tuple[int, int], ...] = field(default=(), compare=False)

    @property
    def each(self) -> "tuple[CitedItem, ...]":
        """Itself for each clause that is cited of it, `4(1)` and `(9)`, or the two ends of a range."""
        if self.last or len(self.spans) != len(self.clauses) or not self.spans:
            return self.ends
        starts = (self.start, *(start for start, _ in self.spans[1:]))
        ends = (*(end for _, end in self.spans[:-1]), self.end)
        return tuple(
            replace(self, clauses=(path,), spans=(), start=start, end=end)
            for path, start, end in zip(self.clauses, starts, ends, strict=True)
        )

    @property
    def ends(self) -> "tuple[CitedItem, ...]":
        """Itself, or the two ends of a range, of which the first keeps `last`: `sections 4 to` and `9`."""
        if not self.last:
            return (self,)
        first_end, last_start = self.parted
        first = replace(self, last_clauses=(), end=first_end)
        return first, CitedItem(self.last, clauses=self.last_clauses, start=last_start, end=self.end)

    @property
    def last_paths(self) -> tuple[tuple[str, ...], ...]:
        """The ways inside the section that was read last."""
        return self.last_clauses if self.last else self.clauses

    def with_path(self, path: tuple[str, ...], *, start: int, end: int) -> "CitedItem":
        """The same with one more of `last_paths`, which stands at these places."""
        paths, spans = (*self.last_paths, path), (*self.spans, (start, end))
        if self.last:
            return replace(self, last_clauses=paths, spans=spans, end=end)
        return replace(self, clauses=paths, spans=spans, end=end)

    @property
    def sections(self) -> list[str]:
        """The numbers it stands for, in order and at most MAX_OF_RANGE. Where a range makes no sense, its ends."""
        return _between(self.number, self.last) if self.last else [self.number]

    @property
    def written_as_one(self) -> str:
        """`1-102` may be a range, or the number of a single section."""
        return f"{self.number}-{self.last}" if self.last else ""

    def takes_in(self, section: str) -> str:
        """The number after which a section that was inserted later belongs to the range (`3א` of 3 to 5), or ''."""
        inserted = _INSERTED.match(section)
        if inserted and "." not in section and _WHOLE.fullmatch(self.last) and inserted["base"] in self.sections[:-1]:
            return inserted["base"]
        return ""


@dataclass(frozen=True, kw_only=True, slots=True)
class Clause:
    """A clause that is cited ahead of its section, or without one: `subsection (2)`.

    `up_to` says that all up to the next one are cited: `subsections (2) to (4)`.
    """

    path: tuple[str, ...]
    start: int
    end: int
    up_to: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class ParsedCitation:
    """Sections, parts and schedules, or clauses of the section at hand. The places are those of the folded text.

    `name` is a short name before the number (`COBS 3.4.1`). `below` says that the clauses are right below the section,
    `placed` that the first numbers are clauses of a section that is named (`paragraph 6 of Article 4`), `is_listed`
    that a part is named by its number alone (`III` of `Parts II and III`).
    """

    start: int
    end: int
    items: tuple[CitedItem, ...] = ()
    divisions: tuple[CitedDivision, ...] = ()
    clauses: tuple[Clause, ...] = ()
    below: bool = False
    placed: bool = False
    name: str = ""
    is_listed: bool = False


def _between(first: str, last: str) -> list[str]:
    if _WHOLE.fullmatch(first) and _WHOLE.fullmatch(last):
        return _counted("", int(first), int(last)) or [first, last]
    for pattern in (_LAST_NUMBER, _LAST_LETTER):
        one, other = pattern.fullmatch(first), pattern.fullmatch(last)
        if not one or not other or one["stem"] != other["stem"]:
            continue
        if one["last"].isdigit():
            return _counted(one["stem"], int(one["last"]), int(other["last"])) or [first, last]
        letters = language_of(one["last"]).alphabet
        start, end = letters.find(one["last"].upper()), letters.find(other["last"].upper())
        if 0 <= start < end:
            return [one["stem"] + letter for letter in letters[start : end + 1]][:MAX_OF_RANGE]
    return [first, last]


def _counted(stem: str, first: int, last: int) -> list[str]:
    return [f"{stem}{number}" for number in range(first, min(last, first + MAX_OF_RANGE - 1) + 1)]
