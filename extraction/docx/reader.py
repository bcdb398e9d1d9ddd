"""Reads DOCX: paragraphs with their numbers, tables row by row, text boxes once, numbered notes at the end."""

import re
import zipfile
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from lxml import etree
from lxml.etree import _Element as Element

from extraction.document import Page, Row, in_parts
from extraction.docx.numbering import Numbering
from extraction.docx.wordml import attribute, child, children, flag, local_name, value, whole_number
from extraction.libreoffice import as_docx
from extraction.packages import NO_ENTITIES, open_package, part
from extraction.raised import raised
from extraction.tables.rows import MOST_COLUMNS, add_cell, cell_text, is_layout
from kb_project.processes import scratch

UNPACKED_LIMIT = 300 << 20  # bytes of the body. A zip bomb unpacks to more.
SIDE_PART_LIMIT = 48 << 20  # of each other part, which is held whole

_NAME = "Word"
_DELETED = frozenset({"del", "moveFrom"})
_NO_TEXT = _DELETED | {"pPr", "rPr", "sdtPr", "rt", "tblPr", "tblGrid", "sectPr", "delText", "instrText"}
_CHARACTERS = {"tab": "\t", "ptab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
_NOTES = {"footnoteReference": "word/footnotes.xml", "endnoteReference": "word/endnotes.xml"}
_CONTENTS_STYLE = re.compile(r"TOC\d?$")
_TABLE_OF_CONTENTS = "Table of Contents"


def read_docx(path: Path) -> Iterator[Page]:
    """The document in parts of bounded size.

    Raises ExtractionFailed with code corrupt, encrypted or too_large. Left out: headers, footers, comments,
    deleted and hidden text, and the table of contents that Word generates.
    """
    with open_package(path, name=_NAME) as archive:
        yield from in_parts(_Document(archive).paragraphs())


def read_doc(path: Path) -> Iterator[Page]:
    """A DOC as `read_docx` reads what LibreOffice makes of it. Raises as that, and as `libreoffice.as_docx`."""
    with scratch.directory("office") as directory:
        yield from read_docx(as_docx(path, directory))


class _Document:
    """One walk over an open DOCX."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self._numbering = Numbering(self._side_part("word/numbering.xml"), self._side_part("word/styles.xml"))
        self._notes: dict[tuple[str, str], int] = {}  # numbers by part and id, in the order of their marks
        self._noted: Counter[str] = Counter()

    def paragraphs(self) -> Iterator[str | Row]:
        with self._archive.open(part(self._archive, "word/document.xml", limit=UNPACKED_LIMIT, name=_NAME)) as file:
            for element in _body_elements(file):
                yield from self._block(element)
        yield from self._note_texts()

    def _blocks(self, parent: Element) -> Iterator[str | Row]:
        for element in parent:
            yield from self._block(element)

    def _block(self, element: Element) -> Iterator[str | Row]:
        match local_name(element):
            case "p":
                yield from self._paragraph(element)
            case "tbl":
                yield from self._table(element)
            case "sdt" if _is_table_of_contents(element):
                return
            case "AlternateContent":
                yield from self._blocks(_alternative(element))
            case "sdt" | "sdtContent" | "ins" | "moveTo" | "customXml" | "smartTag":
                yield from self._blocks(element)

    def _paragraph(self, element: Element) -> Iterator[str | Row]:
        text: list[str] = []
        boxes: list[Element] = []
        self._inline(element, text, boxes)
        properties = child(element, "pPr")
        joined = "".join(text)
        deleted = child(child(properties, "rPr"), "del") is not None and not joined.strip()
        if not deleted and not _CONTENTS_STYLE.match(value(child(properties, "pStyle"))):
            yield self._numbering.number_of(element) + joined
        for box in boxes:
            yield from self._blocks(box)

    def _inline(self, parent: Element, text: list[str], boxes: list[Element]) -> None:
        for element in parent:
            name = local_name(element)
            if name == "t":
                text.append(element.text or "")
            elif name in _CHARACTERS:
                text.append(_CHARACTERS[name])
            elif name in _NOTES:
                text.append(self._note_mark(_NOTES[name], attribute(element, "id")))
            elif name == "txbxContent":
                boxes.append(element)
            elif name == "AlternateContent":
                self._inline(_alternative(element), text, boxes)
            elif name and name not in _NO_TEXT and not (name == "r" and _is_hidden(element)):
                self._inline(element, text, boxes)

    def _table(self, table: Element) -> Iterator[str | Row]:
        """The rows of a table. What is in the cells of a table that only lays text out comes as it would without it."""
        rows = [row for row in _within(table, "tr") if child(child(row, "trPr"), "del") is None]
        cells = [list(_within(row, "tc")) for row in rows]
        contents = [[list(self._blocks(cell)) for cell in of_row] for of_row in cells]
        if is_layout(contents):
            yield from (block for of_row in contents for blocks in of_row for block in blocks)
            return
        opens = True
        for row, of_row, texts in zip(rows, cells, contents, strict=True):
            for made in _rows(row, of_row, texts):
                yield made._replace(opens=opens)
                opens = False

    def _note_mark(self, path: str, note_id: str) -> str:
        """The number of a footnote or endnote: those of each part are counted in the order of their marks."""
        if (path, note_id) not in self._notes:
            self._noted[path] += 1
            self._notes[path, note_id] = self._noted[path]
        return raised(self._notes[path, note_id])

    def _note_texts(self) -> Iterator[str]:
        for path in dict.fromkeys(path for path, _ in self._notes):
            root = self._side_part(path)
            if root is None:
                continue
            by_id = {attribute(note, "id"): note for note in root}
            for (noted_in, note_id), number in list(self._notes.items()):
                if noted_in == path and note_id in by_id:
                    yield " ".join([raised(number), cell_text(self._blocks(by_id[note_id]))])

    def _side_part(self, name: str) -> Element | None:
        if name not in self._archive.NameToInfo:
            return None
        content = self._archive.read(part(self._archive, name, limit=SIDE_PART_LIMIT, name=_NAME))
        return etree.fromstring(content, etree.XMLParser(**NO_ENTITIES))


def _body_elements(file: object) -> Iterator[Element]:
    """The children of the body one by one. Each is freed when the next is read."""
    body: Element | None = None
    for _, element in etree.iterparse(file, events=("end",), **NO_ENTITIES):
        parent = element.getparent()
        if parent is None:
            continue
        if body is None and local_name(parent) == "body":
            body = parent
        if parent is body:
            yield element
            element.clear()
            while (done := element.getprevious()) is not None and body is not None:
                body.remove(done)


def _rows(row: Element, cells: Sequence[Element], contents: Sequence[Sequence[str | Row]]) -> Iterator[Row]:
    """A row of a table, its cells in their columns. A cell over the whole width gives a row for each paragraph."""
    properties = child(row, "trPr")
    before = whole_number(value(child(properties, "gridBefore")), 0)
    is_head = flag(child(properties, "tblHeader"))
    if len(cells) == 1 and not before:
        yield from (Row((cell_text([block]),), is_head=is_head) for block in contents[0] if cell_text([block]))
        return
    columns = [""] * min(max(before, 0), MOST_COLUMNS)
    for cell, blocks in zip(cells, contents, strict=True):
        layout = child(cell, "tcPr")
        merge = child(layout, "vMerge")
        is_covered = merge is not None and value(merge) != "restart"
        span = whole_number(value(child(layout, "gridSpan")), 1)
        add_cell(columns, "" if is_covered else cell_text(blocks), span=span)
    if any(columns):
        yield Row(tuple(columns), is_head=is_head)


def _within(parent: Element, name: str) -> Iterator[Element]:
    """Children of that name, also inside content controls and tracked insertions."""
    for element in parent:
        found = local_name(element)
        if found == name:
            yield element
        elif found in {"sdt", "sdtContent", "ins", "moveTo", "customXml"}:
            yield from _within(element, name)


def _alternative(element: Element) -> Element | tuple[()]:
    """The first choice. The fallback repeats it for old programs."""
    chosen = child(element, "Choice")
    if chosen is None:
        chosen = child(element, "Fallback")
    return () if chosen is None else chosen


def _is_table_of_contents(control: Element) -> bool:
    gallery = child(child(child(control, "sdtPr"), "docPartObj"), "docPartGallery")
    return value(gallery) == _TABLE_OF_CONTENTS


def _is_hidden(run: Element) -> bool:
    return any(flag(child(properties, "vanish")) for properties in children(run, "rPr"))
