"""Running heads and page numbers: what repeats at the same edge of the pages around is dropped.

A head is at the same place on these pages and says the same. Of its numbers only that of the page may differ, or those
of the sections on the page. Headings in a sequence (`Annex 1`, `Annex 2`) look alike, so a line is kept in doubt.
"""

import re
from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import NamedTuple

from extraction.pdf.glyphs.model import BoundingBox, TextLine
from extraction.pdf.page_reader import PageReading
from extraction.pdf.text.line_ends import MARKER, PAGE_WORD, RANGE

LOOK = 6  # pages seen to each side
EDGE = 0.12  # share of the page's height
FARTHEST = 0.3  # the same, up to which the outermost lines of a page may be heads
OUTERMOST = 4  # lines
MIN_LINES = 8  # of such a page
SAME_PLACE = 0.02  # share of the page's height by which a head may move
SAME_SIZE = 1.2  # times
REPEATED = 0.4  # share of the pages around that carry the line
FIRST_HEADS = 2  # pages, on which the heads of a document begin. Left and right ones have their own
MAX_HEAD_LENGTH = 120
MIN_HEAD_LETTERS = 3
MIN_KEPT = 0.3  # of a page's characters: below that the page repeats itself and is left alone
WIDEST_LETTER = 0.75  # of the type size, as the mean of a line. A wider line has a gap, if it is wider ...
WIDE_GAP = 3  # ... by so many type sizes
MAX_PAGE_NUMBER_LENGTH = 6  # digits
MAX_PAGE_NUMBERS = 2  # page 3 of 9
MAX_HEADINGS = 100  # of a sequence of them, one on each page
NEARLY_ALL = 0.75  # share of the pages around, without the first, that carry a head with the section on the page

OF = frozenset({"of", "sur", "von", "מתוך"})  # between two numbers: “page 3 of 9”, but not “Order of 3 May”

_DIGITS = re.compile(r"\d+")
_DECIMAL = re.compile(r"\d[.,]\d")
_SECTION = re.compile(r"(?:§+ ?|[^\W\d_]+\.? )?(\d{1,4})[^\W\d_]?(?:[.:\s–—]|$)")
_LABEL = re.compile(r"\W*[^\W\d_]+\W+\d{1,3}\W*")  # of a part of the document, as “Schedule 2”


class Edge(NamedTuple):
    """A line near an edge. `alike` is its text with the numbers made alike.

    `words` are what is before the first of the numbers, between them and after the last. `off` is how far from the edge
    the line is, as a share of the page's height.
    """

    text: str
    alike: str
    numbers: tuple[str, ...]
    words: tuple[str, ...]
    side: str
    off: float
    size: float
    has_gap: bool

    def is_placed_as(self, other: "Edge") -> bool:
        smaller, larger = sorted((self.size, other.size))
        return abs(self.off - other.off) <= SAME_PLACE and larger <= SAME_SIZE * smaller

    def is_next_to(self, peer: "Peer") -> bool:
        """Whether a sequence of headings has this one and that of the next or last page."""
        return abs(peer.distance) == 1 and self.counting(peer) is not None

    def counting(self, peer: "Peer") -> int | None:
        """Which of the numbers counts with the pages, if no other differs."""
        different = [place for place, number in enumerate(self.numbers) if number != peer.edge.numbers[place]]
        if len(different) != 1:
            return None
        pair = self.numbers[different[0]], peer.edge.numbers[different[0]]
        if max(map(len, pair)) > MAX_PAGE_NUMBER_LENGTH or int(pair[1]) - int(pair[0]) != peer.distance:
            return None
        return different[0]


class Peer(NamedTuple):
    """The like line of a page so many pages later."""

    distance: int
    edge: Edge
    page: "_Page"


