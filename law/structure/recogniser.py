"""Finds sections, their headings and the chapters above them in a stream of lines, a few lines ahead at most."""

import re
from collections.abc import Iterable, Iterator
from itertools import chain, pairwise
from typing import NamedTuple

from law.languages import LANGUAGES
from law.languages.scripts import either
from law.structure.chapters import Chapters
from law.structure.contents import Contents
from law.structure.day_marks import is_mark
from law.structure.headings import Division, looks_like_heading, read_division, tidy
from law.structure.lines import Line
from law.structure.numbers import Label, Style, is_below, read_label
from law.structure.provisions import Cut, Provision, Section, Unit
from law.structure.sequence import Sequence

_LETTERED = either(
    f"(?P<{language.code}>{language.statutes.clause_letters})"
    for language in LANGUAGES
    if language.statutes.clause_letters
)
_CLAUSE = re.compile(rf"\((?:{_LETTERED}|(?P<digit>\d{{1,3}})|(?P<lower>[a-z]{{1,5}})|(?P<upper>[A-Z]{{1,3}}))\)")
_RUN_IN_HEADING = re.compile(r"([A-Z][^.]{2,70})\.\s*(?:[–—-]\s*)?(?=[A-Z(\"“])")
_ENDED = re.compile(r"[.!?][\"'”“״)\]]*$")
_FINISHED = re.compile(r"[.!?:;–\d][\"'”“״)\]]*$")
_TITLES_HELD = 3
_SETTLED = 3  # inline headings after which a document is taken to have no marginal ones


class _Waiting(NamedTuple):
    """A line that heads what comes, and the provisions that begin with it."""

    line: Line
    begins: tuple[Provision, ...] = ()


class _NumberLine(NamedTuple):
    """A number line with nothing but its heading: a section, or a heading above deeper numbers."""

    label: Label
    heading: str
    provision: Provision
    lines: list[_Waiting]
    has_text: bool  # behind its number


