"""Where the parts of a picture stand: bars by column, a band of time, and what leads to and from a thing.

They are drawn as SVG by `templates/pictures/`, in colours of the style sheet, with the numbers in a table beside them.
Whole numbers alone: a template writes fractions in the reader's language. In Hebrew they run from right to left.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import get_language_bidi

COLUMN, GAP, HIGHEST, FOOT = 40, 10, 120, 22
BAND, ROW = 640, 40
BOX_WIDTH, BOX_HEIGHT, WAY = 230, 28, 90


@dataclass(frozen=True, slots=True)
class Box:
    """A rectangle. `series` names its colour."""

    x: int
    y: int
    width: int
    height: int
    series: str = ""


@dataclass(frozen=True, slots=True)
class Words:
    """Text whose middle is at a point."""

    x: int
    y: int
    text: str


@dataclass(frozen=True, slots=True)
class Line:
    """From one point to another, `width` wide."""

    x1: int
    y1: int
    x2: int
    y2: int
    width: int


@dataclass(frozen=True, slots=True)
class Picture:
    width: int
    height: int
    boxes: Sequence[Box] = ()
    words: Sequence[Words] = ()
    lines: Sequence[Line] = ()


def bars(columns: Mapping[str, Mapping[str, int]]) -> Picture:
    """A column for each name, of boxes that stand on each other: a series, and how many. The first is at the bottom."""
    most = max((sum(column.values()) for column in columns.values()), default=0) or 1
    boxes, words = [], []
    width = max(1, len(columns)) * COLUMN
    for at, (name, column) in enumerate(columns.items()):
        x, y = _x(at * COLUMN, COLUMN, width), HIGHEST + FOOT
        for series, count in column.items():
            height = round(HIGHEST * count / most) or min(count, 1)
            y -= height
            boxes.append(Box(x + GAP // 2, y, COLUMN - GAP, height, series))
        words += [
            Words(x + COLUMN // 2, y - 5, str(sum(column.values()))),
            Words(x + COLUMN // 2, HIGHEST + 2 * FOOT - 6, name),
        ]
    return Picture(width, HIGHEST + 2 * FOOT, boxes, words)


def ways(to: Mapping[str, int], middle: str, away: Mapping[str, int]) -> Picture:
    """What leads to the thing in the middle, and where it leads, each with how often."""
    rows = max(len(to), len(away), 1)
    width, height = 3 * BOX_WIDTH + 2 * WAY, rows * ROW
    centre = (BOX_WIDTH + WAY, (height - BOX_HEIGHT) // 2)
    boxes = [Box(_x(centre[0], BOX_WIDTH, width), centre[1], BOX_WIDTH, BOX_HEIGHT, "here")]
    words = [Words(width // 2, centre[1] + 19, middle)]
    lines: list[Line] = []
    most = max([*to.values(), *away.values(), 1])
    for column, things in ((0, to), (2, away)):
        top = (height - len(things) * ROW) // 2
        for row, (name, times) in enumerate(things.items()):
            x, y = column * (BOX_WIDTH + WAY), top + row * ROW + (ROW - BOX_HEIGHT) // 2
            boxes.append(Box(_x(x, BOX_WIDTH, width), y, BOX_WIDTH, BOX_HEIGHT, "s5"))
            words.append(Words(_x(x, BOX_WIDTH, width) + BOX_WIDTH // 2, y + 19, name))
            ends = (BOX_WIDTH, centre[0]) if column == 0 else (centre[0] + BOX_WIDTH, x)
            ys = (y, centre[1]) if column == 0 else (centre[1], y)
            middle_of = BOX_HEIGHT // 2
            lines.append(
                Line(
                    _x(ends[0], 0, width),
                    ys[0] + middle_of,
                    _x(ends[1], 0, width),
                    ys[1] + middle_of,
                    1 + 3 * times // most,
                )
            )
    return Picture(width, height, boxes, words, lines)


def _x(x: int, wide: int, width: int) -> int:
    """The left edge of what begins there, counted from the side at which the language begins."""
    return width - x - wide if get_language_bidi() else x
