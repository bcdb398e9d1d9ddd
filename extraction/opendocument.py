"""Reads ODT: paragraphs with the numbers of their lists, tables row by row, numbered notes at the end."""

from __future__ import annotations

import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from lxml import etree
from lxml.etree import _Element as Element

from extraction.document import ExtractionFailed, Page, Row, in_parts
from extraction.docx.wordml import attribute, child, children, local_name
from extraction.numerals import hebrew_letters, hebrew_number, latin_letters, raised, roman
from extraction.packages import NO_ENTITIES, corrupt, encrypted, open_package, part
from extraction.tables.rows import MOST_COLUMNS, cell_text, is_layout

UNPACKED_LIMIT = 100 << 20  # bytes of the content, which is held whole
MOST_SPACES = 100
_NAME = "ODT"

_NO_TEXT = frozenset(
    {"tracked-changes", "annotation", "sequence-decls", "table-of-content", "forms", "object", "binary-data"}
)
_BLOCKS = frozenset({"section", "list-header", "list-item", "index-body", "illustration-index", "frame", "text-box"})
_NUMERALS: dict[str, Callable[[int], str]] = {
    "a": latin_letters,
    "i": roman,
    "א, י": hebrew_number,
    "א": hebrew_letters,
}


def read_odt(path: Path) -> Iterator[Page]:
    """The document in parts of bounded size.

    Raises ExtractionFailed with code corrupt, encrypted or too_large. Left out: headers, footers, comments, deleted
    text and tables of contents. A flat file, which is XML alone, is read as well.
    """
    if not zipfile.is_zipfile(path):
        yield from in_parts(_flat(path).paragraphs())
        return
    with open_package(path, name=_NAME) as archive:
        if b"encryption-data" in archive.read(part(archive, "META-INF/manifest.xml", limit=UNPACKED_LIMIT, name=_NAME)):
            raise encrypted(_NAME)
        content, styles = (_root(archive, name) for name in ("content.xml", "styles.xml"))
        yield from in_parts(_Document(content, styles).paragraphs())


def _flat(path: Path) -> _Document:
    if path.stat().st_size > UNPACKED_LIMIT:
        raise ExtractionFailed("too_large", f"The {_NAME} file has more than {UNPACKED_LIMIT >> 20} MB.")
    try:
        root = etree.fromstring(path.read_bytes(), etree.XMLParser(**NO_ENTITIES))
    except etree.XMLSyntaxError as error:
        raise corrupt(_NAME) from error
    return _Document(root, root)


def _root(archive: zipfile.ZipFile, name: str) -> Element:
    content = archive.read(part(archive, name, limit=UNPACKED_LIMIT, name=_NAME))
    return etree.fromstring(content, etree.XMLParser(**NO_ENTITIES))


class _List:
    """An open list: its style, how deep its levels are open, and the last number of each level."""

    def __init__(self, style: str, numbers: list[int]) -> None:
        self.style = style
        self.depth = 0
        self.numbers = numbers

    def count(self, item: Element) -> None:
        """Number an item of the innermost open level. The levels below begin anew."""
        self.numbers[self.depth - 1] = _count(item, "start-value", self.numbers[self.depth - 1] + 1)
        del self.numbers[self.depth :]


