"""Rows of a ruled table that stand outside of its rulings, where they are read as lines."""

from collections.abc import Sequence
from itertools import groupby, pairwise

from extraction.pdf.glyphs.model import TextLine
from extraction.pdf.layout.rulings import ONE_BORDER, Grid

NEAR_SIZES = 1.5  # type sizes between a table and what goes on below it
GAP_SIZES = 2.0  # and between parts of one table with a row in the gap
SAME_BASELINE = 2.0  # points


def has_lost_rows(lines: Sequence[TextLine], tables: Sequence[Grid]) -> bool:
    """Whether lines beside the tables look like rows of theirs, `tables` from the top.

    They stand in the gap between two parts with the same columns, across these, or directly below a table, in several
    of its columns at one height.
    """
    beside = [line for line in lines if not line.is_row and line.size]
    if not beside or not tables:
        return False
    return any(_parts_one_row(above, below, beside) for above, below in pairwise(tables)) or any(
        _goes_on(table, beside) for table in tables
    )


def _parts_one_row(above: Grid, below: Grid, lines: Sequence[TextLine]) -> bool:
    if len(above.edges) != len(below.edges) or any(
        abs(one - other) > ONE_BORDER for one, other in zip(above.edges, below.edges, strict=True)
    ):
        return False
    gap = above.box.bottom - below.box.top
    return any(
        below.box.top < line.baseline < above.box.bottom and gap <= GAP_SIZES * line.size and _columns(line, above) > 1
        for line in lines
    )


def _goes_on(table: Grid, lines: Sequence[TextLine]) -> bool:
    below = [
        line
        for line in lines
        if 0 <= table.box.bottom - line.baseline <= NEAR_SIZES * line.size
        and table.box.left - ONE_BORDER <= line.left
        and line.right <= table.box.right + ONE_BORDER
    ]
    rows = groupby(sorted(below, key=lambda line: line.baseline), key=lambda line: round(line.baseline / SAME_BASELINE))
    return any(len(list(row)) > 1 for _height, row in rows)


def _columns(line: TextLine, table: Grid) -> int:
    """How many columns the line reaches over."""
    return 1 + sum(line.left + ONE_BORDER < edge < line.right - ONE_BORDER for edge in table.edges[1:-1])
