"""Provisions: the parts of a document that have an address, its lines with the role of each, and the path above them.

Addresses are Akoma Ntoso's eIds (OASIS LegalDocML, Naming Convention 1.0, section 5): `sec_7`, `chp_2`,
`part_1__chp_2`, `sched_1__item_3`, `para_12`. A section is addressed by its number alone, as no act has two. Sections
of a schedule count anew, so theirs begin with it. What has no number is addressed by the words of its heading. A
second provision that would have the same address gets `_2` behind it. So an address depends on what the provision
itself and those around it say, and not on what stands elsewhere: it is the same when the document is read again or
changed elsewhere.
"""

from __future__ import annotations

import enum
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import NamedTuple

from law.languages import LANGUAGES
from law.languages.scripts import CASELESS
from law.patterns import regex
from law.structure.lines.document_lines import DocumentLine
from law.structure.lines.headings import HeadingDivision, read_division
from law.structure.lines.number_keys import Key, is_below
from law.structure.numbering.summary import NumberingSummary
from law.timeline import Period
from law.words.numerals import division_number, letters_value
from law.words.slugs import slugify

ALWAYS = Period()
MAX_PROVISIONS = 100_000  # of a document; what begins after that has no address of its own
MAX_HEADING_LENGTH = 60  # characters of an address that are of its heading
MAX_NUMBER_LENGTH = 40
_FOREIGN = regex(rf"[{CASELESS}]+")
_BREAK = regex(r"[^a-z0-9]+")
_MARKS = regex(r"[\"'״׳’]")
_LATIN = "abcdefghijklmnopqrstuvwxyz"
_POSITIONS = {
    letter: _LATIN[at] for language in LANGUAGES for at, letter in enumerate(language.alphabet.casefold()[:26])
}


class BreakQuality(enum.IntEnum):
    """How well a chunk may begin at a line. The higher the better."""

    NEVER = 0  # a heading stays with what it heads
    LINE = 2
    SUBCLAUSE = 3
    CLAUSE = 4
    HEADING = 5


@dataclass(frozen=True, slots=True)
class Section:
    """What the chunks of a section say about it. A `soft` one (a heading in prose) may join a short neighbour."""

    number: str = ""
    heading: str = ""
    path: tuple[str, ...] = ()
    soft: bool = False
    provision: ParsedProvision | None = None


class TypedLine(NamedTuple):
    """A line with its role, or a piece of one that was in force on days of its own.

    `opens` is set where a section begins, `begins` are the provisions that begin with it. `is_head` says that it heads
    a section and has nothing of its text. What is quoted to be inserted into another law, and a table of contents,
    `is_quoted`.
    """

    line: DocumentLine
    cut: BreakQuality
    opens: Section | None = None
    begins: tuple[ParsedProvision, ...] = ()
    is_head: bool = False
    is_quoted: bool = False
    days: Period = ALWAYS


class ProvisionKind(StrEnum):
    """What a provision is."""

    PART = "part"
    CHAPTER = "chapter"
    SECTION = "section"
    SCHEDULE = "schedule"
    ITEM = "item"
    PARAGRAPH = "paragraph"
    HEADING = "heading"
    CLAUSE = "clause"


# By the unit that begins an address. Book, title and subpart are parts, division and subchapter chapters.
KIND_OF_UNIT = {
    **dict.fromkeys(("book", "tome", "title", "part", "subpart"), ProvisionKind.PART),
    **dict.fromkeys(("chp", "dvs", "subchp", "subdvs"), ProvisionKind.CHAPTER),
    **dict.fromkeys(("sched", "annex", "app", "form", "table"), ProvisionKind.SCHEDULE),
    **dict.fromkeys(("sec", "art", "rule"), ProvisionKind.SECTION),
    "item": ProvisionKind.ITEM,
    "para": ProvisionKind.PARAGRAPH,
    "hcontainer": ProvisionKind.HEADING,
}
_DIVISIONS = {ProvisionKind.PART, ProvisionKind.CHAPTER, ProvisionKind.SCHEDULE}


@dataclass(eq=False, slots=True)
class ParsedProvision:
    """A provision as it is recognised. `Outline` gives it its address and its place.

    `number` is as printed, `start` and `end` count characters of the document's text, `page` is 1-based. `days` are
    those on which it reads so, where the text says (`law.structure.dated`).
    """

    unit: str
    number: str = ""
    heading: str = ""
    parent: ParsedProvision | None = None
    number_id: str = ""  # the number as addresses have it, where it is not made of the number alone
    eid: str = ""
    start: int = 0
    end: int = 0
    page: int | None = None
    days: Period = ALWAYS

    @property
    def kind(self) -> ProvisionKind:
        return KIND_OF_UNIT[self.unit]

    @property
    def span_start(self) -> int:
        return self.start

    @property
    def span_end(self) -> int:
        return self.end

    def ancestors(self) -> Iterator[ParsedProvision]:
        """Those it stands in, innermost first."""
        above = self.parent
        while above is not None:
            yield above
            above = above.parent

    @property
    def depth(self) -> int:
        return sum(1 for _ in self.ancestors())