class _Document:
    """One walk over the content."""

    def __init__(self, content: Element, styles: Element) -> None:
        body = child(child(content, "body"), "text")
        self._body: Element | tuple[()] = () if body is None else body
        roots = [child(styles, "styles"), child(content, "automatic-styles")]
        named = [style for root in roots if root is not None for style in root]
        self._levels = {attribute(one, "name"): _levels(one) for one in named if local_name(one) == "list-style"}
        self._ended: dict[str, list[int]] = {}  # the numbers of each list by its id, and of the last of each style
        self._notes: list[str] = []

    def paragraphs(self) -> Iterator[str | Row]:
        yield from self._blocks(self._body)
        yield from self._notes

    def _blocks(self, parent: Element | tuple[()], open_list: _List | None = None) -> Iterator[str | Row]:
        for element in parent:
            match local_name(element):
                case "p" | "h":
                    yield from self._paragraph(element)
                case "table":
                    yield from self._table(element)
                case "list":
                    yield from self._list(element, open_list)
                case name if name in _BLOCKS:
                    yield from self._blocks(element)

    def _paragraph(self, element: Element) -> Iterator[str | Row]:
        boxes: list[Element] = []
        yield "".join(self._inline(element, boxes))
        for box in boxes:
            yield from self._blocks(box)

    def _inline(self, parent: Element, boxes: list[Element]) -> Iterator[str]:
        yield parent.text or ""
        for element in parent:
            match local_name(element):
                case "s":
                    yield " " * min(_count(element, "c"), MOST_SPACES)
                case "tab":
                    yield "\t"
                case "line-break":
                    yield "\n"
                case "note":
                    self._notes.append(raised(len(self._notes) + 1))
                    place = len(self._notes)
                    yield raised(place)
                    body = child(element, "note-body")
                    texts = cell_text(self._blocks(() if body is None else body))
                    self._notes[place - 1] = f"{raised(place)} {texts}"
                case "text-box":
                    boxes.append(element)
                case name if name and name not in _NO_TEXT:
                    yield from self._inline(element, boxes)
            yield element.tail or ""

    def _list(self, element: Element, above: _List | None) -> Iterator[str | Row]:
        """The items, each with its number before its first paragraph. One without a paragraph of its own has none."""
        style = attribute(element, "style-name") or (above.style if above else "")
        continued = attribute(element, "continue-list")
        if not continued and attribute(element, "continue-numbering") == "true":
            continued = style
        own = above or _List(style, [*self._ended.get(continued, [])] if continued else [])
        own.style = style
        own.depth += 1
        own.numbers += [0] * (own.depth - len(own.numbers))
        for item in children(element, "list-item"):
            label = ""
            if any(local_name(inner) in {"p", "h"} for inner in item):
                own.count(item)
                label = self._label(own)
            for block in self._blocks(item, own):
                yield label + block if label and isinstance(block, str) else block
                label = "" if isinstance(block, str) else label
        own.depth -= 1
        self._ended[style] = self._ended[attribute(element, "id")] = own.numbers

    def _label(self, open_list: _List) -> str:
        levels = self._levels.get(open_list.style, {})
        prefix, format, suffix, shown = levels.get(open_list.depth, ("", "", "", 1))
        if not format:
            return ""
        parts = []
        for level in range(max(1, open_list.depth - shown + 1), open_list.depth + 1):
            format = levels.get(level, ("", format, "", 1))[1] or "1"
            parts.append(_numeral(format)(open_list.numbers[level - 1]))
        return f"{prefix}{'.'.join(parts)}{suffix} "

    def _table(self, table: Element) -> Iterator[str | Row]:
        """The rows of a table. What is in the cells of a table that only lays text out comes as it would without it."""
        rows = list(_rows(table))
        contents = [[list(self._blocks(cell)) for cell in row.cells] for row in rows]
        if is_layout([contents[place][: row.own] for place, row in enumerate(rows)]):
            yield from (block for of_row in contents for blocks in of_row for block in blocks)
            return
        opens = True
        for of_row, row in zip(contents, rows, strict=True):
            wide = [(cell_text([block]),) for block in of_row[0]] if row.is_wide else [tuple(map(cell_text, of_row))]
            for cells in wide:
                if any(cells):
                    yield Row(cells, opens=opens, is_head=row.is_head)
                    opens = False


class _Cells(NamedTuple):
    """The cells of a row, those that others cover among them. `own`: how many are not covered."""

    cells: list[Element]
    own: int
    is_head: bool

    @property
    def is_wide(self) -> bool:
        """Is it one cell over the whole width?"""
        return self.own == 1 and _count(self.cells[0], "number-columns-spanned") >= len(self.cells)


def _rows(parent: Element, *, in_head: bool = False) -> Iterator[_Cells]:
    """The rows of a table. A repeated one is given once: what repeats is empty."""
    for element in parent:
        match local_name(element):
            case "table-header-rows":
                yield from _rows(element, in_head=True)
            case "table-rows" | "table-row-group":
                yield from _rows(element, in_head=in_head)
            case "table-row":
                yield _cells(element, in_head=in_head)


def _cells(row: Element, *, in_head: bool) -> _Cells:
    cells: list[Element] = []
    own = 0
    for cell in row:
        if local_name(cell) in {"table-cell", "covered-table-cell"}:
            times = max(1, min(_count(cell, "number-columns-repeated"), MOST_COLUMNS - len(cells)))
            own += times * (local_name(cell) == "table-cell")
            cells += [cell] * times
    return _Cells(cells, own, in_head)


def _numeral(format: str) -> Callable[[int], str]:
    """How a number is written in a format that begins as its first numbers do: `i`, `א, י, ק, ...`."""
    return next((numeral for begins, numeral in _NUMERALS.items() if format.startswith(begins)), str)


def _levels(style: Element) -> dict[int, tuple[str, str, str, int]]:
    """What stands before a number, its kind, what stands behind it and how many levels it shows, by level."""
    return {
        _count(level, "level"): (
            attribute(level, "num-prefix"),
            attribute(level, "num-format").lower(),
            attribute(level, "num-suffix"),
            _count(level, "display-levels"),
        )
        for level in style
        if local_name(level) == "list-level-style-number"
    }


def _count(element: Element, name: str, default: int = 1) -> int:
    text = attribute(element, name)
    return min(int(text), 32_767) if text.isascii() and text.isdigit() else default
