"""Finds sections, their headings and the chapters above them in the lines of a document."""

from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice
from typing import NamedTuple

from law.languages import LANGUAGES
from law.languages.scripts import either
from law.patterns import regex
from law.structure.lines.captions import MAX_LINES, caption_length, is_author
from law.structure.lines.day_marks import is_mark
from law.structure.lines.document_lines import DocumentLine, readable
from law.structure.lines.headings import HeadingDivision, first_title, looks_like_heading, tidy
from law.structure.lines.number_keys import Key, SectionNumber, is_below
from law.structure.numbering.choosing import find_numbering
from law.structure.numbering.scanning import MAX_NOTED, MAX_TITLES, scan
from law.structure.numbering.section_headings import headings_of
from law.structure.numbering.shown_headings import NONE as NO_HEADING
from law.structure.numbering.summary import NONE_FOUND, NumberingSummary, ReadNumbers
from law.structure.provisions import BreakQuality, Chapters, ParsedProvision, Section, TypedLine

_LETTERED = either(
    f"(?P<{language.code}>{language.statutes.clause_letters})"
    for language in LANGUAGES
    if language.statutes.clause_letters
)
_CLAUSE = regex(
    rf"\((?:{_LETTERED}|(?P<digit>\d{{1,3}})|(?P<lower>[a-z]{{1,5}})|(?P<upper>[A-Z]{{1,3}}))(?:\.\d{{1,2}})?\)"
)
_FINISHED = regex(r"[.!?:;–\d][\"'”“״)\]]*$")
READ_TOGETHER = 50_000  # lines; some thousand pages


class _Waiting(NamedTuple):
    """A line that heads what comes, and the provisions that begin with it."""

    line: DocumentLine
    begins: tuple[ParsedProvision, ...] = ()


class _NumberLine(NamedTuple):
    """A number line with nothing but its heading: a section, or a heading above deeper numbers."""

    label: SectionNumber
    heading: str
    provision: ParsedProvision
    lines: list[_Waiting]
    has_text: bool  # behind its number


