"""Puts lines in their places: notes of a margin, what is typed beside the text, what is drawn twice or astray."""

from collections.abc import Iterable, Sequence
from dataclasses import replace

from extraction.pdf.glyphs.model import BoundingBox, TextLine
from extraction.pdf.text.line_ends import begins_section
from extraction.text.characters import HEBREW

MIN_PAGE_LINES = 12
MIN_BLOCK_LINES = 4
MIN_BLOCK_CHARACTERS = 150
MAX_FIRST = 3  # lines of a head that are written before the footer
LINE_BELOW = 2.0  # sizes: a line so near below belongs to the one above it
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


def without_second_copies(lines: list[TextLine]) -> list[TextLine]:
    """Drop each block of consecutive lines that already stood on the page in the same order.

    Some gazette files carry part of a page twice, the second copy hidden.
    """
    if len(lines) < MIN_PAGE_LINES:
        return lines
    texts = [line.text for line in lines]
    first_at: dict[str, int] = {}
    for place, text in enumerate(texts):
        first_at.setdefault(text, place)
    kept: list[TextLine] = []
    place = 0
    while place < len(texts):
        original = first_at[texts[place]]
        length = 0
        while (
            place + length < len(texts)
            and original + length < place
            and texts[place + length] == texts[original + length]
        ):
            length += 1
        is_copy = length >= MIN_BLOCK_LINES and (sum(map(len, texts[place : place + length])) >= MIN_BLOCK_CHARACTERS)
        if is_copy and not any(line.is_row for line in lines[place : place + length]):
            place += length
        else:
            kept.append(lines[place])
            place += 1
    return kept


def with_strays_in_place(lines: list[TextLine]) -> list[TextLine]:
    """Move a lone line, such as a heading drawn last, to where it cleanly parts what is above from what is below."""
    placed = list(lines)
    for number in range(min(MAX_FIRST, len(placed) - 1)):
        if _jumps_up(placed[number], placed[number + 1]) and _is_lowest(placed[number], placed):
            placed.append(placed.pop(number))  # a footer written first, or behind the head
            break
    for number in range(1, len(placed)):
        line = placed[number]
        if line.is_row or line.aside or not _jumps_up(placed[number - 1], line):
            continue
        if number + 1 < len(placed) and _goes_on(line, placed[number + 1]):
            continue
        place = _clean_cut(placed[:number], line)
        if place is not None:
            placed.insert(place, placed.pop(number))
    return placed


def _jumps_up(before: TextLine, line: TextLine) -> bool:
    return line.baseline > before.baseline + LINE_BELOW * line.size


def _is_lowest(line: TextLine, lines: list[TextLine]) -> bool:
    return all(other.baseline > line.baseline - 0.5 * line.size for other in lines)


def _goes_on(line: TextLine, after: TextLine) -> bool:
    """Does the next line stand right below, or beside it?"""
    below = line.baseline - after.baseline
    if abs(below) < 0.5 * line.size:
        return True
    overlaps = min(line.right, after.right) > max(line.left, after.left)
    return overlaps and 0 < below < LINE_BELOW * line.size


def _clean_cut(earlier: list[TextLine], line: TextLine) -> int | None:
    """The index that separates the lines above from the lines below, if there is one."""
    place = 0
    while place < len(earlier) and earlier[place].baseline > line.baseline + 0.5 * line.size:
        place += 1
    if all(other.baseline < line.baseline - 0.5 * line.size for other in earlier[place:]):
        return place
    return None
