"""Turns the visual Hebrew of old sites, stored in screen order, into reading order."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sources.extraction.pdf.text.bidi import logical
from sources.extraction.pdf.text.characters import KIND

_FINAL_AT_START = re.compile("(?<![א-ת])[ךםןףץ](?=[א-ת])")
_FINAL_AT_END = re.compile("(?<=[א-ת])[ךםןףץ](?![א-ת])")


def is_visual(lines: Sequence[str]) -> bool:
    """Do final letters stand at the beginnings of words? The declared charset alone is not to be believed."""
    at_start = sum(len(_FINAL_AT_START.findall(line)) for line in lines)
    at_end = sum(len(_FINAL_AT_END.findall(line)) for line in lines)
    return at_start > at_end


def reading_order(line: str) -> str:
    """One screen line in logical order. Lines without Hebrew are not changed."""
    if not re.search("[א-ת]", line):
        return line
    return logical(line, [KIND[char] for char in line])