@dataclass
class Outline:
    """The provisions of a document in the order of its text."""

    provisions: list[ParsedProvision] = field(default_factory=list)
    numbering: NumberingSummary | None = None  # of its sections or paragraphs, once all units were followed
    _open: list[ParsedProvision] = field(default_factory=list)
    _taken: Counter[str] = field(default_factory=Counter)
    _end: int = 0

    def follow(self, units: Iterable[TypedLine]) -> Iterator[TypedLine]:
        """Note what begins at the units as they pass by."""
        for unit in units:
            for provision in unit.begins:
                self._begin(provision, start=unit.line.start, page=unit.line.page)
            if text := unit.line.text.rstrip():
                self._end = unit.line.start + len(text)
            yield unit
        while self._open:
            self._open.pop().end = self._end

    def _begin(self, provision: ParsedProvision, *, start: int, page: int | None) -> None:
        if len(self.provisions) >= MAX_PROVISIONS:
            return
        above = next((one for one in provision.ancestors() if one in self._open), None)
        while self._open and self._open[-1] is not above:
            self._open.pop().end = self._end
        provision.parent, provision.start, provision.page = above, start, page
        provision.eid = self._address(provision)
        self.provisions.append(provision)
        self._open.append(provision)

    def _address(self, provision: ParsedProvision) -> str:
        """The address that the markup gives, or one that is made of number and heading."""
        eid = provision.eid or self._made_address(provision)
        self._taken[eid] += 1
        times = self._taken[eid]
        return eid if times == 1 else f"{eid}_{times}"

    def _made_address(self, provision: ParsedProvision) -> str:
        own = provision.number_id or address_of_number(provision.number)
        if not own and provision.kind is ProvisionKind.HEADING:
            own = slugify(provision.heading)[:MAX_HEADING_LENGTH].strip("-")
        eid = f"{provision.unit}_{own}" if own else provision.unit
        within = _addressed_within(provision)
        return f"{within.eid}__{eid}" if within else eid


def address_of_number(number: str) -> str:
    """A number as addresses have it: `5א` is `5a` as in translations, `18.8.2` is `18-8-2`."""
    plain = _FOREIGN.sub(_in_latin_letters, _MARKS.sub("", number).casefold())
    return _BREAK.sub("-", plain).strip("-")[:MAX_NUMBER_LENGTH]


def _in_latin_letters(match: re.Match[str]) -> str:
    """The letter at the same place: `ב` is b, `יא`, the eleventh, is k. Other letters go."""
    value = letters_value(match[0])
    if value is not None and value <= len(_LATIN):
        return _LATIN[value - 1]
    return "".join(_POSITIONS.get(letter, "") for letter in match[0])


def _addressed_within(provision: ParsedProvision) -> ParsedProvision | None:
    """The provision whose address begins this one's."""
    if provision.kind is ProvisionKind.SCHEDULE:
        return None
    within = _DIVISIONS if provision.kind in _DIVISIONS else {ProvisionKind.SCHEDULE}
    return next((above for above in provision.ancestors() if above.kind in within), None)


class Chapters:
    """Open divisions, outermost first. A new one closes the last of its kind and all below it."""

    def __init__(self) -> None:
        self._divisions: list[tuple[HeadingDivision, ParsedProvision]] = []
        self._headings: list[tuple[Key, str, ParsedProvision]] = []

    def open(self, division: HeadingDivision) -> ParsedProvision:
        """Open a division. Returns its provision, which has no place yet."""
        if division.annex:
            self._divisions.clear()
        for index, (above, _) in enumerate(self._divisions):
            if above.kind == division.kind:
                del self._divisions[index:]
                break
        provision = ParsedProvision(
            unit=division.unit,
            number=division.number,
            heading=division.title,
            parent=self._divisions[-1][1] if self._divisions else None,
            number_id=address_of_number(division_number(division.number)),
        )
        self._divisions.append((division, provision))
        self._headings.clear()
        return provision

    def open_named(self, names: tuple[str, ...]) -> list[ParsedProvision]:
        """Open divisions that are printed inside a number only: Part 2.Chapter 1.6. Returns those that are new."""
        opened = []
        for name in names:
            division = read_division(name)
            if division is not None and not any(_is_same(division, above) for above, _ in self._divisions):
                opened.append(self.open(division))
        return opened

    def is_bare(self) -> bool:
        """Does the last division still lack its title?"""
        return bool(self._divisions) and not self._divisions[-1][0].titled

    def is_annex(self) -> bool:
        """Do sections count anew here, as in a schedule?"""
        return any(division.annex for division, _ in self._divisions)

    def entitle(self, title: str) -> None:
        """The title of the last division stood on the next line."""
        last, provision = self._divisions[-1]
        self._divisions[-1] = replace(last, label=f"{last.label}: {title}", titled=True), provision
        provision.heading = title

    def add_heading(self, key: Key, heading: str, provision: ParsedProvision) -> None:
        """A numbered heading under which only deeper numbers stand (1.1 above 1.1.1)."""
        self._close_headings(key)
        self._headings.append((key, heading, provision))

    def innermost(self, key: Key | None = None) -> ParsedProvision | None:
        """What a section with that key stands in. Without one, the text as it comes."""
        if key is not None:
            self._close_headings(key)
        if self._headings:
            return self._headings[-1][2]
        return self._divisions[-1][1] if self._divisions else None

    def path(self, key: Key | None = None) -> tuple[str, ...]:
        """The path of the section with that key. Without one, of the text as it comes."""
        if key is not None:
            self._close_headings(key)
        return (*(division.label for division, _ in self._divisions), *(heading for _, heading, _ in self._headings))

    def _close_headings(self, key: Key) -> None:
        self._headings = [heading for heading in self._headings if is_below(heading[0], key)]


def _is_same(named: HeadingDivision, above: HeadingDivision) -> bool:
    titled = (f"{named.label} ", f"{named.label}:")
    return above.kind == named.kind and (above.label == named.label or above.label.startswith(titled))
