"""Ruled lines of a page, the table grids they form, and the images of the page."""

import ctypes
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, NamedTuple

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from extraction.pdf.glyphs.model import BoundingBox
from extraction.pdf.glyphs.pdfium_calls import form_objects, handle, page_objects

THIN = 2.5  # points: a filled box no thicker is a line
SHORT = 4.0  # points: shorter strokes are ornaments
FRAME_SHARE = 0.6  # a rectangle higher than this share of the page is its frame, not a table
SAME_LINE = 2.0  # points between strokes that are one ruling
ONE_BORDER = 6.0  # points between strokes of different rows that border one column
TOUCH = 2.0  # points by which crossing rulings may miss each other
MAX_DEPTH = 3  # of form objects in form objects
MAX_RULINGS = 4000  # beyond that it is a drawing
MAX_OBJECTS = 60_000
_NOT_TEXT = re.compile(b"[^" + re.escape(bytes([pdfium_c.FPDF_PAGEOBJ_TEXT])) + b"]", re.DOTALL)

Matrix = tuple[float, float, float, float, float, float]


class Ruling(NamedTuple):
    """A straight line: `start` to `end` along it, `at` across it."""

    start: float
    end: float
    at: float


class GridCell(NamedTuple):
    """`open_below`: no ruling under it, so it goes on in the row below."""

    left: float
    right: float
    open_below: bool


class GridRow(NamedTuple):
    """A table row, its cells left to right."""

    top: float
    bottom: float
    cells: list[GridCell]


@dataclass(slots=True)
class Grid:
    """A ruled table. `edges` are the borders of its columns, left to right."""

    rows: list[GridRow]
    box: BoundingBox
    edges: tuple[float, ...] = ()

    def columns(self, cell: GridCell) -> int:
        """How many columns the cell covers."""
        return max(1, sum(cell.left + ONE_BORDER < edge < cell.right + ONE_BORDER for edge in self.edges))


@dataclass(slots=True)
class PageDrawing:
    """What a page shows beside text."""

    horizontal: list[Ruling] = field(default_factory=list)
    vertical: list[Ruling] = field(default_factory=list)
    images: list[BoundingBox] = field(default_factory=list)
    paths: int = 0
    is_filled: bool = False  # something large enough to cover text

    @property
    def image_area(self) -> float:
        return sum(max(0.0, image.width) * max(0.0, image.height) for image in self.images)

    @property
    def is_crowded(self) -> bool:
        """Whether there are more rulings than were looked at."""
        return len(self.horizontal) + len(self.vertical) >= MAX_RULINGS


def drawing(page: pdfium.PdfPage, *, page_box: BoundingBox, turn: int) -> PageDrawing:
    """Walk the page's objects once. `page_box` is level already, objects are turned to it."""
    found = PageDrawing()
    bounds = [ctypes.c_float() for _ in range(4)]
    for kind, shown, form in _objects(page.raw):
        if not pdfium_c.FPDFPageObj_GetBounds(shown, *bounds):
            continue
        left, bottom, right, top = (value.value for value in bounds)
        box = placed(BoundingBox(left, bottom, right, top), form).turned(turn)
        if kind == pdfium_c.FPDF_PAGEOBJ_IMAGE:
            found.images.append(box)
        elif kind == pdfium_c.FPDF_PAGEOBJ_PATH:
            found.paths += 1
            found.is_filled = found.is_filled or (min(box.width, box.height) > SHORT and fills(shown))
            if not found.is_crowded:
                _add_rulings(box, found, page_box)
    return found


def _objects(page: Any) -> Iterator[tuple[int, Any, Matrix | None]]:
    """(type, handle, matrix of the form it stands in) of the page's objects that are not text, forms entered."""
    seen = 0
    stack: list[tuple[int, Callable[[int, int], tuple[list[int], bytes]], int, Matrix | None, int]] = [
        (pdfium_c.FPDFPage_CountObjects(page), page_objects, handle(page), None, 0)
    ]
    while stack:
        count, objects_of, owner, form, depth = stack.pop()
        addresses, kinds = objects_of(owner, max(0, min(count, MAX_OBJECTS - seen)))
        for found in _NOT_TEXT.finditer(kinds):
            address, kind = addresses[found.start()], kinds[found.start()]
            shown = ctypes.cast(address, pdfium_c.FPDF_PAGEOBJECT)
            if kind != pdfium_c.FPDF_PAGEOBJ_FORM:
                yield kind, shown, form
            elif depth < MAX_DEPTH:
                matrix = pdfium_c.FS_MATRIX()
                placed = pdfium_c.FPDFPageObj_GetMatrix(shown, matrix)
                inner = max(0, pdfium_c.FPDFFormObj_CountObjects(shown))
                stack.append((inner, form_objects, address, chained(matrix, form) if placed else form, depth + 1))
        seen += max(0, count)


def fills(path: Any) -> bool:
    """Whether a path is filled."""
    mode, stroke = ctypes.c_int(), ctypes.c_int()
    return bool(pdfium_c.FPDFPath_GetDrawMode(path, mode, stroke) and mode.value)


