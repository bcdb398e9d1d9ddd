"""What a wide gap inside a line means: a side heading, a row of a table without rulings, or nothing."""

import re
from collections.abc import Sequence
from dataclasses import replace

from extraction.pdf.glyphs.model import TextLine
from extraction.pdf.text.line_ends import SECTION_NUMBER

MAX_SIDE_HEADING = 60  # characters of one line of it
NEAR_ROWS = 3.0  # sizes between rows of one table
BARE_MARKER = re.compile(r"\(?[א-תa-zA-Z0-9]{1,4}[.)](?:\s*\([א-תa-z0-9]{1,3}\))*$|[•▪●■◦·–-]$|[¹²³⁰⁴-⁹]+$")


def settle_wide_gaps(lines: Sequence[TextLine], *, hebrew: bool) -> list[TextLine]:
    """Lines whose tabs separate table cells only. Side headings come before their section."""
    settled: list[TextLine] = []
    place = 0
    while place < len(lines):
        line = lines[place]
        if line.is_row or not line.gaps:
            settled.append(line)
            place += 1
            continue
        line = _without_marker_gap(line)
        split = _side_heading(line, hebrew=hebrew) if line.gaps else None
        if split is None:
            settled.append(_row_or_text(line, lines, place))
            place += 1
            continue
        headings, bodies = [split[0]], [split[1]]
        place += 1
        while place < len(lines):
            more = _beside(lines[place], headings[0], bodies[0], hebrew=hebrew)
            if more is None:
                break
            headings.append(more[0])
            bodies.append(more[1])
            place += 1
        settled += headings + bodies
    return settled


def _without_marker_gap(line: TextLine) -> TextLine:
    """A marker and its text are one: "(א)", wide gap, "בעל רישיון"."""
    cells, gaps = line.text.split("\t"), list(line.gaps)
    while gaps and BARE_MARKER.match(cells[0].strip()):
        cells[0:2] = [f"{cells[0].strip()} {cells[1].strip()}"]
        del gaps[0]
    return replace(line, text="\t".join(cells), gaps=tuple(gaps))


def _side_heading(line: TextLine, *, hebrew: bool) -> tuple[TextLine, TextLine] | None:
    """A heading in the margin and the section it stands beside, when the line is both."""
    cells = line.text.split("\t")
    for number in range(1, len(cells)):
        if SECTION_NUMBER.match(cells[number]):
            heading = " ".join(cells[:number])
            is_heading = len(heading) <= MAX_SIDE_HEADING and heading[0].isalpha()
            return _split(line, number, hebrew=hebrew) if is_heading else None
    return None


def _beside(line: TextLine, heading: TextLine, body: TextLine, *, hebrew: bool) -> tuple[TextLine, TextLine] | None:
    """The next line of a side heading and of the text beside it, when both were drawn as one line."""
    if line.is_row or not line.gaps or line.text.count("\t") != len(line.gaps):
        return None
    low, high = line.gaps[0]
    between = (heading.left, body.right) if hebrew else (body.left, heading.right)
    boundary = sum(between) / 2
    if not low <= boundary <= high:
        return None
    return _split(line, 1, hebrew=hebrew)


def _split(line: TextLine, number: int, *, hebrew: bool) -> tuple[TextLine, TextLine]:
    """The cells before `number` and those from it on, as two lines."""
    cells = line.text.split("\t")
    low, high = line.gaps[number - 1]
    first, second = " ".join(cells[:number]), " ".join(cells[number:])
    if hebrew:
        return replace(line, text=first, left=high, gaps=()), replace(line, text=second, right=low, gaps=())
    return replace(line, text=first, right=low, gaps=()), replace(line, text=second, left=high, gaps=())


def _row_or_text(line: TextLine, lines: Sequence[TextLine], place: int) -> TextLine:
    """A row if a line above or below has a gap over the same place. Otherwise the gap was only a wide space."""
    for neighbour in (lines[place - 1] if place else None, lines[place + 1] if place + 1 < len(lines) else None):
        if (
            neighbour is not None
            and not neighbour.is_row
            and abs(neighbour.baseline - line.baseline) < NEAR_ROWS * line.size
            and any(_overlap(gap, other) for gap in line.gaps for other in neighbour.gaps)
        ):
            return replace(line, is_row=True)
    return replace(line, text=line.text.replace("\t", " "), gaps=())


def _overlap(gap: tuple[float, float], other: tuple[float, float]) -> bool:
    return min(gap[1], other[1]) > max(gap[0], other[0])
