"""The text of a document, line by line, with what begins there."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from django.utils import timezone, translation
from django.utils.html import format_html
from django.utils.safestring import SafeString

from law.citations.provision_names import citation, name_of
from law.languages.scripts import main_language
from law.structure.definitions import term_opening
from law.structure.provisions import ALWAYS, ProvisionKind
from reading.documents.shown import LineBlock, RenderedCell, RenderedLine, ShownDays, TextAnnotations
from search.shown.marked import MarkedLink, linked
from search.shown.passage_tables import Rows
from sources.models import Chunk, Provision, Source
from sources.provisions import clauses_in, clauses_of
from sources.validity import status_on

DEEPEST = 6  # levels of indentation
_RAISED = re.compile("[⁰¹²³⁴-⁹]+")  # as extraction writes the numbers of footnotes
_NOTE = re.compile(rf"^{_RAISED.pattern}(?=\s*\S)", re.MULTILINE)
_DIVISIONS = {ProvisionKind.PART, ProvisionKind.CHAPTER, ProvisionKind.SCHEDULE}
_NUMBERED = {ProvisionKind.SECTION, ProvisionKind.ITEM, ProvisionKind.PARAGRAPH}


def blocks(
    chunks: Sequence[Chunk],
    provisions: Sequence[Provision],
    *,
    source: Source,
    page_before: int | None,
    overlay: TextAnnotations,
) -> list[LineBlock]:
    """The text of consecutive passages. `provisions` are those that lie in it at least in part.

    `page_before` is the page of the passage before.
    """
    made: list[LineBlock] = []
    text = _Text(chunks, provisions, source=source, page_before=page_before, overlay=overlay) if chunks else None
    for line in text.lines() if text else ():
        is_table = bool(line.cells)
        if not made or made[-1].is_table != is_table or made[-1].table != line.table:
            above = text.rows.above if text and not made else ()
            made.append(LineBlock(is_table, line.table, above=above if is_table else ()))
        made[-1].lines.append(line)
    return made


class _Text:
    """The text of consecutive passages, and what begins where in it, by the characters of the document."""

    def __init__(
        self,
        chunks: Sequence[Chunk],
        provisions: Sequence[Provision],
        *,
        source: Source,
        page_before: int | None,
        overlay: TextAnnotations,
    ) -> None:
        self._source, self._overlay = source, overlay
        self._base = chunks[0].span_start
        self._text = chunks[0].text + "".join(chunk.gap + chunk.text for chunk in chunks[1:])
        self._begun: dict[int, list[Provision]] = {}
        for one in provisions:
            self._begun.setdefault(one.span_start, []).append(one)
        self.rows = Rows(chunks)
        self._clauses = _clauses(provisions, self._text, self._base)
        self._starts = sorted(self._clauses)
        self._defined_at: int | None = None  # how deep the first definition of the provision lies
        self._outdent = 0  # levels by which what follows a definition lies less deep
        self._notes = {self._base + note.start(): note[0] for note in _NOTE.finditer(self._text)}
        self._links = sorted([*overlay.links, *self._note_links()], key=lambda link: link.start)
        self._pages = _Pages(chunks, provisions, page_before)
        self._chunks = chunks
        self._begins = [chunk.span_start for chunk in chunks]
        self._days_said = ALWAYS

    def _note_links(self) -> Iterator[MarkedLink]:
        """The numbers of footnotes in the text, each leading to the next note of that number."""
        places: dict[str, list[int]] = {}
        for at, number in self._notes.items():
            places.setdefault(number, []).append(at)
        for found in _RAISED.finditer(self._text) if places else ():
            start, end = self._base + found.start(), self._base + found.end()
            notes = places.get(found[0], [])
            after = bisect_right(notes, start)
            if start not in self._notes and after < len(notes):
                yield MarkedLink(start, end, f"#note-{notes[after]}", css="note-mark")

    def lines(self) -> Iterator[RenderedLine]:
        """The lines in order, without blank ones. A number behind its heading goes in front of it."""
        titled: RenderedLine | None = None  # a heading whose number stands on the next line
        for start, written in self._written():
            opens = start
            if titled is not None and written.strip():
                number_ends = _number_ends(written, titled.provision)
                number = self._cell(start, start + number_ends) if number_ends else None
                yield replace(titled, number=number)
                written, start, titled = written[number_ends:], start + number_ends, None
            if not written.strip():
                continue
            line = self._with_days(self._line(written, start, opens=opens), start)
            if line.provision and line.provision.kind in _NUMBERED and line.provision.number not in written:
                titled = line
            else:
                yield line
        if titled is not None:
            yield titled

    def _written(self) -> Iterator[tuple[int, str]]:
        """The lines as they stand in the document, cut where days of their own begin, each with its first character."""
        pairs = pairwise(self._chunks)
        borders = [chunk.span_start for before, chunk in pairs if before.days != chunk.days]
        at = self._base
        for written in self._text.split("\n"):
            end = at + len(written)
            cuts = [at, *(border for border in borders if at < border < end), end]
            yield from ((first, written[first - at : last - at]) for first, last in pairwise(cuts))
            at = end + 1

    def _with_days(self, line: RenderedLine, at: int) -> RenderedLine:
        chunk = self._chunks[max(bisect_right(self._begins, at) - 1, 0)]
        days = chunk.days
        if line.provision is not None and line.provision.days == ALWAYS and not line.body:
            days = ALWAYS  # the heading goes with the first part of its section, whose days are not its own
        said, self._days_said = self._days_said, days
        if days == ALWAYS:
            return line
        followed = any(one.section_key == chunk.section_key and one.days.first >= days.until for one in self._chunks)
        status = status_on(timezone.localdate(), days, is_followed=followed)
        return replace(
            line,
            days=ShownDays(days.begin, days.end, status),
            says_days=days != said or line.provision is not None,
        )

    def _line(self, text: str, at: int, *, opens: int) -> RenderedLine:
        """What stands at a place, of a line that `opens` there or before, with a number that went elsewhere."""
        end = at + len(text)
        *outer, provision = self._begun.get(at, [None])  # of several that begin together the innermost is shown
        anchors = [one.eid for one in (*outer, *self._clauses.get(opens, ())) if one]
        begun = RenderedLine(anchors=anchors, begins_page=self._pages.begun_by(at), level=self._level(at))
        if provision is not None:
            self._defined_at, self._outdent = None, 0
            head = _head_length(text, provision)
            number = min(_number_ends(text, provision), head) if provision.kind in _NUMBERED else 0
            cited = citation(provision, source=self._source, label=text.strip()[:200])
            return replace(
                begun,
                provision=provision,
                is_division=provision.kind in _DIVISIONS,
                cited_by=self._overlay.cited.get(provision.eid, 0),
                cited=cited,
                place=name_of(provision, source=self._source),
                is_signature=provision.pk in self._overlay.signatures,
                coming=next(filter(None, (self._overlay.coming.get(one.eid) for one in (provision, *outer))), None),
                holds=self._said(provision, cited),
                number=self._cell(at, at + number),
                head=self._cell(at + number, at + head),
                body=self._cell(at + head, end),
                is_bare=not provision.heading and head < len(text),
            )
        if "\t" in text or at in self.rows:
            borders = [found.start() for found in re.finditer("\t", text)]
            spans = zip([0, *(border + 1 for border in borders)], [*borders, len(text)], strict=True)
            cells = [RenderedCell(at + first, self._html(at + first, at + last)) for first, last in spans]
            return replace(begun, cells=cells, is_head=self.rows.is_head(at), table=self.rows.table(at))
        if at in self._notes:
            return replace(begun, body=self._cell(at, end), is_note=True, level=0)
        if definition := term_opening(text):
            begun = replace(begun, level=self._definition_level(at))
            term, rest = self._html(at, at + definition.end), self._html(at + definition.end, end)
            return replace(begun, body=RenderedCell(at, format_html("<dfn>{}</dfn>{}", term, rest)), is_definition=True)
        return replace(begun, body=self._cell(at, end))

    def _said(self, provision: Provision, cited: str) -> str:
        if provision.days.within(self._source.days).hold(timezone.localdate()):
            return ""
        with translation.override(main_language(cited).code):
            return self._source.said_on(provision=provision)

    def _cell(self, start: int, end: int) -> RenderedCell | None:
        """The characters of the document, if there is anything but white space."""
        return (
            RenderedCell(start, self._html(start, end))
            if self._text[start - self._base : end - self._base].strip()
            else None
        )

    def _html(self, start: int, end: int) -> SafeString:
        """The characters of the document as they are shown."""
        marks = [(first - start, last - start) for first, last in self._overlay.marks if first < end and last > start]
        links = [
            replace(link, start=link.start - start, end=link.end - start)
            for link in self._links
            if link.start < end and link.end > start
        ]
        return linked(self._text[start - self._base : end - self._base], marks, links, start=0, end=end - start)

    def _level(self, at: int) -> int:
        """How deep a line is indented: as the last clause that began before it, if that goes on."""
        return min(max(self._depth(at) - self._outdent, 0), DEEPEST)

    def _depth(self, at: int) -> int:
        place = bisect_right(self._starts, at)
        above = self._clauses[self._starts[place - 1]][-1] if place else None
        return above.depth if above and above.span_end > at else 0

    def _definition_level(self, at: int) -> int:
        """That of the first definition of the provision: the clauses of one definition do not hold the next."""
        depth = self._depth(at)
        self._defined_at = depth if self._defined_at is None else self._defined_at
        self._outdent = max(depth - self._defined_at, 0)
        return self._level(at)


def _head_length(text: str, provision: Provision) -> int:
    """How much of a provision's first line is its heading: all, or only the number before its text."""
    if provision.kind not in _NUMBERED or provision.number not in text:
        return len(text)
    number_ends = _number_ends(text, provision) or len(text)
    rest = " ".join(text[number_ends:].split()).rstrip(" :–—-")
    if not rest or rest == provision.heading:
        return len(text)
    if provision.heading and (ends := text.find(provision.heading, number_ends)) == number_ends:
        return ends + len(provision.heading)
    return number_ends