@dataclass(slots=True)
class _Page:
    number: int
    reading: PageReading
    edges: dict[int, Edge]  # by place of the line
    alike: defaultdict[tuple[str, str], list[Edge]] = field(default_factory=lambda: defaultdict(list))

    def __post_init__(self) -> None:
        for edge in self.edges.values():
            self.alike[edge.side, edge.alike].append(edge)

    def says(self, edge: Edge) -> bool:
        """Whether another line begins with what this one says."""
        text = edge.text.casefold()
        return any(
            line.text.casefold().startswith(text) and not line.text[len(text) : len(text) + 1].isalnum()
            for place, line in enumerate(self.reading.lines)
            if self.edges.get(place) is not edge
        )

    def begins(self, number: int, edge: Edge) -> bool:
        """Whether the section with that number begins in another line than this one, or the one after it."""
        lines = (line for place, line in enumerate(self.reading.lines) if self.edges.get(place) is not edge)
        begun = filter(None, (_SECTION.match(line.text) for line in lines))
        return any(int(found[1]) in (number, number + 1) for found in begun)


def without_running_heads(pages: Iterable[PageReading]) -> Iterator[tuple[PageReading, list[TextLine]]]:
    """Each page with the lines that are its own. Holds 2 x LOOK pages."""
    source = enumerate(pages)
    ahead: deque[_Page] = deque()
    behind: deque[_Page] = deque(maxlen=LOOK)
    while True:
        for number, reading in islice(source, LOOK + 1 - len(ahead)):
            ahead.append(_Page(number, reading, _edges(reading.lines, reading.box)))
        if not ahead:
            return
        current = ahead.popleft()
        others = [*behind, *ahead]
        lines = current.reading.lines
        kept = [
            line
            for place, line in enumerate(lines)
            if place not in current.edges or not _is_head(current.edges[place], current, others)
        ]
        behind.append(current)
        if sum(len(line.text) for line in kept) <= MIN_KEPT * sum(len(line.text) for line in lines):
            kept = lines
        yield current.reading, kept


def _edges(lines: list[TextLine], box: BoundingBox) -> dict[int, Edge]:
    """The lines near the top and bottom edge, by height: some producers write the footer first.

    Where a small book is printed on large sheets, they are the outermost lines.
    """
    found = {}
    highest, lowest = box.top - EDGE * box.height, box.bottom + EDGE * box.height
    tops = sorted((line.top for line in lines), reverse=True)
    if len(tops) > MIN_LINES:
        highest = min(highest, max(tops[OUTERMOST], box.top - FARTHEST * box.height))
        lowest = max(lowest, min(tops[-1 - OUTERMOST], box.bottom + FARTHEST * box.height))
    for place, line in enumerate(lines):
        if line.is_row:
            continue
        if line.top > highest:
            found[place] = _edge(line, "top", (box.top - line.baseline) / box.height)
        elif line.top < lowest:
            found[place] = _edge(line, "bottom", (line.baseline - box.bottom) / box.height)
    return found


def _edge(line: TextLine, side: str, off: float) -> Edge:
    text = " ".join(line.text.split())
    width = WIDEST_LETTER * line.size * len(text)
    return Edge(
        text=text,
        alike=_DIGITS.sub("#", text),
        numbers=tuple(_DIGITS.findall(text)),
        words=tuple(_DIGITS.split(text)),
        side=side,
        off=off,
        size=line.size,
        has_gap=bool(line.gaps) or line.right - line.left > width + WIDE_GAP * line.size,
    )


