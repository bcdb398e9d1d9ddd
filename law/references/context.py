"""Which act and section a citation means that names none: those named before it, or amended around it."""

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from law.citations import grammar, unread
from law.citations.cited_items import DIVISION, CitedItem, Clause, ParsedCitation, division_of
from law.citations.items import CLAUSE_UNIT
from law.citations.numbers import UNIT
from law.citations.provision_names import PlacedProvision
from law.kinds import STATUTORY_KINDS
from law.languages import LANGUAGES
from law.languages.documents import CASELAW
from law.languages.scripts import CASELESS, either
from law.patterns import regex
from law.references import patterns
from law.references.acts import ActIndex
from law.references.citation import Act
from law.references.places import QUOTES, Surroundings
from law.references.reasons import Reason
from law.structure.lines.quoted import QuotedLaw
from law.structure.provisions import ProvisionKind, address_of_number

_MAX_AMENDMENT_LENGTH = 3_000  # characters looked at for words that amend
_BEFORE_QUOTATION = 30
_MAX_SAME_LENGTH = 20  # characters of `ibid., at `
_FEW_WORDS = 300  # characters
# Which may be a clause, or of something else: `סעיף ב׳`, `סעיף ב.3`
_OF_LETTERS = regex(rf"[{CASELESS}](?:['׳]|\.[\d.]+)?|[A-Z]\.[\d.]+")
_SENTENCE = regex(r"\n|[.!?;][\"”»)]* (?=[^\Wa-z\d_]|[\"“„«(*])")
# `clause 9` of a contract
_NO_SECTION = regex(rf"(?i:{either(language.quoting.no_section for language in LANGUAGES)})")


@dataclass
class _Amendment:
    """An act that a section amends, the section of it that is being amended, and where that ends."""

    act: Act
    number: str
    end: int


