"""Puts further lines among those of a page: what is typed over it, what is said beside its text layer."""

from collections.abc import Iterable

from extraction.pdf.glyphs.model import BoundingBox, TextLine
from extraction.text.characters import HEBREW

Lines = list[TextLine]


def with_lines(lines: Lines, further: Iterable[TextLine], *, hebrew_page: bool = False) -> Lines:
    """All lines in reading order: each further one is before the first of the others that begins below it.

    In a ruled table it becomes text of its cell. No other table is parted.
    """
    placed = list(lines)
    for line in further:
        if _put_into_cell(placed, line, hebrew_page=hebrew_page):
            continue
        below = (place for place, other in enumerate(placed) if other.top < line.baseline)
        place = next(below, len(placed))
        while 0 < place < len(placed) and placed[place].is_row and placed[place - 1].is_row:
            place += 1
        placed.insert(place, line)
    return placed


def is_under(line: TextLine, other: TextLine | BoundingBox) -> bool:
    """Whether most of a line is where the other is."""
    bottom = other.bottom if isinstance(other, BoundingBox) else other.baseline
    width = min(line.right, other.right) - max(line.left, other.left)
    return width > 0.5 * (line.right - line.left) and bottom < (line.top + line.baseline) / 2 < other.top


def _put_into_cell(lines: Lines, line: TextLine, *, hebrew_page: bool) -> bool:
    height, across = (line.top + line.baseline) / 2, (line.left + line.right) / 2
    for row in lines:
        cells = row.text.split("\t")
        if not (row.edges and row.baseline < height < row.top and len(cells) == len(row.edges) - 1 > 1):
            continue
        place = sum(edge < across for edge in row.edges) - 1
        if not 0 <= place < len(cells):
            continue
        if hebrew_page and any(other.edges is row.edges and HEBREW.search(other.text) for other in lines):
            place = len(cells) - 1 - place  # read from the right
        cells[place] = f"{cells[place]} {' '.join(line.text.split())}".strip()
        row.text = "\t".join(cells)
        return True
    return False