class Recogniser:
    """Turns lines into units; `statutory` for laws and regulations, in other documents headings cut softly.

    Lines wait in three places until the next shows what they are: `_front` (chapter lines, which go with the
    section that follows), `_titles` (what looks like a heading) and `_numbered`.
    """

    def __init__(self, *, statutory: bool) -> None:
        self._statutory = statutory
        self._sequence = Sequence()
        self._chapters = Chapters()
        self._contents = Contents()
        self._front: list[_Waiting] = []
        self._titles: list[Line] = []
        self._numbered: _NumberLine | None = None
        self._previous = ""  # the text before the lines that wait
        self._clauses: list[str] = []
        self._inline = self._marginal = 0
        self._topic = ""  # the heading that unnumbered and numbered paragraphs of prose stand under
        self._topic_provision: Provision | None = None
        self._glue = False

    def units(self, lines: Iterable[Line]) -> Iterator[Unit]:
        """Every line once, in order."""
        for line, following in _with_next(lines):
            text = line.text.strip()
            if not line.opens or not text or line.is_data:
                yield from self._settle()
                yield self._body(line, text, cut=Cut.LINE if line.joint == " " or line.is_data else Cut.NEVER)
            elif self._contents.holds(text, following) or self._sequence.is_quoted(text, self._previous):
                yield from self._settle()
                yield self._body(line, text, cut=Cut.LINE)._replace(is_quoted=True)
            elif (division := read_division(text)) is not None:
                yield from self._division(line, division)
            else:
                yield from self._line(line, text)
        yield from self._settle()

    def _line(self, line: Line, text: str) -> Iterator[Unit]:
        label = read_label(text)
        continues = False
        if label is not None and self._may_be_section(label):
            heading, used = self._heading_of(label)
            evidence = bool(heading or label.above or label.clause or not label.rest) or label.style is Style.WORD
            if self._sequence.accepts(label, evidence=evidence, previous=self._previous):
                yield from self._section(line, label, heading, used)
                return
            continues = label.key == self._sequence.last and not label.behind
        if not continues and looks_like_heading(text) and not is_mark(text) and self._may_stand_here():
            yield from self._title(line)
        else:
            yield from self._settle()
            yield self._body(line, text, cut=Cut.CLAUSE if continues else self._clause_cut(text))

    def _may_be_section(self, label: Label) -> bool:
        if label.behind and (not self._statutory or (self._titles and self._sequence.last)):
            return False
        if not self._statutory:  # `סעיף 12.` is quoted from a law; what the document numbers itself are paragraphs
            return label.style is not Style.WORD
        # `Section 19` alone below `Schedule 1` is the section that the schedule belongs to.
        names_section = label.style is Style.WORD and not label.rest and self._chapters.begins_annex()
        return label.style is not Style.BRACKET and not (names_section and bool(self._front))

    def _may_stand_here(self) -> bool:
        """In prose a heading follows a finished sentence; else short lines of wrapped text would all be headings."""
        waits = self._titles or self._front or self._numbered
        return bool(self._statutory or waits or not self._previous or _FINISHED.search(self._previous))

    # The roles a line can have

    def _division(self, line: Line, division: Division) -> Iterator[Unit]:
        if self._front:
            self._entitle(self._titles)
            self._titles = []
        else:
            yield from self._settle()
        if division.annex:
            self._sequence.restart()
        self._front.append(_Waiting(line, (self._chapters.open(division),)))
        self._topic_provision = None
        self._previous = ""

    def _title(self, line: Line) -> Iterator[Unit]:
        if self._numbered or len(self._titles) == _TITLES_HELD:
            yield from self._settle()
        self._titles.append(line)

    def _section(self, line: Line, label: Label, heading: str, used: int) -> Iterator[Unit]:
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
            self._entitle(unused)
        else:
            yield from self._plain_titles(unused)
        opened = self._chapters.open_named(label.above)
        self._inline += bool(heading) and not used
        self._marginal += used > 0
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
        has_text = bool(label.rest) and tidy(label.rest) != heading
        self._numbered = _NumberLine(label, heading, provision, [*self._front, *lines], has_text)
        self._front, self._titles = [], []
        self._clauses.clear()
        self._previous = ""
        if has_text:
            yield from self._settle()
            self._glue = False
            self._previous = label.rest
            self._sequence.body(label.rest)

    def _provision(self, label: Label, heading: str) -> Provision:
        parent, topic = self._chapters.innermost(label.key), self._topic_provision
        if topic and topic.parent is parent:
            parent = topic
        unit = "para" if not self._statutory else "item" if self._chapters.is_annex() else "sec"
        return Provision(unit=unit, number=label.number, heading=heading, parent=parent)

    def _heading(self, heading: str) -> Provision:
        return Provision(unit="hcontainer", heading=heading, parent=self._chapters.innermost())

    def _body(self, line: Line, text: str, *, cut: Cut) -> Unit:
        if text:
            self._sequence.body(text)
            self._previous = text
            cut = Cut.NEVER if self._glue else cut
            self._glue = False
        return Unit(line, cut)

    def _clause_cut(self, text: str) -> Cut:
        """Clauses of the kind that comes first in the section are its outermost."""
        found = _CLAUSE.match(text)
        if found is None:
            return Cut.LINE
        kind = found.lastgroup or ""
        if kind not in self._clauses:
            self._clauses.append(kind)
        return Cut.CLAUSE if kind == self._clauses[0] else Cut.SUBCLAUSE

    # Lines that waited

    def _settle(self) -> Iterator[Unit]:
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
            if own:
                inside = self._heading(heading)
                lines.append(_Waiting(own[0], (inside,)))
            self._front, self._titles = [], []
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

    def _open(self, section: Section, lines: list[_Waiting], *, has_text: bool = False) -> Iterator[Unit]:
        for index, (line, begins) in enumerate(lines, 1 - len(lines)):
            first, is_head = index == 1 - len(lines), not (has_text and index == 0)
            yield Unit(line, Cut.HEADING if first else Cut.NEVER, section if first else None, begins, is_head)
        self._glue = True

    def _plain_titles(self, titles: list[Line]) -> Iterator[Unit]:
        """Short lines that head no section: sub-headings inside one, items of a list, signatures."""
        for line in titles:
            text = line.text.strip()
            yield self._body(line, text, cut=Cut.HEADING)
            self._glue = looks_like_heading(text)

    def _entitle(self, titles: list[Line]) -> None:
        """The chapter's title stood on lines of its own."""
        if titles and self._chapters.is_bare():
            self._chapters.entitle(tidy(" ".join(line.text for line in titles)))
        self._front.extend(map(_Waiting, titles))

    def _heading_of(self, label: Label) -> tuple[str, int]:
        """The heading of a section, and how many of the waiting titles it is."""
        if label.heading:
            return tidy(label.heading), 0
        titles = self._titles
        expects_marginal = self._marginal > self._inline
        if looks_like_heading(label.rest) and not (titles and expects_marginal):
            return tidy(label.rest), 0
        if label.style is Style.WORD and (run_in := _RUN_IN_HEADING.match(label.rest)):
            return run_in.group(1), 0
        ended = _ENDED.search(self._previous) is not None
        settled = self._inline >= _SETTLED and not self._marginal
        if not titles or not (ended or self._front or not self._previous or (expects_marginal and not settled)):
            return "", 0
        if not self._previous and not self._front and len(titles) == 1:
            return "", 0  # the title of the document
        count = len(titles) if ended or self._front else 1
        if self._front and self._chapters.is_bare() and count > 1:
            count -= 1
        return tidy(" ".join(line.text for line in titles[-count:])), count


def _with_next(lines: Iterable[Line]) -> Iterator[tuple[Line, str]]:
    """Each line with the text of the one after it."""
    for line, following in pairwise(chain(lines, [None])):
        if line is not None:
            yield line, following.text.strip() if following else ""
