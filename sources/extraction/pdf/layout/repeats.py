"""Removes hidden second copies: some gazette files carry part of a page twice."""

from __future__ import annotations

from sources.extraction.pdf.glyphs.model import TextLine

MIN_PAGE_LINES = 12
MIN_BLOCK_LINES = 4
MIN_BLOCK_CHARACTERS = 150


def without_second_copies(lines: list[TextLine]) -> list[TextLine]:
    """Drop each block of consecutive lines that already stood on the page in the same order."""
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
