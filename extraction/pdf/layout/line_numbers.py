"""Numbers of lines beside the text, as pleadings and transcripts have them, are no part of its sentences.

They are told from the numbers of a list by what follows them: lines of prose that fill the measure, many of which begin
in small letters. Those of lines without small letters, as in Hebrew, are kept.
"""

import re
import statistics
from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from extraction.pdf.glyphs.model import TextLine

MIN_LINES = 10  # lines of a page
SAME_COLUMN = 1.5  # sizes between the left ends of numbers
UNEVEN = 0.15  # share by which the lines' distances may differ
SMALL = 0.3  # share of the lines that begin in a small letter
FULL = 0.8  # of the longest line: so long are most lines of prose
MIN_LENGTH = 30  # characters of a usual line

_NUMBERED = re.compile(r"(\d{1,4})(?:\s+(\S.*))?")


class _Numbered(NamedTuple):
    line: TextLine
    number: int
    text: str  # that follows the number in its line, or stands beside it


def without_line_numbers(lines: list[TextLine]) -> list[TextLine]:
    """The lines of a page without the numbers of its lines, if it has such."""
    found = {id(one.line): one for one in _numbered(lines)}
    if not _are_line_numbers(sorted(found.values(), key=lambda one: -one.line.baseline)):
        return lines
    kept = []
    for line in lines:
        if id(line) not in found:
            kept.append(line)
        elif not line.text.strip().isdigit():
            kept.append(replace(line, text=found[id(line)].text))
    return kept


def _numbered(lines: Sequence[TextLine]) -> list[_Numbered]:
    matches = [(line, _NUMBERED.fullmatch(line.text.strip())) for line in lines if not (line.is_row or line.aside)]
    if sum(match is not None for _, match in matches) < MIN_LINES:
        return []
    others = [line for line, match in matches if not match]
    return [_Numbered(line, int(match[1]), match[2] or _beside(line, others)) for line, match in matches if match]


def _beside(number: TextLine, others: Sequence[TextLine]) -> str:
    texts = (one.text for one in others if abs(one.baseline - number.baseline) < 0.3 * one.size)
    return next(texts, "")


def _are_line_numbers(numbered: Sequence[_Numbered]) -> bool:
    """Whether those, from the top down, count evenly down one column beside prose."""
    texts = [one.text for one in numbered if one.text]
    if len(numbered) < MIN_LINES or len(texts) < MIN_LINES:
        return False
    steps = {second.number - first.number for first, second in pairwise(numbered)}
    distances = [first.line.baseline - second.line.baseline for first, second in pairwise(numbered)]
    lefts = [one.line.left for one in numbered]
    size = statistics.median(one.line.size for one in numbered)
    is_column = len(steps) == 1 and steps <= {1, 5} and max(lefts) - min(lefts) <= SAME_COLUMN * size
    if not is_column or max(distances) - min(distances) > UNEVEN * statistics.median(distances):
        return False
    lengths = sorted(map(len, texts))
    usual = lengths[len(lengths) // 2]
    is_prose = usual >= MIN_LENGTH and usual >= FULL * lengths[-1]
    return is_prose and sum(text[0].islower() for text in texts) >= SMALL * len(texts)