def chained(matrix: Any, outer: Matrix | None) -> Matrix | None:
    a, b, c, d, e, f = matrix.a, matrix.b, matrix.c, matrix.d, matrix.e, matrix.f
    if outer is None:
        return a, b, c, d, e, f
    oa, ob, oc, od, oe, of = outer
    return (
        a * oa + b * oc,
        a * ob + b * od,
        c * oa + d * oc,
        c * ob + d * od,
        e * oa + f * oc + oe,
        e * ob + f * od + of,
    )


def placed(box: BoundingBox, form: Matrix | None) -> BoundingBox:
    if form is None:
        return box
    a, b, c, d, e, f = form
    corners = [(x * a + y * c + e, x * b + y * d + f) for x in (box.left, box.right) for y in (box.bottom, box.top)]
    xs, ys = [x for x, _ in corners], [y for _, y in corners]
    return BoundingBox(min(xs), min(ys), max(xs), max(ys))


def _add_rulings(box: BoundingBox, found: PageDrawing, page_box: BoundingBox) -> None:
    left, bottom, right, top = box
    width, height = right - left, top - bottom
    if height <= THIN and width > SHORT:
        found.horizontal.append(Ruling(left, right, (bottom + top) / 2))
    elif width <= THIN and height > SHORT:
        found.vertical.append(Ruling(bottom, top, (left + right) / 2))
    elif width > SHORT and height > SHORT and height < FRAME_SHARE * page_box.height:
        found.horizontal += [Ruling(left, right, bottom), Ruling(left, right, top)]
        found.vertical += [Ruling(bottom, top, left), Ruling(bottom, top, right)]


def grids(found: PageDrawing) -> list[Grid]:
    """Tables, top to bottom: connected groups of crossing rulings with at least two cells."""
    if len(found.horizontal) < 2 or len(found.vertical) < 2:
        return []
    horizontal, vertical = _merged(found.horizontal), _merged(found.vertical)
    tables = []
    for rows, columns in _connected(horizontal, vertical):
        if len(rows) < 2 or len(columns) < 2 or (len(rows) < 3 and len(columns) < 3):
            continue  # a frame, not a table
        table_rows = _rows(rows, columns)
        if sum(len(row.cells) for row in table_rows) < 2:
            continue
        left = min(row.cells[0].left for row in table_rows)
        right = max(row.cells[-1].right for row in table_rows)
        box = BoundingBox(left, table_rows[-1].bottom, right, table_rows[0].top)
        borders = [edge for row in table_rows for cell in row.cells for edge in (cell.left, cell.right)]
        tables.append(Grid(rows=table_rows, box=box, edges=tuple(_distinct(borders, apart=ONE_BORDER))))
    return sorted(tables, key=lambda grid: -grid.box.top)


def _merged(strokes: list[Ruling]) -> list[Ruling]:
    """One ruling for the strokes that lie on one line and touch."""
    merged: list[Ruling] = []
    for stroke in sorted(strokes, key=lambda ruling: (ruling.at, ruling.start)):
        for place in range(len(merged) - 1, -1, -1):
            other = merged[place]
            if stroke.at - other.at > SAME_LINE:
                merged.append(stroke)
                break
            if stroke.start <= other.end + 3 and stroke.end >= other.start - 3:
                merged[place] = Ruling(min(other.start, stroke.start), max(other.end, stroke.end), other.at)
                break
        else:
            merged.append(stroke)
    return merged


def _connected(horizontal: list[Ruling], vertical: list[Ruling]) -> list[tuple[list[Ruling], list[Ruling]]]:
    parents = list(range(len(horizontal) + len(vertical)))

    def root(node: int) -> int:
        while parents[node] != node:
            parents[node] = parents[parents[node]]
            node = parents[node]
        return node

    offset = len(horizontal)
    for i, across in enumerate(horizontal):
        for j, down in enumerate(vertical):
            if (
                across.start - TOUCH <= down.at <= across.end + TOUCH
                and down.start - TOUCH <= across.at <= down.end + TOUCH
            ):
                parents[root(i)] = root(offset + j)
    groups: dict[int, tuple[list[Ruling], list[Ruling]]] = {}
    for node in range(len(parents)):
        rows, columns = groups.setdefault(root(node), ([], []))
        if node < offset:
            rows.append(horizontal[node])
        else:
            columns.append(vertical[node - offset])
    return list(groups.values())


def _rows(horizontal: list[Ruling], vertical: list[Ruling]) -> list[GridRow]:
    rows = []
    heights = _distinct([ruling.at for ruling in horizontal])[::-1]
    for top, bottom in pairwise(heights):
        middle = (top + bottom) / 2
        edges = _distinct([ruling.at for ruling in vertical if ruling.start - 1 <= middle <= ruling.end + 1])
        if len(edges) > 1:
            floor = [ruling for ruling in horizontal if abs(ruling.at - bottom) <= THIN]
            cells = [
                GridCell(left, right, open_below=not _is_under(floor, (left + right) / 2))
                for left, right in pairwise(edges)
            ]
            rows.append(GridRow(top, bottom, cells))
    return rows


def _is_under(floor: list[Ruling], x: float) -> bool:
    return any(ruling.start - 1 <= x <= ruling.end + 1 for ruling in floor)


def _distinct(values: list[float], *, apart: float = THIN) -> list[float]:
    """Ascending, those nearer than a line's thickness taken as one."""
    distinct: list[float] = []
    for value in sorted(values):
        if not distinct or value - distinct[-1] > apart:
            distinct.append(value)
    return distinct
