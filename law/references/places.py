"""Where in its document a reference stands: in which section, clause and schedule, and what is right around it."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from law.citations.cited_items import CitedDivision, ParsedCitation
from law.citations.folding import NormalizedText
from law.citations.provision_names import PlacedProvision
from law.languages import LANGUAGES
from law.languages.scripts import either
from law.patterns import regex
from law.references import patterns
from law.references.citation import Act
from law.structure.lines.clauses import Path, outline
from law.structure.lines.headings import UNIT_WORDS
from law.structure.lines.quoted import Spans
from law.structure.provisions import ProvisionKind, address_of_number

_DIVISIONS = frozenset({ProvisionKind.PART, ProvisionKind.CHAPTER, ProvisionKind.SCHEDULE})
_NUMBERED = frozenset({ProvisionKind.SECTION, ProvisionKind.ITEM, ProvisionKind.PARAGRAPH})
_NOTES = either(word for language in LANGUAGES for word in language.unread.notes)
_BEGINS_NOTE = regex(
    rf"^[ \t\[(]*{_NOTES}(?:(?P<head>[ .:]*$)|[.:]|--|—|(?= (?:by )?[\d(]))", re.IGNORECASE | re.MULTILINE
)
MAX_OUTLINE_LENGTH = 200_000  # characters of a section whose clauses are worked out
QUOTES = '"”“„״'
_PARAGRAPHS = tuple(words for language in LANGUAGES if (words := language.citations.names.get("paragraph")))
_MAX_OPENING_LENGTH = 60  # characters of a line before what it begins with
_HEAD = 200  # characters
_MAX_UNSEEN = 2  # digits of a chapter that no heading was seen of
_MAX_ARTICLE_LENGTH = 5  # characters, with the quotation mark before it
_OPENING = regex(r"(?:\d[\w.]{0,8}[–—]? ?)?(?:\(\w{1,4}\) ?){0,3}[\"”“]?" + patterns.AMENDMENT_LEAD)
_TITLE = regex(r" ?[–—]")
_NAME_BEFORE = regex(r"(?<!\w)[A-Z][\w’']+ $")
_BY_LETTERS = regex(r"(?<!\w)[A-Z]{3,8} \($")  # `the ABC (Regulation 12/2031) Article 5`


@dataclass
class ProvisionIndex:
    """The numbered provisions of a text, and the clauses of those that are asked for."""

    text: str
    provisions: Sequence[PlacedProvision]
    folded: NormalizedText
    _numbered: list[PlacedProvision] = field(init=False)
    _starts: list[int] = field(init=False)
    _begins: dict[int, str] = field(init=False)
    _outlines: dict[str, tuple[list[tuple[int, Path]], set[Path]]] = field(default_factory=dict, init=False)

    def __post_init__(self) -> None:
        self._numbered = sorted(
            (one for one in self.provisions if one.kind in _NUMBERED), key=lambda one: one.span_start
        )
        self._begins = {
            one.span_start: "" if one.kind in _DIVISIONS else address_of_number(one.number)
            for one in self.provisions
            if one.kind in _DIVISIONS or one.kind in _NUMBERED
        }
        self._starts = [one.span_start for one in self._numbered]

    def begins(self, place: int, number: str) -> bool:
        """Whether a part, a schedule, or the section with that number begins there."""
        begun = self._begins.get(self.folded.start(place))
        return begun is not None and begun in ("", address_of_number(number))

    def annex(self, item: PlacedProvision) -> CitedDivision | None:
        """The schedule that an item stands in."""
        unit, _, number = item.eid.split("__")[0].partition("_")
        annex = CitedDivision(UNIT_WORDS.get(unit, unit), number)
        return annex if annex.is_annex and item.kind != ProvisionKind.SECTION else None

    def section(self, place: int) -> PlacedProvision | None:
        """The section, item or paragraph that has this place of the folded text."""
        place = self.folded.start(place)
        index = bisect_right(self._starts, place) - 1
        return self._numbered[index] if index >= 0 and place < self._numbered[index].span_end else None

    def end_of_section(self, place: int) -> int | None:
        """Where the section ends, in the folded text."""
        section = self.section(place)
        return self.folded.place(section.span_end) if section else None

    def inside(self, section: PlacedProvision, place: int, path: Path) -> Path:
        """The way to a clause that is named at this place, from the nearest clause around it that has such a one."""
        clauses, known = self._outline(section)
        place = self.folded.start(place)
        index = bisect_right(clauses, place - section.span_start, key=lambda clause: clause[0]) - 1
        around = clauses[index][1] if index >= 0 else ()
        wanted = tuple(clause.casefold() for clause in path)
        for depth in range(len(around), -1, -1):
            if (*around[:depth], *wanted) in known:
                return (*around[:depth], *path)
        return path

    def is_called(self, section: PlacedProvision, cited: str) -> bool:
        """Whether sections are printed as what is cited, with its word or in brackets: `Clause (4)`, `clause (2)`."""
        said, printed = cited.partition(" ")[0].casefold(), self.text[section.span_start : section.span_end]
        in_brackets = (
            printed.startswith(f"({section.number})") and cited.rpartition("(")[2].rstrip(")") in self.section_numbers
        )
        return said.isalpha() and (in_brackets or printed.partition(" ")[0].casefold() == said)

    def has_clause(self, section: PlacedProvision, path: Path) -> bool:
        return tuple(clause.casefold() for clause in path) in self._outline(section)[1]

    @cached_property
    def section_numbers(self) -> set[str]:
        """Those of all sections. The paragraphs of a circular are none."""
        return {one.number for one in self._numbered if one.kind != ProvisionKind.PARAGRAPH}

    @cached_property
    def _addresses(self) -> set[str]:
        """Those of all provisions inside the ones that they stand in, `chp_2`, and what dotted numbers begin with."""
        dotted = (one.number.split(".") for one in self._numbered if "." in one.number)  # `14.1` of chapter 14
        begins = {".".join(parts[:length]) for parts in dotted for length in range(1, len(parts))}
        return {address for one in self.provisions for address in one.eid.split("__")} | begins

    def may_have(self, division: CitedDivision) -> bool:
        """Whether the document has such a part, or may have it though its sections alone were seen: not the tenth."""
        if not self.provisions or not self._addresses.isdisjoint((division.address, division.number)):
            return True
        unit = division.address.partition("_")[0]
        has_others = any(one.startswith(f"{unit}_") for one in self._addresses)
        return not has_others and len(division.number) < _MAX_UNSEEN

    @cached_property
    def paragraph_numbers(self) -> set[str]:
        """Those of the paragraphs of a circular."""
        return {one.number for one in self._numbered if one.kind == ProvisionKind.PARAGRAPH}

    @cached_property
    def notes(self) -> Spans:
        """The notes on the history of provisions, in the folded text: lines that begin so, and what is below a head."""
        return Spans(self._notes())

    def _notes(self) -> Iterator[tuple[int, int]]:
        text = self.folded.text
        for line in _BEGINS_NOTE.finditer(text):
            end = text.find("\n", line.end())
            section = self.section(line.start())
            if line["head"] is not None and section and self.folded.place(section.span_start) < line.start():
                end = self.folded.place(section.span_end)
            yield line.start(), end if end >= 0 else len(text)

    def _outline(self, section: PlacedProvision) -> tuple[list[tuple[int, Path]], set[Path]]:
        """The clauses of a section, and the ways to them."""
        if section.eid not in self._outlines:
            end = min(section.span_end, section.span_start + MAX_OUTLINE_LENGTH)
            clauses = outline(self.text[section.span_start : end], section.number)
            self._outlines[section.eid] = clauses, {way for _, way in clauses}
        return self._outlines[section.eid]


@dataclass
class Surroundings:
    """Asked of places in a folded text."""

    text: str
    places: ProvisionIndex

    def is_heading(self, citation: ParsedCitation) -> bool:
        """Whether this is where the part or section itself begins."""
        alone = (
            self.text[max(0, citation.start - 1) : citation.start] in ("", "\n")
            and self.text[citation.end : citation.end + 1] == "\n"
        )
        numbers = [number for item in citation.items[:1] for number in (item.number, item.written_as_one)]
        numbers = numbers or [division.number for division in citation.divisions[:1]]
        numbers = numbers or [clause.path[0] for clause in citation.clauses[:1]]
        if alone or any(self.places.begins(citation.start, number) for number in numbers):
            return True
        is_title = self.text.startswith("\t", citation.end) or (
            citation.divisions and not citation.items and _TITLE.match(self.text, citation.end)
        )
        return bool(is_title) and self.text[citation.start - 1 : citation.start] == "\n"

    def is_line(self, act: Act) -> bool:
        """Whether the act's number is a line of its own at the head, as the document's is: `Cap. 57`, `Act 284`."""
        before = self.text[max(0, act.start - 1) : act.start]
        return act.start < _HEAD and before in ("", "\n") and self.text[act.end : act.end + 1] in ("", "\n")

    def is_defined(self, act: Act) -> bool:
        """Whether this is the name that a definition gives, in quotation marks."""
        before, after = self.text[max(0, act.start - _MAX_ARTICLE_LENGTH) : act.start], self.text[act.end : act.end + 1]
        return after in QUOTES and bool(after) and any(mark in before for mark in QUOTES)

    def follows(self, act: Act, citation: ParsedCitation) -> bool:
        """`the Loans Act 1998, section 5`."""
        if act.ends >= citation.start:
            return False
        between, before = self.text[act.ends : citation.start], self.text[max(0, act.start - 1) : act.start]
        if between == ") " and _BY_LETTERS.search(self.text, max(0, act.start - _MAX_OPENING_LENGTH), act.start):
            return bool(citation.items)
        if between == " " or (between == "] " and before == "["):
            return bool(citation.items)
        if (
            between == ") "
            and before == "("
            and _NAME_BEFORE.search(self.text, max(0, act.start - _MAX_OPENING_LENGTH), act.start - 1)
        ):
            return bool(citation.items)  # `the Loans Act (Act No. 5 of 1998) section 5`
        return any(one.before_sections.fullmatch(self.text, act.ends, citation.start) for one in patterns.ALL)

    def is_of_this(self, citation: ParsedCitation) -> bool:
        """`above`, `of this judgment`."""
        return any(language.of_this.match(self.text, citation.end) for language in patterns.ALL)

    def is_of_paragraphs(self, citation: ParsedCitation) -> bool:
        """Whether its unit is that of judgments and circulars, not one of acts."""
        first = citation.items[0]
        unit = self.text[citation.start : first.start].casefold()
        short = "" if first.clauses else unit.strip(" .").removesuffix("s")  # `para 31`, not `para 4(1)(a)`
        return any(word in unit or (short and word.startswith(short)) for word in _PARAGRAPHS)

    def opens_line(self, place: int) -> bool:
        line = self.text.rfind("\n", max(0, place - _MAX_OPENING_LENGTH), place) + 1
        return (line > 0 or place < _MAX_OPENING_LENGTH) and _OPENING.fullmatch(self.text, line, place) is not None
