"""Tables of one page after another: which paragraphs are rows of one table, also where it goes on overleaf."""

from collections.abc import Sequence
from typing import NamedTuple

from extraction.document import Table
from extraction.pdf.layout.paragraphs import PageParagraphs
from extraction.pdf.layout.rulings import ONE_BORDER

MAX_HEAD_ROWS = 4  # that a page may repeat above the rest of a table


class PageTables(NamedTuple):
    """The paragraphs of a page, and the tables that they are rows of."""

    texts: list[str]
    tables: list[Table]


class TableFollower:
    """Remembers the table that a page ended with."""

    def __init__(self) -> None:
        self._edges: tuple[float, ...] = ()  # of the table at the end of the page before
        self._opening: list[str] = []  # its first rows

    def page(self, made: PageParagraphs) -> PageTables:
        """The next page. Heads that it repeats above the rest of a table are left out."""
        texts, edges = made.texts, made.edges
        runs = _runs(edges)
        continues = bool(runs) and runs[0][0] == 0 and _are_alike(self._edges, edges[0])
        repeated = _repeated(texts[: runs[0][1]], self._opening) if continues else 0
        if runs and (len(runs) > 1 or not continues):
            self._opening = texts[runs[-1][0] : runs[-1][1]][:MAX_HEAD_ROWS]
        self._edges = edges[-1] if edges else ()
        tables = [
            Table(max(first - repeated, 0), end - repeated, continues=continues and first == 0)
            for first, end in runs
            if any("\t" in text for text in texts[first:end])
        ]
        return PageTables(texts[repeated:], tables)


def _runs(edges: Sequence[tuple[float, ...]]) -> list[tuple[int, int]]:
    """From where to where the rows of each table stand."""
    runs: list[tuple[int, int]] = []
    for place, own in enumerate(edges):
        if own and runs and runs[-1][1] == place and edges[place - 1] is own:
            runs[-1] = runs[-1][0], place + 1
        elif own:
            runs.append((place, place + 1))
    return runs


def _are_alike(before: tuple[float, ...], edges: tuple[float, ...]) -> bool:
    return (
        bool(before)
        and len(before) == len(edges)
        and all(abs(one - other) <= ONE_BORDER for one, other in zip(before, edges, strict=True))
    )


def _repeated(texts: Sequence[str], opening: Sequence[str]) -> int:
    """How many rows repeat those that the table began with. Not all of them: then they are no heads."""
    count = 0
    while count < min(len(texts) - 1, len(opening)) and texts[count] == opening[count]:
        count += 1
    return count