class Recogniser:
    """Turns lines into units. `statutory` for laws and regulations, in other documents headings cut softly.

    `judged` for judgments: their captions have neither headings nor numbers, and who writes an opinion heads it.

    Lines wait in three places until the next shows what they are: `_front` (chapter lines, which go with the
    section that follows), `_titles` (what looks like a heading) and `_numbered`. Of a longer document, `most_lines` are
    read together.
    """

    def __init__(self, *, statutory: bool, judged: bool = False, most_lines: int = READ_TOGETHER) -> None:
        self._statutory = statutory
        self._judged = judged
        self._most_lines = most_lines
        self._most_titles = MAX_NOTED + 1 if statutory else MAX_TITLES
        self._chapters = Chapters()
        self._front: list[_Waiting] = []
        self._titles: list[DocumentLine] = []
        self._numbered: _NumberLine | None = None
        self._previous = ""  # the text before the lines that wait
        self._clauses: list[str] = []
        self._topic = ""  # the heading that unnumbered and numbered paragraphs of prose stand under
        self._topic_provision: ParsedProvision | None = None
        self._glue = False
        self._last: Key = ()
        self._read = ReadNumbers()
        self._has_text = False

    def summary(self) -> NumberingSummary | None:
        """What the numbers of the lines so far are like. That a law or regulation has none is not certain."""
        found = self._read.summary()
        return NONE_FOUND if found is None and self._statutory and self._has_text else found

    def units(self, lines: Iterable[DocumentLine]) -> Iterator[TypedLine]:
        """Every line once, in order."""
        lines = iter(lines)
        if self._judged:
            head = list(islice(lines, MAX_LINES))
            length = caption_length([readable(line) for line in head])
            yield from (self._body(line, readable(line), cut=BreakQuality.LINE) for line in head[:length])
            self._previous = "." if length else ""  # a caption ends as a sentence does: a heading may follow
            lines = chain(head[length:], lines)
        while stretch := list(islice(lines, self._most_lines)):
            yield from self._stretch(stretch)
        yield from self._settle()

    def _stretch(self, lines: Sequence[DocumentLine]) -> Iterator[TypedLine]:
        """The lines are read twice: first for the numbering of all of them, then each for its role."""
        titled = bool(self._previous)
        found = scan(lines, statutory=self._statutory, titled=titled)
        numbering = find_numbering(found)
        if amid := found.opening_nothing(numbering.crossed):
            found = scan(lines, statutory=self._statutory, titled=titled, opening_nothing=amid)
            numbering = find_numbering(found)
        borders = numbering.divisions(found)
        texts = [readable(line) for line in lines]
        self._read.add(found, numbering, texts)
        self._has_text = self._has_text or any(texts)
        headings = headings_of(numbering.members.values(), texts, borders, titled=titled)
        labels = {one.place: one.label for one in found.candidates}
        titles = {
            title
            for place, heading in headings.items()
            for title in numbering.members[place].titles[len(numbering.members[place].titles) - heading.titles :]
        }
        below = -1
        for place, (line, text) in enumerate(zip(lines, texts, strict=True)):
            if not line.opens or not text or line.is_data:
                yield from self._settle()
                cut = BreakQuality.LINE if line.joint == " " or line.is_data else BreakQuality.NEVER
                yield self._body(line, text, cut=cut)
            elif place == below and self._numbered:
                self._numbered.lines.append(_Waiting(line))
            elif place in found.origins and self._front:
                self._front.append(_Waiting(line))
            elif place in found.quoted:
                yield from self._settle()
                yield self._body(line, text, cut=BreakQuality.LINE)._replace(is_quoted=True)
            elif place in borders:
                yield from self._division(line, borders[place])
            elif place in numbering.members:
                label, heading = numbering.members[place].label, headings.get(place, NO_HEADING)
                below = place + 1 if heading.is_below else -1
                self._last = label.key
                yield from self._section(line, label, heading.text, min(heading.titles, len(self._titles)))
            elif place in titles:
                yield from self._title(line)
            else:
                yield from self._line(line, text, labels.get(place))

    def _line(self, line: DocumentLine, text: str, label: SectionNumber | None) -> Iterator[TypedLine]:
        continues = label is not None and label.key == self._last and not label.behind
        if self._judged and is_author(text):
            yield from self._title(line)
            yield from self._settle()
        elif not continues and looks_like_heading(text) and not is_mark(text) and self._may_stand_here():
            yield from self._title(line)
        else:
            yield from self._settle()
            yield self._body(line, text, cut=BreakQuality.CLAUSE if continues else self._clause_cut(text))

    def _may_stand_here(self) -> bool:
        """In prose a heading follows a finished sentence, else short lines of wrapped text would all be headings."""
        waits = self._titles or self._front or self._numbered
        return bool(self._statutory or waits or not self._previous or _FINISHED.search(self._previous))

    # The roles a line can have

    def _division(self, line: DocumentLine, division: HeadingDivision) -> Iterator[TypedLine]:
        if self._front:
            self._entitle(self._titles)
            self._titles = []
        else:
            yield from self._settle()
        if division.annex:
            self._last = ()
        self._front.append(_Waiting(line, (self._chapters.open(division),)))
        self._topic_provision = None
        self._previous = ""

    def _title(self, line: DocumentLine) -> Iterator[TypedLine]:
        if self._numbered or len(self._titles) == self._most_titles:
            yield from self._settle()
        self._titles.append(line)

    def _section(self, line: DocumentLine, label: SectionNumber, heading: str, used: int) -> Iterator[TypedLine]:
        above = self._numbered
        if above and is_below(above.label.key, label.key):
            name = f"{above.label.number} {above.heading}".strip()
            self._chapters.add_heading(above.label.key, name, above.provision)
            self._front, self._numbered = above.lines, None
        elif above:
            yield from self._settle()
        unused = self._titles[: len(self._titles) - used]
        self._titles = self._titles[len(unused) :]
        if self._front:
            self._entitle(unused, before_section=True)
        else:
            yield from self._plain_titles(unused)
        opened = self._chapters.open_named(label.above)
        above_it = [_Waiting(title) for title in self._titles]
        if above_it and not self._statutory:  # a heading of prose stands over the paragraphs that follow
            self._topic_provision = self._heading(heading)
            above_it[0] = _Waiting(self._titles[0], (*opened, self._topic_provision))
            provision = self._provision(label, "")
            lines = [*above_it, _Waiting(line, (provision,))]
        else:
            provision = self._provision(label, heading)
            lines = [*above_it, _Waiting(line)]
            lines[0] = lines[0]._replace(begins=(*opened, provision))
        has_text = bool(label.rest) and tidy(label.rest).rstrip(".") != heading
        self._numbered = _NumberLine(label, heading, provision, [*self._front, *lines], has_text)
        self._front, self._titles = [], []
        self._clauses.clear()
        self._previous = ""
        if has_text:
            yield from self._settle()
            self._glue = False
            self._previous = label.rest

    def _provision(self, label: SectionNumber, heading: str) -> ParsedProvision:
        parent, topic = self._chapters.innermost(label.key), self._topic_provision
        if topic and topic.parent is parent:
            parent = topic
        unit = "para" if not self._statutory else "item" if self._chapters.is_annex() else "sec"
        return ParsedProvision(unit=unit, number=label.number, heading=heading, parent=parent)

    def _heading(self, heading: str) -> ParsedProvision:
        return ParsedProvision(unit="hcontainer", heading=heading, parent=self._chapters.innermost())

    def _body(self, line: DocumentLine, text: str, *, cut: BreakQuality) -> TypedLine:
        if text:
            self._previous = text
            cut = BreakQuality.NEVER if self._glue else cut
            self._glue = False
        return TypedLine(line, cut)

    def _clause_cut(self, text: str) -> BreakQuality:
        """Clauses of the kind that comes first in the section are its outermost."""
        found = _CLAUSE.match(text)
        if found is None:
            return BreakQuality.LINE
        kind = found.lastgroup or ""
        if kind not in self._clauses:
            self._clauses.append(kind)
        return BreakQuality.CLAUSE if kind == self._clauses[0] else BreakQuality.SUBCLAUSE

    # Lines that waited

    def _settle(self) -> Iterator[TypedLine]:
        """Body text follows: what waits is what heads it."""
        if self._numbered:
            label, heading, provision, lines, has_text = self._numbered
            self._numbered = None
            heading = heading or ("" if self._statutory else self._topic)
            path = self._chapters.path(label.key)
            yield from self._open(Section(label.number, heading, path, provision=provision), lines, has_text=has_text)
        if self._front:
            own = self._titles[-1:] if not self._statutory else []
            self._entitle(self._titles[: len(self._titles) - len(own)])
            heading = tidy(own[0].text) if own else ""
            lines, inside = [*self._front], self._chapters.innermost()
            self._front, self._titles = [], []
            if own:
                inside = self._heading(heading)
                lines.append(_Waiting(own[0], (inside,)))
            yield from self._open(Section(heading=heading, path=self._chapters.path(), provision=inside), lines)
        elif self._titles:
            titles, self._titles = self._titles, []
            if self._statutory:
                yield from self._plain_titles(titles)
            else:
                heading = tidy(titles[-1].text)
                path, provision = self._chapters.path(), self._heading(heading)
                # The title of the document heads no paragraph.
                self._topic, self._topic_provision = (heading, provision) if self._previous else ("", None)
                lines = [_Waiting(titles[0], (provision,)), *map(_Waiting, titles[1:])]
                yield from self._open(Section(heading=heading, path=path, soft=True, provision=provision), lines)

    def _open(self, section: Section, lines: list[_Waiting], *, has_text: bool = False) -> Iterator[TypedLine]:
        for index, (line, begins) in enumerate(lines, 1 - len(lines)):
            first, is_head = index == 1 - len(lines), not (has_text and index == 0)
            yield TypedLine(
                line, BreakQuality.HEADING if first else BreakQuality.NEVER, section if first else None, begins, is_head
            )
        self._glue = True

    def _plain_titles(self, titles: list[DocumentLine]) -> Iterator[TypedLine]:
        """Short lines that head no section: sub-headings inside one, items of a list, signatures."""
        for line in titles:
            text = line.text.strip()
            yield self._body(line, text, cut=BreakQuality.HEADING)
            self._glue = looks_like_heading(text)

    def _entitle(self, titles: list[DocumentLine], *, before_section: bool = False) -> None:
        """The chapter's title stood on lines of its own."""
        if titles and self._chapters.is_bare():
            texts = (line.text.strip() for line in titles)
            self._chapters.entitle(first_title(texts, before_section=before_section))
        self._front.extend(map(_Waiting, titles))
