"""Lines that a file draws twice, or out of order."""

from extraction.pdf.glyphs.model import TextLine

MIN_PAGE_LINES = 12
MIN_BLOCK_LINES = 4
MIN_BLOCK_CHARACTERS = 150
MAX_FIRST = 3  # lines of a head that are written before the footer
NEXT_LINE = 2.0  # sizes: a line so near below belongs to the one above it


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