def _number_ends(text: str, provision: Provision | None) -> int:
    """Where in the line the provision's number ends with what stands behind it, or 0 if it does not begin with one."""
    number = re.escape(provision.number) if provision else ""
    found = re.match(rf"\W*(?:[^\W\d]+\s+)?{number}[.):\]]?\s*", text) if number else None
    return found.end() if found else 0


def _clauses(provisions: Sequence[Provision], text: str, base: int) -> Mapping[int, list[Provision]]:
    """The clauses by the character where they begin. `depth` is how deep they lie in their section, from 1.

    `text` stands at `base` in the document. Of a provision that is not all in it the text is read.
    """
    found: dict[int, list[Provision]] = {}
    for one in provisions:
        if one.kind not in _NUMBERED:
            continue
        start, end = one.span_start - base, one.span_end - base
        inside = clauses_of(one, text[start:end]) if start >= 0 and end <= len(text) else clauses_in(one)
        for clause in inside:
            clause.depth -= one.depth
            found.setdefault(clause.span_start, []).append(clause)
    return found


class _Pages:
    """Which page begins with a line."""

    def __init__(self, chunks: Sequence[Chunk], provisions: Sequence[Provision], before: int | None) -> None:
        places: list[Chunk | Provision] = [*chunks, *provisions]
        known = [(one.span_start, one.page) for one in places if one.page is not None]
        self._known = sorted((at, page) for at, page in known if at >= chunks[0].span_start)
        self._last = before or 0

    def begun_by(self, at: int) -> int | None:
        """The page, if it is another than that of the line before."""
        begun = None
        while self._known and self._known[0][0] <= at:
            _, page = self._known.pop(0)
            if page > self._last:
                begun = self._last = page
        return begun