@dataclass
class Context(Surroundings):
    """What was named before, in the order of the text."""

    acts: ActIndex
    kind: str
    _amended: _Amendment | None = field(default=None, init=False)
    _titled: Act | None = field(default=None, init=False)
    _last: Act | None = field(default=None, init=False)  # the same, or behind it what is known by no title
    _amends: Act | None = field(default=None, init=False)  # what an amending act calls `the Act`
    _of_number: dict[str, Act] = field(default_factory=dict, init=False)  # by whole citations in small letters as well

    def __post_init__(self) -> None:
        self._foreign = patterns.foreign_units(self.acts.title)
        self._sections = self.places.section_numbers
        own = (*self._sections, *self.places.paragraph_numbers)
        self._lettered = {address_of_number(one) for one in own if not one[:1].isdigit()}

    @cached_property
    def _quoted(self) -> QuotedLaw:
        return QuotedLaw(self.text, self.places.end_of_section)

    def note(self, act: Act, *, start: int, numbers: Sequence[str] = ()) -> None:
        """That an act was named, with these sections of it, from `start` on."""
        has_sections = (act.identifier or act.unread) and not _NO_SECTION.match(self.text, start)
        if not act.internal and (act.title or has_sections):
            self._last = replace(act, start=start)
            self._titled = self._last if act.title else self._titled
        for number in numbers:
            self._of_number[number] = act

    def note_printed(self, page: Act) -> None:
        """Where the act that was named last is printed. Notes of statutes go on with other acts behind it."""
        if self.kind in STATUTORY_KINDS or self._last is None:
            self.note(page, start=page.start)
        else:
            self._last = replace(self._last, end=page.end, ends=page.end)

    def note_amendment(self, act: Act, *, start: int, number: str = "") -> None:
        """`In the Loans Act 1998, …` at the beginning of a line: what the section amends, if it does."""
        if self.opens_line(start) and (end := self._amended_up_to(act, start)):
            self._amended = _Amendment(act, number, end)

    def amended(self, act: Act, *, start: int) -> Act:
        """Of `Section 7 of the Act is replaced by` the act that was named last, as no act replaces its own sections."""
        if not act.internal or act.reason is not Reason.OWN or self.kind not in STATUTORY_KINDS:
            return act
        last = self._titled if self._titled and self.acts.is_kind_of(self._titled, act) else None
        if last and self.opens_line(start) and self._amended_up_to(act, start, most=_FEW_WORDS):
            self._amends = last
        if self._amends is None:
            return act
        return replace(act, title=self._amends.title, internal=False, reason=Reason.SAID_LAST)

    def same(self, place: int) -> Act:
        """The act that is meant by `ibid` there. Unknown in a statute, where the notes of publishers say so."""
        named = self.named_near(place) if self.kind not in STATUTORY_KINDS else None
        return named or Act(place, place, place)

    def named_near(self, place: int) -> Act | None:
        """The act that was named last, a few words before."""
        is_near = self._last and place - self._last.end <= _FEW_WORDS
        return self._last.because(Reason.SAID_LAST) if self._last and is_near else None

    def named_before(self, citation: ParsedCitation) -> Act | None:
        """The act whose name the citation follows: `the Loans Act 1998, section 5`."""
        if self._last is None or citation.name or citation.clauses or not self.follows(self._last, citation):
            return None
        if self.is_of_this(citation):
            return None
        number = citation.items[0].number if citation.items else ""
        return self._at(citation, self._part_of(self._last, number) if number else self._last)

    def said_same(self, citation: ParsedCitation) -> bool | None:
        """Whether it is said before it that it is of what was cited last. False if of a book that is not known."""
        before = self.text[max(0, citation.start - _MAX_SAME_LENGTH) : citation.start]
        for language in patterns.ALL:
            if language.of_work.search(before):
                return False
            if language.same_before.search(before):
                return True
        return None

    def around(self, citation: ParsedCitation) -> ParsedCitation:
        """A citation of paragraphs without their section, as one of the section or schedule it stands in."""
        section = self.places.section(citation.start)
        if section is None or not self._is_of_clauses(citation):
            return citation
        if self.places.is_called(section, self.text[citation.start : citation.end]):
            return citation
        if annex := self.places.annex(section):
            return replace(citation, divisions=(annex,))
        is_amended = self._amended and citation.start < self._amended.end
        number = self._amended.number if self._amended and is_amended else section.number
        items = [
            self._inside(section, number, item) if self._is_clause(citation, item) else item for item in citation.items
        ]
        return replace(citation, items=tuple(items))

    def _inside(self, section: PlacedProvision, number: str, item: CitedItem) -> CitedItem:
        """The clause of a section that a number means. With brackets (`paragraph 17(1)(b)`) rather another section."""
        path = (item.number, *next(iter(item.clauses), ()))
        if (item.clauses or self.text.startswith("(", item.end)) and not self.places.has_clause(section, path):
            return item
        return replace(item, number=number, last="", last_clauses=(), clauses=(path,))

    def _is_clause(self, citation: ParsedCitation, item: CitedItem) -> bool:
        """Whether the last unit before it is one of clauses: `subsections 2 and 3 and section 4`."""
        units = list(UNIT.starts(self.text, citation.start, item.end))
        return bool(units) and CLAUSE_UNIT.match(self.text, units[-1]) is not None

    def _is_of_clauses(self, citation: ParsedCitation) -> bool:
        """Whether a statute cites paragraphs, which are clauses of its sections."""
        if not citation.items or citation.divisions or citation.placed or self.kind not in STATUTORY_KINDS:
            return False
        return self._is_clause(citation, citation.items[0])

    def act_of(self, citation: ParsedCitation) -> Act:
        """The act of a citation that names none."""
        here = Act(citation.start, citation.end, citation.end, internal=True, reason=Reason.OWN)
        if citation.name:
            return replace(here, title=citation.name, internal=False, reason=Reason.NAMED_IN_SHORT)
        number = citation.items[0].number if citation.items else ""
        is_of_clauses = number and self._is_of_clauses(citation) and not _has_number(citation.items[0])
        if is_of_clauses and self.places.section(citation.start) is None:
            return replace(here, internal=False)  # a paragraph of what is not known
        if self._amended and citation.start < self._amended.end:
            if number and self.opens_line(citation.start):
                self._amended.number = number
            return self._at(citation, self._amended.act).because(Reason.SAID_LAST)
        if again := grammar.AGAIN.match(self.text, citation.end):
            if number in self._of_number:
                above = self._at(citation, self._of_number[number]).because(Reason.SAID_LAST)
                return replace(above, end=again.end(), ends=again.end())
        elif number and self._is_cited_above(citation):
            return self._at(citation, self._of_number.get(number, Act(0, 0, 0))).because(Reason.SAID_LAST)
        if named := self.acts.before(citation.start, number=number):
            return self._at(citation, named)
        if name := unread.unread_before(self.text, citation.start, citation.end):
            if self._last and self._last.title and self.text[self._last.ends : citation.start] == " (":
                return self._at(citation, self._last)  # `S.I. 2031/351 (regulation 5)`
            return replace(here, internal=False, unread=name)
        if name := self._act_of_chapter(citation):
            return replace(here, internal=False, unread=name)
        ends = (end.number for item in citation.items for end in item.ends)  # `Sections 5 to B.7`
        if any(_OF_LETTERS.fullmatch(one) and address_of_number(one) not in self._lettered for one in ends):
            return replace(here, internal=False)
        if amended := self._amends_near(citation):
            self._amended = _Amendment(amended, number, self.places.end_of_section(citation.start) or citation.end)
            return self._at(citation, amended).because(Reason.SAID_LAST)
        if number and self._foreign and self._foreign.match(self.text, citation.start):
            near = self._near(citation.start)
            if near:
                return self._unsaid(citation, near)
            return replace(here, title=self.acts.parent(citation.start), internal=False, reason=Reason.PARENT)
        if number and not self._is_of_document(citation, number):
            return self._unsaid(citation, self._spoken_of(citation))
        return self._own(here)

    def _act_of_chapter(self, citation: ParsedCitation) -> str:
        """A chapter that this document has not, as acts of revised editions are numbered: `Ch. 308`. Else ''."""
        acts = [one for one in citation.divisions if one.may_be_act and not self.places.may_have(one)]
        if not acts or self._is_said_own(citation):
            return ""
        if citation.is_listed:
            return self.text[citation.start : citation.end]
        places = (DIVISION.match(self.text, place) for place in range(citation.start, citation.end))
        return next((one[0] for one in places if one and division_of(one) in acts), "")

    def _is_said_own(self, citation: ParsedCitation) -> bool:
        """`Chapter 3 of this Act`, `this Act (Chapter 3)`, `Chapter 3 below`, or where a line begins, `Chapter 3. `."""
        least, end = max(0, citation.start - _MAX_SAME_LENGTH), citation.start - len(" (")
        before = (own for language in patterns.ALL for own in language.own.finditer(self.text, least, citation.start))
        is_behind = self.text.startswith(" (", end) and any(own.end() == end for own in before)
        is_title = self.opens_line(citation.start) and self.text.startswith(". ", citation.end)
        return is_behind or is_title or self.is_of_this(citation) or unread.is_of_this(self.text, citation.end)

    def _spoken_of(self, citation: ParsedCitation) -> Act:
        """The act that the text calls `the Act`, but in a sentence that names another: else the one named last."""
        last = self._last or Act(0, 0, 0)
        main = self.acts.main(citation.start)
        is_near = self._last and not _SENTENCE.search(self.text, last.end, citation.start)
        if not main or is_near or (not last.title and last.is_numbered):
            return last
        foreign = patterns.foreign_units(main)
        return last if foreign and foreign.match(self.text, citation.start) else Act(0, 0, 0, main)

    def _own(self, here: Act) -> Act:
        """This document, but in a note on the history of a provision, or in new law for another: there it is said."""
        if unread.is_of_this(self.text, here.end):
            return replace(here, reason=Reason.SAID_OWN)
        if self.kind not in STATUTORY_KINDS:
            return here
        is_another = self.places.notes.hold(here.start) or self._quoted.hold(here.start)
        return replace(here, internal=False) if is_another else here

    def _is_cited_above(self, citation: ParsedCitation) -> bool:
        """`section 5 above` in a judgment or circular: one that it cited."""
        is_marked = self.kind not in STATUTORY_KINDS and self.is_of_this(citation)
        return is_marked and not self.is_of_paragraphs(citation)

    def _unsaid(self, citation: ParsedCitation, act: Act) -> Act:
        """The act, if such acts have what is cited: an Act has no regulations, and paragraphs may be of any."""
        foreign = patterns.foreign_units(act.title)
        is_foreign = foreign is not None and foreign.match(self.text, citation.start) is not None
        unit = [*UNIT.starts(self.text, citation.start, citation.items[0].end)][-1:]
        is_none = _NO_SECTION.match(self.text, citation.start) is not None
        if is_none and unit and not _NO_SECTION.match(self.text, unit[0]):
            # `clause (a) of section 9(2)` is of it if that, or its section 9(2), was said to be
            whole, inner = (self.text[start : citation.end].casefold() for start in (citation.start, unit[0]))
            said = self._of_number.get(whole) or (self._of_number.get(inner) if "(" in inner else None)
            is_none = said is None or said.title != act.title
        has_none = is_foreign or is_none or self.is_of_paragraphs(citation)
        act = Act(0, 0, 0) if has_none else self._part_of(act, citation.items[0].number)
        return replace(self._at(citation, act), internal=False).because(Reason.LAST_NAMED)

    def _part_of(self, act: Act, number: str) -> Act:
        """The same, or of a collection the part that has the number: unknown where its form tells no part."""
        if not act.identifier:
            return act
        part = self.acts.series.part_of(act.identifier, number)
        return replace(act, identifier=part, unread="" if part else act.identifier)

    def section_of(self, clause: Clause, *, below: bool) -> tuple[Act, str, tuple[str, ...]]:
        """The act, the section and the way inside it of a clause that is cited without its section."""
        here = Act(clause.start, clause.end, clause.end, internal=True, reason=Reason.OWN)
        if self._amended and clause.start < self._amended.end:
            amended = self._at(here, self._amended.act).because(Reason.SAID_LAST)
            return amended, self._amended.number, clause.path
        section = self.places.section(clause.start)
        if section is None:
            return here, "", clause.path
        if self.kind in STATUTORY_KINDS and self._quoted.hold(clause.start):
            return replace(here, internal=False), "", clause.path
        if section.kind == ProvisionKind.PARAGRAPH and (below or self.kind == CASELAW):
            return replace(here, internal=False), "", clause.path
        if self.places.is_called(section, self.text[clause.start : clause.end]):
            return here, clause.path[0], clause.path[1:]
        path = clause.path if below else self.places.inside(section, clause.start, clause.path)
        return here, section.number, path

    def _at(self, place: ParsedCitation | Act, act: Act) -> Act:
        return replace(act, start=place.start, end=place.end, ends=place.end)

    def _near(self, place: int) -> Act | None:
        """The act that was named last, if that was in the same section."""
        section = self.places.section(place)
        return self._last if self._last and section and self.places.section(self._last.start) is section else None

    def _is_of_document(self, citation: ParsedCitation, number: str) -> bool:
        """A bare section in a judgment is of the act that it speaks of.

        In a circular it is if that has no such number, or if the paragraph speaks of an act.
        """
        if self.kind in STATUTORY_KINDS:
            return True
        if self.kind == CASELAW:  # whose paragraphs cite those of other judgments, documents and schedules as well
            return self.is_of_this(citation) and self.is_of_paragraphs(citation)
        if self.is_of_paragraphs(citation) or number in self._sections:
            return True
        is_spoken_of = self._near(citation.start) is not None or bool(self.acts.main(citation.start))
        return number in self.places.paragraph_numbers and not is_spoken_of

    def _amended_up_to(self, act: Act, place: int, *, most: int = _MAX_AMENDMENT_LENGTH) -> int:
        """Where the section ends that goes on with words that amend the act, or 0 if it does not."""
        language, end = patterns.of_letter(self.text[act.start]), self.places.end_of_section(place)
        if language is None or end is None or not language.opens_amendment.match(self.text, act.ends):
            return 0
        return end if language.amends.search(self.text, act.ends, min(end, act.ends + most)) else 0

    def _amends_near(self, citation: ParsedCitation) -> Act | None:
        """The act named before that a line or a quotation amends: `(1) in section 5, for …`, `for “section 5”`."""
        act = self._near(citation.start)
        if act and act.unread and citation.start - act.end > _FEW_WORDS:
            return None  # what is mentioned in passing is not amended far behind
        if act and self.opens_line(citation.start):
            return act if self._amended_up_to(self._at(citation, act), citation.start) else None
        quoted = self.text[citation.start - 1 : citation.start]
        before = self.text[max(0, citation.start - _BEFORE_QUOTATION) : citation.start]
        amends = quoted and quoted in QUOTES and any(one.amends.search(before) for one in patterns.ALL)
        return act if amends else None


def _has_number(item: CitedItem) -> bool:
    """`subsection 117(2)` is the second of a section 117, wherever that is said."""
    return bool(item.clauses) and item.clauses[0][0][:1].isdigit()
