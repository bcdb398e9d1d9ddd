"""Groups a stream of paragraphs into parts of bounded size, for the formats that have no pages."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sources.extraction.document import Page

PART_CHARACTERS = 100_000
PART_PARAGRAPHS = 500


def in_parts(paragraphs: Iterable[str]) -> Iterator[Page]:
    """Pages without number. A paragraph longer than a part continues in the next."""
    part: list[str] = []
    size = 0
    for paragraph in paragraphs:
        for piece, last in _pieces(paragraph):
            part.append(piece)
            size += len(piece)
            if not last or size >= PART_CHARACTERS or len(part) >= PART_PARAGRAPHS:
                yield Page(number=None, paragraphs=tuple(part), continues=not last)
                part, size = [], 0
    if part:
        yield Page(number=None, paragraphs=tuple(part))


def _pieces(paragraph: str) -> Iterator[tuple[str, bool]]:
    start = 0
    while len(paragraph) - start > PART_CHARACTERS:
        cut = paragraph.rfind(" ", start + 1, start + PART_CHARACTERS)
        cut = cut if cut > 0 else start + PART_CHARACTERS
        yield paragraph[start:cut], False
        start = cut
    yield paragraph[start:], True