def _is_head(edge: Edge, page: _Page, others: Sequence[_Page]) -> bool:
    peers = [
        Peer(other.number - page.number, like, other)
        for other in others
        for like in other.alike[edge.side, edge.alike]
        if like.is_placed_as(edge)
    ]
    around = len(others) + 1
    if len(edge.alike) > MAX_HEAD_LENGTH or not _are_enough(peers, around, least=2):
        return False
    for place in range(len(edge.numbers)):
        counted = [peer for peer in peers if edge.counting(peer) == place]
        if _are_enough(counted, around, least=2) and _is_page_number(edge, place, counted):
            return True
    least = 2 if around <= 3 else 3
    is_told = sum(map(str.isalpha, edge.alike)) >= MIN_HEAD_LETTERS or "§" in edge.alike
    if not is_told or not _are_enough(peers, around, least=least):
        return False
    same = [peer for peer in peers if peer.edge.numbers == edge.numbers]
    if _are_enough(same, around, least=least):
        is_first = all(peer.distance > 0 for peer in same)
        return not is_first or page.says(edge) or not _may_be_heading(edge, page, others)
    return _names_sections(edge, peers, page) or (
        not _is_label(edge)
        and _are_enough(peers, round(NEARLY_ALL / REPEATED * (around - 1)), least=2)
        and _counts_sections([Peer(0, edge, page), *peers])
    )


def _are_enough(peers: Sequence[Peer], around: int, *, least: int) -> bool:
    """Whether the line is on enough of the pages around, its own counted."""
    return len({peer.distance for peer in peers}) + 1 >= max(least, REPEATED * around)


def _is_page_number(edge: Edge, place: int, counted: Sequence[Peer]) -> bool:
    """Whether the number at this place, which counts with these pages, is theirs and not that of headings."""
    if not any(map(str.isalpha, PAGE_WORD.sub("", edge.alike))):
        is_section = edge.side == "top" and edge.text.endswith(".")  # “4.” above its text
        return len(edge.numbers) <= MAX_PAGE_NUMBERS and not is_section and not _DECIMAL.search(edge.text)
    before = edge.words[place].rstrip(" .:־-")
    named = next((found[0].casefold() for found in PAGE_WORD.finditer(before) if found.end() == len(before)), "")
    if named and (place > 0 or named not in OF):
        return True
    is_last = place == len(edge.numbers) - 1 and not any(map(str.isalpha, edge.words[-1]))
    is_first = place == 0 and not any(map(str.isalpha, edge.words[0]))
    # Left and right pages have heads of their own. Headings in a sequence that counts with the pages are on each.
    alternates = all(abs(peer.distance) > 1 for peer in counted)
    return (is_last and (edge.has_gap or alternates)) or (
        is_first and (alternates or int(edge.numbers[place]) > MAX_HEADINGS)
    )


def _may_be_heading(edge: Edge, page: _Page, others: Sequence[_Page]) -> bool:
    """Whether the first of a row of heads is what it repeats: it names a part, or no page before says it."""
    if _is_label(edge):
        return True
    return page.number >= FIRST_HEADS and not any(other.says(edge) for other in others if other.number < page.number)


def _is_label(edge: Edge) -> bool:
    """Whether it names a part of the document."""
    return MARKER.match(edge.text) is not None or _LABEL.fullmatch(edge.text) is not None


def _names_sections(edge: Edge, peers: Sequence[Peer], page: _Page) -> bool:
    """Whether the line tells which sections are on the page: a range of them, or one whose heading is there too."""
    if any(int(first) < int(last) for first, last in RANGE.findall(edge.text)):
        return True
    return not any(edge.is_next_to(peer) for peer in peers) and page.says(edge)


def _counts_sections(heads: Sequence[Peer]) -> bool:
    """Whether the one number in which the heads differ is that of a section on each page, and rises with them."""
    heads = sorted(heads, key=lambda head: head.distance)
    rows = zip(*(head.edge.numbers for head in heads), strict=True)
    differing = [row for row in rows if len(set(row)) > 1]
    if len(differing) != 1 or max(map(len, differing[0])) > MAX_PAGE_NUMBER_LENGTH:
        return False
    numbers = list(map(int, differing[0]))
    if len({number - head.distance for head, number in zip(heads, numbers, strict=True)}) == 1:
        return False  # headings in a sequence
    begun = sum(head.page.begins(number, head.edge) for head, number in zip(heads, numbers, strict=True))
    return numbers == sorted(numbers) and 2 * begun >= len(heads)
