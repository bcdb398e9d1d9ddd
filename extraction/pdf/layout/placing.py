"""Puts further lines among those of a page: notes of its margin, what is typed over it or beside its text layer."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from extraction.pdf.glyphs.model import BoundingBox, TextLine
from extraction.pdf.text.legal_marks import begins_section
from extraction.text.characters import HEBREW

NEXT_LINE = 1.7  # sizes between the lines of one note
LEVEL = 0.4  # sizes between the baselines of what stands side by side ...
SAME_LINE = 0.15  # ... and of a note and the section that it begins beside, right below another note
NEAR_SECTION = 1.4  # sizes by which a note may stand off the first line of its section

Lines = list[TextLine]


def with_notes_in_place(lines: Sequence[TextLine], notes: Sequence[TextLine]) -> list[TextLine]:
    """All lines in reading order. What stands above or below the text is no note."""
    sections = [line for line in lines if begins_section(line.text)]
    placed: dict[int, list[TextLine]] = {}
    place, before = 0, None
    for note in sorted(notes, key=lambda line: -line.baseline):
        beside = _nearest(note, sections, SAME_LINE)
        if before is None or beside or note.baseline < before.baseline - NEXT_LINE * before.size:
            beside = beside or _nearest(note, lines, LEVEL)
            is_note = beside is not None
            beside = _nearest(note, sections, NEAR_SECTION) or beside
            place = lines.index(beside) if beside else _below(note, lines)
        placed.setdefault(place, []).append(replace(note, note=is_note))
        before = note
    return [one for place in range(len(lines) + 1) for one in (*placed.get(place, ()), *lines[place : place + 1])]


def _nearest(note: TextLine, lines: Sequence[TextLine], sizes: float) -> TextLine | None:
    near = [line for line in lines if abs(line.baseline - note.baseline) <= sizes * max(line.size, note.size)]
    return min(near, key=lambda line: abs(line.baseline - note.baseline), default=None)


def _below(note: TextLine, lines: Sequence[TextLine]) -> int:
    return next((place for place, line in enumerate(lines) if line.baseline < note.baseline), len(lines))


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
