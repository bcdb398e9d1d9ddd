"""On which days the provisions of a text read so, where a consolidated text prints one twice, or one that ends.

A mark (`law.structure.lines.day_marks`) holds for the section that it begins, for the chapter that it stands under
alone, or else for the clause, the paragraph or the piece of a line behind it. What was printed there before ends where
the later text begins, unless that is a temporary provision or one for new matters, beside which the other goes on. A
whole section may be printed again under its number. Quoted amendments, tables of contents and rows of tables have no
marks.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice, pairwise, zip_longest

from law.languages import LANGUAGES
from law.languages.scripts import either
from law.patterns import regex
from law.structure.lines.clauses import BEFORE_CLAUSE, MARKER, Path, outline
from law.structure.lines.day_marks import DayMark, find_marks
from law.structure.lines.numbers import read_label
from law.structure.provisions import ALWAYS, BreakQuality, Section, TypedLine
from law.timeline import Period

MAX_LENGTH = 50_000  # characters of a section that are looked at together
_WORDS = either(language.statutes.section_words for language in LANGUAGES)
MAX_MARKS = 200  # of a section; more of them are no marks of a law
_LEAD = regex(rf"[ \t]*(?:{_WORDS}[ \t]*)?{BEFORE_CLAUSE}(?:{MARKER}){{0,4}}[–—-]?[ \t]*")
_TERM = regex(r"[ \t]*[\"“”״„'][^\n]{1,150}[–—-][ \t]*")  # a definition, up to its text
_ENDS = frozenset(".;:,–—-")


def dated(units: Iterable[TypedLine]) -> Iterator[TypedLine]:
    """The units with their days, cut where others begin. Their sections' provisions get theirs, too.

    A section is held until the next shows whether it is printed again.
    """
    before: _SectionUnits | None = None
    for group in _groups(units):
        group.read(before.hands_on if before else None)
        if before is not None:
            before.end_for(group)
            yield from before.pieces()
        before = group
    if before is not None:
        yield from before.pieces()


def _groups(units: Iterable[TypedLine]) -> Iterator[_SectionUnits]:
    group, length = _SectionUnits(), 0
    for unit in units:
        if unit.opens is not None or length > MAX_LENGTH:
            if group.units:
                yield group
            group, length = _SectionUnits(section=unit.opens) if unit.opens else _SectionUnits(continued=group), 0
        group.units.append(unit)
        length += len(unit.line.text)
    if group.units:
        yield group


@dataclass(slots=True)
class _Place:
    """A mark with the unit that it stands in. `leads` says that the text of that begins with it."""

    unit: TypedLine
    mark: DayMark
    leads: bool

    @property
    def at(self) -> int:
        """Where its text begins."""
        return self.unit.line.start + (0 if self.leads else self.mark.start)

    @property
    def is_alone(self) -> bool:
        return not self.unit.line.text[self.mark.end :].strip(" \t.:")

    @property
    def is_of_term(self) -> bool:
        return _TERM.match(self.unit.line.text) is not None


@dataclass(slots=True)
class _SectionUnits:
    """The units of one section, or those before the first, and the days of characters of theirs."""

    section: Section | None = None
    continued: _SectionUnits | None = None
    units: list[TypedLine] = field(default_factory=list)
    days: Period = ALWAYS  # of all of it
    spans: list[tuple[int, int, Period]] = field(default_factory=list)
    replaces: bool = False  # what was printed before under the same number
    hands_on: DayMark | None = None  # which ends it and stands above the next section

    def read(self, handed_on: DayMark | None) -> None:
        """Find the days of the section and of its parts."""
        provision = self.section.provision if self.section else None
        if self.continued is not None:
            self.days, self.continued = self.continued.days, None
        elif provision is not None:
            self.days = next((one.days for one in provision.ancestors() if one.days != ALWAYS), ALWAYS)
        if handed_on is not None:
            self._hold_for_all(handed_on)
        # Above the first section, a mark alone on its line is of the whole document, whose days a person confirms.
        places = list(islice(_places(self.units), MAX_MARKS))
        if self.section is None:
            places = [place for place in places if not place.is_alone]
        if places:
            self._read(places)
        if provision is not None:
            provision.days = self.days

    def end_for(self, later: _SectionUnits) -> None:
        """End where the same section begins that is printed behind it."""
        one, other = self.section, later.section
        if not (later.replaces and one and other and one is not other and one.number):
            return
        if (one.number, one.path) == (other.number, other.path):
            self.days = self.days.within(Period(end=later.days.begin))
            if one.provision is not None:
                one.provision.days = self.days

    def pieces(self) -> Iterator[TypedLine]:
        """The units, cut where days begin and end."""
        if not self.spans:
            yield from (unit._replace(days=self.days) for unit in self.units)
            return
        made = [piece for unit in self.units for piece in self._cut(unit)]
        first = next((piece.days for piece in made if not piece.is_head and piece.line.text.strip()), self.days)
        for piece in made:  # a heading alone would be a passage without text
            yield piece._replace(days=first) if piece.is_head and piece.days == self.days else piece

    def _cut(self, unit: TypedLine) -> Iterator[TypedLine]:
        line = unit.line
        end = line.start + len(line.text)
        borders = {place for start, stop, _ in self.spans for place in (start, stop) if line.start < place < end}
        for at, to in pairwise([line.start, *sorted(borders), end]):
            days = self.days
            for start, stop, of_span in self.spans:
                if start <= at < stop:
                    days = days.within(of_span)
            if at == line.start:
                yield unit._replace(line=line._replace(text=line.text[: to - line.start]), days=days)
            else:
                rest = line._replace(
                    text=line.text[at - line.start : to - line.start], start=at, joint="", opens=False, divisions=()
                )
                yield TypedLine(rest, BreakQuality.LINE, days=days)
        if end == line.start:
            yield unit._replace(days=self.days)

    # What a mark holds for

    def _read(self, places: list[_Place]) -> None:
        text, base = self._text(), self.units[0].line.start
        clauses = [(base + at, path) for at, path in outline(text)]
        paths, end = dict(clauses), base + len(text)
        breaks = [*self._breaks(), end]
        whole = self._whole(places, paths)
        if whole is not None:
            self._hold_for_all(whole.mark)
            for provision in whole.unit.begins:  # the mark behind the title of a chapter, above its first section
                provision.days = self.days
            places = [place for place in places if place is not whole]
        elif places[-1].leads and places[-1].is_alone and not self._has_text_after(places[-1]):
            self.hands_on = places.pop().mark
        for place, following in zip_longest(places, places[1:]):
            line = place.unit.line
            before, stop = line.start, line.start + len(line.text)
            if following is not None and following.unit is place.unit:
                stop = following.at
            elif place.leads:
                path = paths.get(place.at)
                if path is not None:
                    before, stop = self._clause(place.at, path, clauses, breaks)
                elif place.is_of_term:
                    before = self._same_term_before(place)
                else:
                    before, stop = self._paragraph(place, paths, end)
            if place.mark.replaces and before < place.at:
                self._end_before(place.at, before, Period(end=place.mark.days.begin))
            self.spans.append((place.at, stop, place.mark.days))

    def _hold_for_all(self, mark: DayMark) -> None:
        self.days, self.replaces = self.days.within(mark.days), mark.replaces

    def _whole(self, places: list[_Place], clauses: Mapping[int, Path]) -> _Place | None:
        """The mark that the section begins with, unless it holds for its first clause or paragraph alone."""
        first, *others = places
        if self.section is None or not first.leads or first.is_of_term or self._has_text_before(first):
            return None
        path = clauses.get(first.at, ())
        for other in others:
            its_path = clauses.get(other.at, ())
            is_beside = len(its_path) in (0, len(path)) or its_path == path + path[-1:]
            if other.unit is first.unit or (other.leads and not other.is_of_term and is_beside):
                return None
        return first

    def _has_text_after(self, place: _Place) -> bool:
        return any(unit.line.text.strip() for unit in self.units if unit.line.start > place.unit.line.start)

    def _has_text_before(self, place: _Place) -> bool:
        for unit in self.units:
            if unit is place.unit:
                return False
            if not unit.is_head and unit.line.text.strip():
                return True
        return False

    def _clause(
        self, at: int, path: Path, clauses: Sequence[tuple[int, Path]], breaks: Sequence[int]
    ) -> tuple[int, int]:
        """Where what a mark replaces begins (its own beginning for nothing), and where its own clause ends."""
        place = bisect_left(clauses, at, key=lambda clause: clause[0])
        later = (start for start, other in clauses[place + 1 :] if start > at and other[: len(path)] != path)
        stop = min(next(later, breaks[-1]), breaks[bisect_right(breaks, at, hi=len(breaks) - 1)])
        above = next(
            (clause for clause in reversed(clauses[:place]) if clause[1][: len(path)] != path or clause[1] == path),
            None,
        )
        # The first of its kind that comes again is read as one inside it: `(a)` after `(a)`.
        again = above is not None and above[1] in (path, path[:-1]) and above[1][-1:] == path[-1:]
        return above[0] if above is not None and again else at, stop

    def _same_term_before(self, place: _Place) -> int:
        """The same of a definition: the line before, if it defines the same term."""
        term = place.unit.line.text[: place.mark.start].strip()
        before = next((unit.line for unit in reversed(self.units) if unit.line.start < place.at), None)
        return before.start if before is not None and before.text.strip().startswith(term) else place.at

    def _breaks(self) -> Iterator[int]:
        """Where no clause goes on: at blank lines, and at numbers that are not those of sections."""
        for unit in self.units:
            text = unit.line.text.strip()
            if unit.line.opens and (not text or read_label(text) is not None):
                yield unit.line.start

    def _paragraph(self, place: _Place, clauses: Collection[int], end: int) -> tuple[int, int]:
        """The same of a line outside of clauses: with the clauses that follow it."""
        body = [unit.line for unit in self.units if not unit.is_head and unit.line.text.strip()]
        begins = [line.start for line in body if line.start not in clauses] or [place.at]
        later = [start for start in begins if start > place.at]
        if place.is_alone and later and not any(place.at < start < later[0] for start in clauses):
            later = later[1:]
        earlier = [start for start in begins if start < place.at]
        first = body[0].start if body else place.at
        return (earlier[-1] if earlier else min(first, place.at)), later[0] if later else end

    def _end_before(self, at: int, start: int, days: Period) -> None:
        """Have what was printed from `start` to `at` end."""
        inside = [(one, span) for one, span in enumerate(self.spans) if start <= span[0] < at and span[1] >= at]
        for one, (begun, _, own) in inside:
            self.spans[one] = (begun, at, own.within(days))
        if not inside:
            self.spans.append((start, at, days))

    def _text(self) -> str:
        """As the document has it. What is quoted is blank."""
        texts = (" " * len(unit.line.text) if unit.is_quoted else unit.line.text for unit in self.units)
        joints = ["", *(unit.line.joint for unit in self.units[1:])]
        return "".join(joint + text for joint, text in zip(joints, texts, strict=True))


def _places(units: Iterable[TypedLine]) -> Iterator[_Place]:
    """The marks that stand where one gives days, in order."""
    for unit in units:
        text = unit.line.text
        if unit.is_quoted or unit.line.table or not ("(" in text or "[" in text):
            continue
        for mark in find_marks(text):
            before = text[: mark.start]
            is_last = not text[mark.end :].strip(" \t.:")
            ends = before.rstrip()[-1:] in _ENDS
            is_behind_heading = unit.is_head and is_last and not ends
            begins = unit.line.opens and bool(_LEAD.fullmatch(before) or _TERM.fullmatch(before))
            if is_behind_heading or (begins and (mark.is_closed or is_last)):
                yield _Place(unit, mark, leads=True)
            elif ends and mark.is_closed and text[mark.start] == "(":
                yield _Place(unit, mark, leads=False)
