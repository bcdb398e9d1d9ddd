"""Moves single lines that a file draws out of order, such as a heading that comes last in the stream."""

from __future__ import annotations

from sources.extraction.pdf.glyphs.model import TextLine

NEXT_LINE = 2.0  # sizes: a line so near below belongs to the one above it


def with_strays_in_place(lines: list[TextLine]) -> list[TextLine]:
    """Move a lone line to where it cleanly parts what is above it from what is below."""
    placed = list(lines)
    if len(placed) > 1 and _jumps_up(placed[0], placed[1]) and _is_lowest(placed[0], placed):
        placed.append(placed.pop(0))  # a footer written first
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
    return line.baseline > before.baseline + NEXT_LINE * line.size


def _is_lowest(line: TextLine, lines: list[TextLine]) -> bool:
    return all(other.baseline > line.baseline - 0.5 * line.size for other in lines)


def _goes_on(line: TextLine, after: TextLine) -> bool:
    """Does the next line stand right below, or beside it?"""
    below = line.baseline - after.baseline
    if abs(below) < 0.5 * line.size:
        return True
    overlaps = min(line.right, after.right) > max(line.left, after.left)
    return overlaps and 0 < below < NEXT_LINE * line.size


def _clean_cut(earlier: list[TextLine], line: TextLine) -> int | None:
    """The index that separates the lines above from the lines below, if there is one."""
    place = 0
    while place < len(earlier) and earlier[place].baseline > line.baseline + 0.5 * line.size:
        place += 1
    if all(other.baseline < line.baseline - 0.5 * line.size for other in earlier[place:]):
        return place
    return None
