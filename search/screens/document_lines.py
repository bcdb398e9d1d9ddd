"""A document's text as the reading page shows it: line by line, with what begins there."""

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from django.utils.html import format_html
from django.utils.safestring import SafeString

from kb_project.languages import LANGUAGES
from kb_project.languages.scripts import either
from search.models import Chunk, Provision
from search.provisions import clauses_in, clauses_of
from search.provisions.citing import citation
from search.screens.marked import Ranges, marked
from search.structure.provisions import Kind
from sources.models import Source

DEEPEST = 6  # levels of indentation
_DIVISIONS = {Kind.PART, Kind.CHAPTER, Kind.SCHEDULE}
_NUMBERED = {Kind.SECTION, Kind.ITEM, Kind.PARAGRAPH}
_DEFINITION = re.compile(
    r"(?P<term>[\"“”״„'][^\"“”״\n]{1,80}(?:[\"״][^\"“”״\n]{1,10})?[\"“”״'])"
    rf"(?={either(language.statutes.defines for language in LANGUAGES)})"
)


@dataclass(frozen=True, slots=True)
class Cell:
    """Text that begins at a character of the document."""

    at: int
    text: SafeString


@dataclass(frozen=True, slots=True)
class Line:
    """A line of text, or a row of a table, and what begins with it.

    `level` is how deep it is indented, `anchors` are the addresses of clauses that begin with it. `head` is the part of
    the line that is the heading of `provision`; `cited` is how that is cited.
    """

    level: int = 0
    anchors: Sequence[str] = ()
    begins_page: int | None = None
    provision: Provision | None = None
    is_division: bool = False
    cited: str = ""
    number: Cell | None = None
    """The number, where it stood on the line behind the heading, as laws print headings in the margin."""
    head: Cell | None = None
    body: Cell | None = None
    is_definition: bool = False
    is_bare: bool = False
    """Whether the heading is a number alone, with the text behind it."""
    cells: Sequence[Cell] = ()


@dataclass(frozen=True, slots=True)
class Block:
    """Lines of text, or the rows of a table."""

    is_table: bool
    lines: list[Line] = field(default_factory=list)


def blocks(
    chunks: Sequence[Chunk], provisions: Sequence[Provision], *, source: Source, page_before: int | None, marks: Ranges
) -> list[Block]:
    """The text of consecutive passages; `provisions` are those that lie in it at least in part.

    `marks` are ranges of the document's characters. `page_before` is the page of the passage before.
    """
    made: list[Block] = []
    for line in _lines(chunks, provisions, source=source, page_before=page_before, marks=marks):
        is_table = bool(line.cells)
        if not made or made[-1].is_table != is_table:
            made.append(Block(is_table))
        made[-1].lines.append(line)
    return made


def _lines(
    chunks: Sequence[Chunk], provisions: Sequence[Provision], *, source: Source, page_before: int | None, marks: Ranges
) -> Iterator[Line]:
    if not chunks:
        return
    base = chunks[0].span_start
    text = "".join(part for chunk in chunks for part in (chunk.gap if chunk is not chunks[0] else "", chunk.text))
    begun = {one.span_start: one for one in provisions}  # of several that begin together the innermost
    clauses = _clauses(provisions, text, base)
    starts = sorted(clauses)
    pages = _Pages(chunks, provisions, page_before)
    at = base
    titled: Line | None = None  # a heading whose number stands on the next line
    for written in text.split("\n"):
        start, end = at, at + len(written)
        at = end + 1
        if not written.strip():
            continue
        if titled is not None:
            number_ends = _number_ends(written, titled.provision)
            if number_ends:
                yield replace(titled, number=Cell(start, marked(written, [], end=number_ends)))
                written, start = written[number_ends:], start + number_ends
            else:
                yield titled
            titled = None
            if not written.strip():
                continue
        ranges = [
            (max(first, start) - start, min(last, end) - start) for first, last in marks if first < end and last > start
        ]
        here = clauses.get(start, [])
        above = clauses[starts[place - 1]][-1] if (place := bisect_right(starts, start)) else None
        level = above.depth if above and above.span_end > start else 0
        line = _line(
            written,
            start,
            ranges,
            provision=begun.get(start),
            also=[one.eid for one in provisions if one.span_start == start and one is not begun[start]],
            clauses=here,
            level=min(level, DEEPEST),
            page=pages.begun_by(start),
            source=source,
        )
        if line.provision and line.provision.kind in _NUMBERED and line.provision.number not in written:
            titled = line
        else:
            yield line
    if titled is not None:
        yield titled


def _line(
    text: str,
    at: int,
    ranges: Ranges,
    *,
    provision: Provision | None,
    also: Sequence[str],
    clauses: Sequence[Provision],
    level: int,
    page: int | None,
    source: Source,
) -> Line:
    def cell(start: int, end: int) -> Cell | None:
        return Cell(at + start, marked(text, ranges, start=start, end=end)) if text[start:end].strip() else None

    anchors = [*also, *(one.eid for one in clauses)]
    if provision is not None:
        head = _head_length(text, provision)
        return Line(
            anchors=anchors,
            begins_page=page,
            provision=provision,
            is_division=provision.kind in _DIVISIONS,
            cited=citation(provision, source=source, label=text.strip()[:200]),
            head=cell(0, head),
            body=cell(head, len(text)),
            is_bare=not provision.heading and head < len(text),
        )
    if "\t" in text:
        borders = [found.start() for found in re.finditer("\t", text)]
        spans = zip([0, *(border + 1 for border in borders)], [*borders, len(text)], strict=True)
        cells = [Cell(at + start, marked(text, ranges, start=start, end=end)) for start, end in spans]
        return Line(anchors=anchors, begins_page=page, cells=cells)
    if definition := _DEFINITION.match(text):
        term, rest = marked(text, ranges, end=definition.end()), marked(text, ranges, start=definition.end())
        body = Cell(at, format_html("<dfn>{}</dfn>{}", term, rest))
        return Line(level=level, anchors=anchors, begins_page=page, body=body, is_definition=True)
    return Line(level=level, anchors=anchors, begins_page=page, body=cell(0, len(text)))


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
    """Where in the line the provision's number ends with what stands behind it; 0 if it does not begin with one."""
    number = re.escape(provision.number) if provision else ""
    found = re.match(rf"\W*(?:[^\W\d]+\s+)?{number}[.):]?\s*", text) if number else None
    return found.end() if found else 0


def _clauses(provisions: Sequence[Provision], text: str, base: int) -> Mapping[int, list[Provision]]:
    """The clauses by the character where they begin; `depth` is how deep they lie in their section, from 1.

    `text` stands at `base` in the document; of a provision that is not all in it the text is read.
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
