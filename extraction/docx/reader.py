"""Reads DOCX: paragraphs with their numbers, tables row by row, text boxes once, numbered notes at the end."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

from lxml.etree import _Element as Element

from extraction.document import ExtractionFailed, Losses, LostWhat, Page, SetApart, TableRow, in_parts
from extraction.docx.chunks import chunk_texts
from extraction.docx.inline import NO_TEXT, Inline
from extraction.docx.numbering import DocxNumbering, note_numbers_of
from extraction.docx.package import NAME, Package, Relation
from extraction.docx.styles import DocxStyles
from extraction.libreoffice import as_docx
from extraction.packages import DAMAGED, open_package
from extraction.tables import MAX_COLUMNS, add_cell, cell_text, is_layout
from extraction.text.looks import lost_margin
from extraction.xml import attribute, characters_in, child, flag, local_name, value, whole_number
from kb_project.processes import scratch

_TABLE_OF_CONTENTS = "Table of Contents"


def read_docx(path: Path, *, depth: int = 0) -> Iterator[Page]:
    """The document in parts of bounded size. `depth`: so many others it is inside of.

    Raises ExtractionFailed with code corrupt, encrypted or too_large. Left out: running headers and footers, comments,
    deleted and hidden text, and the table of contents that Word generates.
    """
    with open_package(path, name=NAME) as archive:
        losses = Losses()
        yield from in_parts(_Docx(archive, losses, depth=depth).paragraphs(), losses=losses)


def read_doc(path: Path) -> Iterator[Page]:
    """A DOC as `read_docx` reads what LibreOffice makes of it. Raises as that, and as `libreoffice.as_docx`."""
    with scratch.directory("office") as directory:
        yield from read_docx(as_docx(path, directory))


class _Begun(NamedTuple):
    """A paragraph that goes on in the next: its number, its text so far, and what is drawn beside it."""

    number: str = ""
    text: str = ""
    is_apart: bool = False
    boxes: Sequence[Element] = ()


class _Docx:
    """One walk over an open DOCX. What it did not come by is lost."""

    def __init__(self, archive: zipfile.ZipFile, losses: Losses, *, depth: int) -> None:
        self._package, self._losses, self._depth = Package(archive), losses, depth
        numbering, styles = (self._package.root(self._package.beside(kind)) for kind in ("numbering", "styles"))
        self._numbering = DocxNumbering(numbering, styles)
        self._styles = DocxStyles(styles)
        self._note_numbers = note_numbers_of(self._package)
        self._inline = Inline(self._package, self._styles, losses, self._note_numbers)
        self._begun: _Begun | None = None
        self._first_pages: set[str] = set()  # headers and footers that only the first page of a section has

    def paragraphs(self) -> Iterator[str | TableRow]:
        for element in self._package.blocks():
            yield from self._whole(element)
        yield from self._take_begun()
        yield from self._note_texts()
        self._margins()
        comments = self._inline.side_part(self._package.beside("comments"))
        if comments is not None:
            self._losses.add(LostWhat.NOTE, characters_in(comments))

    def _whole(self, element: Element) -> Iterator[str | TableRow]:
        """A block, and an account of what is in it."""
        self._inline.seen = 0
        yield from self._block(element)
        self._inline.note_pictures(element)
        self._losses.add(LostWhat.OTHER, characters_in(element) - self._inline.seen)

    def _blocks(self, parent: Element) -> Iterator[str | TableRow]:
        for element in parent:
            yield from self._block(element)

    def _closed(self, parent: Element) -> Iterator[str | TableRow]:
        """The blocks of what no paragraph goes on behind: a cell, a box, a note."""
        yield from self._blocks(parent)
        yield from self._take_begun()

    def _block(self, element: Element) -> Iterator[str | TableRow]:
        match local_name(element):
            case "p":
                yield from self._paragraph(element)
            case "tbl":
                yield from self._take_begun()
                yield from self._table(element)
            case "sdt" if _is_table_of_contents(element):
                self._inline.leave(element)
            case "AlternateContent":
                yield from self._blocks(self._inline.alternative(element))
            case "altChunk":
                yield from self._chunk(attribute(element, "id"))
            case "oMathPara" | "oMath" | "r" | "hyperlink":
                yield from self._text_and_boxes([element])
            case "textpath":
                yield attribute(element, "string")
            case "relIds":
                yield from self._diagram(attribute(element, "dm"))
            case "sectPr":
                self._section(element)
            case name if name in NO_TEXT:
                self._inline.leave(element)
            case name if name:
                yield from self._blocks(element)

    def _text_and_boxes(self, inside: Iterable[Element]) -> Iterator[str | TableRow]:
        boxes: list[Element] = []
        yield self._inline.text(inside, boxes)
        for box in boxes:
            yield from self._block(box)

    def _paragraph(self, element: Element) -> Iterator[str | TableRow]:
        """A paragraph, with what was begun before it. One whose end is deleted, moved away or hidden begins the next.

        So does a drop cap. Without text such a one does not count in its list.
        """
        boxes: list[Element] = []
        text = self._inline.text(element, boxes)
        properties = child(element, "pPr")
        goes_on = self._goes_on(properties)
        is_gone = (goes_on and not text.strip()) or self._styles.is_contents(properties)
        begun, self._begun = self._begun or _Begun(), None
        begun = begun._replace(boxes=(*begun.boxes, *boxes))
        if not is_gone:
            number = begun.number or self._numbering.number_of(element)
            is_apart = begun.is_apart or self._styles.sets_apart(properties)
            begun = begun._replace(number=number, text=begun.text + text, is_apart=is_apart)
        if goes_on or is_gone:
            self._begun = begun
        else:
            yield from self._written(begun)
        if (section := child(properties, "sectPr")) is not None:
            self._section(section)

    def _goes_on(self, properties: Element | None) -> bool:
        mark = child(properties, "rPr")
        if child(mark, "del") is not None or child(mark, "moveFrom") is not None:
            return True
        frame = child(properties, "framePr")
        is_drop_cap = frame is not None and attribute(frame, "dropCap") in {"drop", "margin"}
        return is_drop_cap or self._styles.hides_mark(properties)

    def _take_begun(self) -> Iterator[str | TableRow]:
        """What was begun, if nothing comes that it could go on in."""
        begun, self._begun = self._begun, None
        if begun is not None:
            yield from self._written(begun)

    def _written(self, paragraph: _Begun) -> Iterator[str | TableRow]:
        text = paragraph.number + paragraph.text
        yield SetApart(text) if paragraph.is_apart and not paragraph.number else text
        for box in paragraph.boxes:
            yield from self._block(box)
            yield from self._take_begun()

    def _section(self, properties: Element) -> None:
        self._note_numbers.end_section()
        for one in properties:
            if local_name(one) in {"headerReference", "footerReference"} and attribute(one, "type") == "first":
                relation = self._inline.relations.get(attribute(one, "id"))
                if relation and flag(child(properties, "titlePg")):
                    self._first_pages.add(relation.part)

    def _margins(self) -> None:
        """Count headers and footers that do not only repeat."""
        for relation in self._package.relations.values():
            if relation.kind in {"header", "footer"} and (root := self._inline.side_part(relation.part)) is not None:
                is_first = relation.part in self._first_pages
                self._losses.add(LostWhat.MARGIN, lost_margin(characters_in(root), of_first_page=is_first))

    def _chunk(self, relation_id: str) -> Iterator[str | TableRow]:
        """A file in another format that stands in the place of a paragraph."""
        relation = self._inline.relations.get(relation_id)
        try:
            content = self._package.read(relation.part) if relation and relation.part else None
        except (*DAMAGED, ExtractionFailed):
            content = None
        if relation is None or content is None:
            self._losses.add(LostWhat.FOREIGN)
            return
        yield from chunk_texts(relation.part, content, self._losses, depth=self._depth)

    def _diagram(self, relation_id: str) -> Iterator[str]:
        """The texts of a diagram, each a paragraph."""
        root = self._inline.related(relation_id)
        for paragraph in root.iter("{*}p") if root is not None else ():
            yield "".join(text.text or "" for text in paragraph.iter("{*}t"))

    def _table(self, table: Element) -> Iterator[str | TableRow]:
        """The rows of a table. What is in the cells of a table that only lays text out comes as it would without it."""
        rows = []
        for row in _within(table, "tr"):
            if child(child(row, "trPr"), "del") is None:
                rows.append(row)
            else:
                self._inline.leave(row)
        cells = [list(_within(row, "tc")) for row in rows]
        contents = [[list(self._closed(cell)) for cell in of_row] for of_row in cells]
        if is_layout(contents):
            yield from (block for of_row in contents for blocks in of_row for block in blocks)
            return
        covered = (characters_in(cell) for of_row in cells for cell in of_row if len(of_row) > 1 and _is_covered(cell))
        self._losses.add(LostWhat.HIDDEN, sum(covered))
        opens = True
        for row, of_row, texts in zip(rows, cells, contents, strict=True):
            for made in _rows(row, of_row, texts):
                yield made._replace(opens=opens)
                opens = False

    def _note_texts(self) -> Iterator[str]:
        """The notes, those of a part together. Behind them come the ones that are marked in notes."""
        parts: dict[str, tuple[dict[str, Element], dict[str, Relation]]] = {}
        while marked := self._inline.take_marked():
            for kind in dict.fromkeys(kind for kind, _ in marked):
                if kind not in parts:
                    name = self._package.beside(kind)
                    root = self._inline.side_part(name)
                    by_id = {attribute(note, "id"): note for note in root} if root is not None else {}
                    parts[kind] = by_id, self._package.relations_of(name)
                by_id, self._inline.relations = parts[kind]
                for noted_in, note_id in marked:
                    if noted_in == kind and note_id in by_id:
                        mark = self._inline.notes[noted_in, note_id]
                        texts = [*self._whole(by_id[note_id]), *self._take_begun()]
                        yield f"{mark} {cell_text(texts)}".strip()


def _rows(row: Element, cells: Sequence[Element], contents: Sequence[Sequence[str | TableRow]]) -> Iterator[TableRow]:
    """A row of a table, its cells in their columns. A cell over the whole width gives a row for each paragraph."""
    properties = child(row, "trPr")
    before = whole_number(value(child(properties, "gridBefore")), 0)
    is_head = flag(child(properties, "tblHeader"))
    if len(cells) == 1 and not before:
        yield from (TableRow((cell_text([block]),), is_head=is_head) for block in contents[0] if cell_text([block]))
        return
    columns = [""] * min(max(before, 0), MAX_COLUMNS)
    for cell, blocks in zip(cells, contents, strict=True):
        layout = child(cell, "tcPr")
        span = whole_number(value(child(layout, "gridSpan")), 1)
        add_cell(columns, "" if _is_covered(cell) else cell_text(blocks), span=span)
    if any(columns):
        yield TableRow(tuple(columns), is_head=is_head)


def _is_covered(cell: Element) -> bool:
    """Is it below another that covers it?"""
    merge = child(child(cell, "tcPr"), "vMerge")
    return merge is not None and value(merge) != "restart"


def _within(parent: Element, name: str) -> Iterator[Element]:
    """Children of that name, also inside content controls and tracked insertions."""
    for element in parent:
        found = local_name(element)
        if found == name:
            yield element
        elif found in {"sdt", "sdtContent", "ins", "moveTo", "customXml"}:
            yield from _within(element, name)


def _is_table_of_contents(control: Element) -> bool:
    gallery = child(child(child(control, "sdtPr"), "docPartObj"), "docPartGallery")
    return value(gallery) == _TABLE_OF_CONTENTS
