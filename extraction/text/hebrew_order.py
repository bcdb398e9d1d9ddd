"""Hebrew that was saved as it stands on the screen, from left to right: tells it, and puts it in reading order."""

import enum
import re
from collections.abc import Iterable

from extraction.text.bidi import logical
from extraction.text.characters import KIND

_HEBREW = re.compile("[א-ת]")
_POINTS = re.compile("[\u0591-\u05bd\u05bf\u05c1\u05c2]+")
_FINALS = "םןךףץ"
_FINAL_AT_START = re.compile("(?<![א-ת])[ךםןףץ](?=[א-ת])")
_FINAL_AT_END = re.compile("(?<=[א-ת])[ךםןףץ](?![א-ת])")
_FINAL_INSIDE = re.compile("(?<=[א-ת])[ךםןףץ](?=[א-ת])")
_FEW, _ENOUGH = 3, 300  # final letters, from which on they tell something, and all


class LineOrder(enum.Enum):
    READING = enum.auto()
    SCREEN = enum.auto()
    NONE = enum.auto()  # the letters make no words


def order_of(lines: Iterable[str]) -> LineOrder:
    """The order of the Hebrew letters, by where in words the final letters stand."""
    at_start, inside, at_end = _finals(lines)
    if inside >= _FEW and inside * 2 > at_start + at_end:
        return LineOrder.NONE
    return LineOrder.SCREEN if at_start >= _FEW and at_start > 2 * at_end else LineOrder.READING


def is_visual(lines: Iterable[str]) -> bool:
    """Are lines in screen order whose file says so? What it says is not to be believed alone."""
    at_start, _, at_end = _finals(lines)
    return at_start > at_end


def _finals(lines: Iterable[str]) -> tuple[int, int, int]:
    """How many final letters stand at the beginning, in the middle and at the end of words."""
    at_start = inside = at_end = 0
    for line in lines:
        if any(letter in line for letter in _FINALS):
            line = _POINTS.sub("", line)
            at_start += len(_FINAL_AT_START.findall(line))
            inside += len(_FINAL_INSIDE.findall(line))
            at_end += len(_FINAL_AT_END.findall(line))
            if at_start + inside + at_end >= _ENOUGH:
                break
    return at_start, inside, at_end


def reading_order(line: str) -> str:
    """One screen line in logical order. Lines without Hebrew are not changed."""
    return logical(line, bytes(KIND[char] for char in line)) if _HEBREW.search(line) else line
