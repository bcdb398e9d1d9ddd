"""Running heads and page numbers: what repeats at the same edge of the pages around is dropped."""

import re
from collections import Counter, deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import chain, islice
from typing import NamedTuple

from extraction.pdf.glyphs.model import Box, TextLine
from extraction.pdf.page_reader import PageReading

LOOK = 6  # pages seen to each side
EDGE = 0.12  # share of the page's height
REPEATED = 0.4  # share of the pages around that carry the line
MAX_HEAD_LENGTH = 120
MIN_HEAD_LETTERS = 3
MIN_KEPT = 0.3  # of a page's characters: below that the page repeats itself and is left alone

_DIGITS = re.compile(r"\d+")
_ASCII_NUMBER = re.compile("[0-9]+")
LONGEST_PAGE_NUMBER = 29  # characters that the next can match
_PAGE_NUMBER = re.compile(r"\D{0,16}#\D{0,8}(?:#\D{0,3})?")
_DECIMAL = re.compile(r"\d[.,]\d")


class Edge(NamedTuple):
    """A line near an edge: its text with the numbers made alike.

    `counts_from`: what the printed number is less the page's place, for a line that is only a page number.
    """

    side: str
    alike: str
    counts_from: int | None


@dataclass(slots=True)
class _PageAhead:
    page: PageReading
    edges: dict[int, Edge]  # by place of the line
    own: set[Edge]  # the same, each once


def without_running_heads(pages: Iterable[PageReading]) -> Iterator[tuple[PageReading, list[TextLine]]]:
    """Each page with the lines that are its own. Holds 2 x LOOK pages."""
    source = enumerate(pages)
    ahead: deque[_PageAhead] = deque()
    behind: deque[set[Edge]] = deque(maxlen=LOOK)
    while True:
        for number, page in islice(source, LOOK + 1 - len(ahead)):
            edges = _edges(page.lines, page.box, number)
            ahead.append(_PageAhead(page, edges, set(edges.values())))
        if not ahead:
            return
        current = ahead.popleft()
        seen = Counter(chain.from_iterable([*behind, *(other.own for other in ahead)]))
        around = len(behind) + len(ahead) + 1
        kept = [
            line
            for place, line in enumerate(current.page.lines)
            if place not in current.edges or not _is_head(current.edges[place], seen, around)
        ]
        behind.append(current.own)
        total = sum(len(line.text) for line in current.page.lines)
        if sum(len(line.text) for line in kept) <= MIN_KEPT * total:
            kept = current.page.lines
        yield current.page, kept


def _edges(lines: list[TextLine], box: Box, number: int) -> dict[int, Edge]:
    """The lines near the top and bottom edge, by height: some producers write the footer first."""
    found = {}
    highest, lowest = box.top - EDGE * box.height, box.bottom + EDGE * box.height
    for place, line in enumerate(lines):
        if line.is_row:
            continue
        if line.top > highest:
            found[place] = _edge("top", line.text, number)
        elif line.top < lowest:
            found[place] = _edge("bottom", line.text, number)
    return found


def _edge(side: str, text: str, number: int) -> Edge:
    text = " ".join(text.split())
    alike = _DIGITS.sub("#", text)
    if len(alike) <= LONGEST_PAGE_NUMBER and _PAGE_NUMBER.fullmatch(alike) and not _DECIMAL.search(text):
        printed = _ASCII_NUMBER.search(text)
        if printed and len(printed.group()) < 9:
            return Edge(side, alike, int(printed.group()) - number)
    return Edge(side, alike, None)


def _is_head(edge: Edge, seen: Counter[Edge], around: int) -> bool:
    is_page_number = edge.counts_from is not None
    elsewhere = seen[edge]
    enough = 1 if is_page_number or around <= 3 else 2
    if elsewhere < enough or elsewhere + 1 < REPEATED * around or len(edge.alike) > MAX_HEAD_LENGTH:
        return False
    return is_page_number or sum(map(str.isalpha, edge.alike)) >= MIN_HEAD_LETTERS
