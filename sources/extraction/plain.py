"""Reads plain text: one line is one paragraph."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from sources.extraction.document import Page
from sources.extraction.encodings import read_blocks
from sources.extraction.parts import PART_CHARACTERS, in_parts


def read_plain(path: Path) -> Iterator[Page]:
    """The file as parts of bounded size."""
    return in_parts(lines(path))


def lines(path: Path) -> Iterator[str]:
    """Lines without their indentation. Very long lines are cut, to bound memory."""
    rest = ""
    for block in read_blocks(path):
        *whole, rest = (rest + block).split("\n")
        for line in whole:
            yield line.strip()
        while len(rest) > PART_CHARACTERS:
            cut = rest.rfind(" ", 1, PART_CHARACTERS)
            cut = cut if cut > 0 else PART_CHARACTERS
            yield rest[:cut].strip()
            rest = rest[cut:]
    yield rest.strip()
