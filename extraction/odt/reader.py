"""Reads ODT: paragraphs with the numbers of their lists, tables row by row, numbered notes at the end."""

from __future__ import annotations

import re
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from lxml.etree import _Element as Element

from extraction.document import Losses, LostWhat, Page, TableRow, characters_of, in_parts
from extraction.formulas import formula
from extraction.odt.blocks import OdtList, rows, whole, written_number
from extraction.odt.controls import controls_of, is_picture
from extraction.odt.parts import NAME, STYLES, OdtStyles, content_of, flat_root, is_hidden, margins, root_of
from extraction.packages import encrypted, open_package
from extraction.tables import cell_text, is_layout
from extraction.text.looks import TextStyle
from extraction.text.raised import joined, note_mark
from extraction.text.symbols import with_signs
from extraction.xml import attribute, child, local_name

MAX_SPACES = 100

# Not shown to who reads the document, or made of its other text.
_NO_TEXT = frozenset(
    {"tracked-changes", "number", "sequence-decls", "variable-decls", "user-field-decls", "table-of-content", "forms"}
    | {"script", "binary-data", "title", "desc", "ruby-text", "event-listeners", "index-title-template"}
    | {"table-of-content-source"}
)
_BETWEEN = frozenset({"frame", "control", "annotation"})  # what is anchored to a page
_LAID_OUT = re.compile(r"[\t\n\r]+")  # of the markup. What the text has of them are elements.
_CHARACTERS = {"tab": "\t", "line-break": "\n"}
_SHAPES = frozenset(
    {"text-box", "custom-shape", "rect", "line", "polyline", "polygon", "regular-polygon", "path", "circle", "ellipse"}
    | {"connector", "caption", "measure"}
)


def read_odt(path: Path) -> Iterator[Page]:
    """The document in parts of bounded size.

    Raises ExtractionFailed with code corrupt, encrypted or too_large. Left out: running headers and footers, comments,
    deleted and hidden text and tables of contents. A flat file, which is XML alone, is read as well.
    """
    losses = Losses()
    if not zipfile.is_zipfile(path):
        root = flat_root(path)
        yield from in_parts(_Odt(root, root, None, losses).paragraphs(), losses=losses)
        return
    with open_package(path, name=NAME) as archive:
        if b"encryption-data" in content_of(archive, "META-INF/manifest.xml"):
            raise encrypted(NAME)
        content = root_of(archive, "content.xml")
        styles = root_of(archive, STYLES) if STYLES in archive.namelist() else content
        yield from in_parts(_Odt(content, styles, archive, losses).paragraphs(), losses=losses)


class _Odt:
    """One walk over the content. What it did not come by is lost."""

    def __init__(self, content: Element, styles: Element, archive: zipfile.ZipFile | None, losses: Losses) -> None:
        self._archive, self._losses = archive, losses
        body = child(child(content, "body"), "text")
        self._body: Element | tuple[()] = () if body is None else body
        self._masters = child(styles, "master-styles")
        roots = [
            *(child(styles, "styles"), child(content, "automatic-styles")),
            *(child(root, "font-face-decls") for root in (styles, content)),
        ]
        self._styles = OdtStyles(root for root in roots if root is not None)
        self._controls = controls_of(self._body)
        self._outline = OdtList(self._styles.outline, [])
        self._ended: dict[str, list[int]] = {}  # the numbers of each list by its id, and of the last of each style
        self._notes: list[str] = []
        self._numbered_notes = 0
        self._seen = 0  # characters that were passed on, are lost or are not to be read

    def paragraphs(self) -> Iterator[str | TableRow]:
        yield from self._blocks(self._body)
        yield from self._notes
        self._losses.add(LostWhat.MARGIN, sum(margins(self._masters)))
        self._losses.add(LostWhat.OTHER, sum(characters_of(*element.itertext()) for element in self._body) - self._seen)

    def _blocks(self, parent: Iterable[Element], open_list: OdtList | None = None) -> Iterator[str | TableRow]:
        for element in parent:
            match local_name(element):
                case "p" | "h":
                    number = self._number(element) if open_list is None else ""
                    yield from self._paragraph(element, number)
                case "table":
                    yield from self._table(element)
                case "list":
                    yield from self._list(element, open_list)
                case "numbered-paragraph":
                    yield from self._numbered(element)
                case "section" if is_hidden(element):
                    self._leave(element, LostWhat.HIDDEN)
                case name if name in _BETWEEN:
                    yield from self._paragraph([element])
                case name if name in _NO_TEXT:
                    self._leave(element)
                case name if name:
                    yield from self._blocks(element, open_list)

    def _leave(self, element: Element, what: LostWhat | None = None) -> None:
        """Go past an element. Its text is lost, or is not to be read."""
        characters = characters_of(*element.itertext())
        self._seen += characters
        if what:
            self._losses.add(what, characters)

    def _number(self, heading: Element) -> str:
        """The number of a heading by the outline."""
        if local_name(heading) != "h" or attribute(heading, "is-list-header") == "true":
            return ""
        self._outline.open_to(whole(heading, "outline-level"))
        self._outline.count(heading)
        return written_number(heading) or self._outline.label()

    def _paragraph(self, element: Element | list[Element], number: str = "") -> Iterator[str | TableRow]:
        boxes: list[Element] = []
        look = TextStyle() if isinstance(element, list) else self._styles.look(element)._replace(place=None)
        yield number + joined(self._inline(element, boxes, look))
        for box in boxes:
            yield from self._blocks(box)

    def _inline(self, parent: Element | list[Element], boxes: list[Element], look: TextStyle) -> Iterator[str]:
        if not isinstance(parent, list):
            yield self._piece(parent.text, look)
        for element in parent:
            match local_name(element):
                case "s":
                    yield (look.place or str)(" " * min(whole(element, "c"), MAX_SPACES))
                case "note" | "control" | "math" | "object" | "object-ole" as name:
                    yield self._put_in(element, name)
                case name if name in _CHARACTERS:
                    yield _CHARACTERS[name]
                case name if name in _SHAPES:
                    boxes.append(element)
                case name if name and not self._is_left(element, name):
                    yield from self._inline(element, boxes, self._styles.look(element).over(look))
            if not isinstance(parent, list):
                yield self._piece(element.tail, look)

    def _put_in(self, element: Element, name: str) -> str:
        """What stands in the line for something that is no text of it."""
        if name == "note":
            return self._note(element)
        if name == "control":
            return self._controls.get(attribute(element, "control"), "")
        return self._object(element, name)

    def _is_left(self, element: Element, name: str) -> bool:
        """Go past what is not read, and say what of it is lost."""
        hidden = name in {"hidden-text", "hidden-paragraph"} and attribute(element, "is-hidden") != "false"
        hidden = hidden or attribute(element, "display") == "none"  # a variable that is only set
        picture = name == "frame" and is_picture(element)
        if picture:
            self._losses.add(LostWhat.PICTURE)
        what = LostWhat.NOTE if name == "annotation" else LostWhat.HIDDEN if hidden else None
        if left := what is not None or picture or name in _NO_TEXT:
            self._leave(element, what)
        return left

    def _piece(self, text: str | None, look: TextStyle) -> str:
        text = _LAID_OUT.sub(" ", text or "")
        characters = characters_of(text)
        self._seen += characters
        if look.hidden:
            self._losses.add(LostWhat.HIDDEN, characters)
            return ""
        text, unknown = with_signs(text, self._styles.font(look.font))
        self._losses.add(LostWhat.OTHER, unknown)
        return (look.place or str)(text)

    def _note(self, element: Element) -> str:
        """The mark of a note as the file has it, the sign that the writer gave it among them."""
        citation, body = child(element, "note-citation"), child(element, "note-body")
        written = "" if citation is None else attribute(citation, "label") or "".join(citation.itertext())
        self._numbered_notes += not written.strip()
        mark = note_mark("".join(written.split()) or str(self._numbered_notes))
        self._notes.append("")
        place = len(self._notes) - 1
        self._notes[place] = f"{mark} {cell_text(self._blocks(() if body is None else body))}"
        if citation is not None:
            self._leave(citation)
        return mark

    def _object(self, element: Element, name: str) -> str:
        """What is embedded: a formula is written, another document is lost."""
        path = f"{attribute(element, 'href').removeprefix('./').rstrip('/')}/content.xml"
        inner = element if name == "math" else child(element, "math")
        if inner is None and self._archive is not None and path in self._archive.NameToInfo:
            root = root_of(self._archive, path)
            inner = root if local_name(root) == "math" else None
        self._leave(element)
        if inner is not None:
            return formula(inner)
        self._losses.add(LostWhat.ATTACHMENT)
        return ""

    def _list(self, element: Element, above: OdtList | None) -> Iterator[str | TableRow]:
        """The items, each with its number before its first paragraph. One without a paragraph of its own has none."""
        style = attribute(element, "style-name")
        continued = attribute(element, "continue-list")
        if not continued and attribute(element, "continue-numbering") == "true":
            continued = style
        own = above or OdtList({}, self._ended_numbers(continued, style) if continued else [])
        if style or not above:
            own.levels = self._styles.levels.get(style, {})
        own.open_to(own.depth + 1)
        for item in element:
            if local_name(item) != "list-item":
                yield from self._blocks([item], own)
                continue
            label = ""
            if any(local_name(inner) in {"p", "h"} for inner in item):
                label = self._counted(item, own)
            yield from self._labelled(label, self._blocks(item, own))
        own.depth -= 1
        self._ended[style] = self._ended[attribute(element, "id")] = own.numbers

    def _counted(self, item: Element, own: OdtList) -> str:
        """The number of an item. One with another style than its list counts in the list of that style."""
        style = attribute(item, "style-override")
        if style:
            depth = own.depth
            own = OdtList(self._styles.levels.get(style, {}), self._ended_numbers(style))
            own.open_to(depth)
            self._ended[style] = own.numbers
        own.count(item)
        return written_number(item) or own.label()

    def _ended_numbers(self, *names: str) -> list[int]:
        """The last numbers of a list: of the first one of these ids and styles that is known."""
        return next(([*self._ended[name]] for name in names if name in self._ended), [])

    def _numbered(self, element: Element) -> Iterator[str | TableRow]:
        """A paragraph that is numbered without a list round it."""
        style = attribute(element, "style-name")
        key = attribute(element, "list-id") or style
        own = OdtList(self._styles.levels.get(style, {}), self._ended.setdefault(key, []))
        own.open_to(whole(element, "level"))
        own.count(element)
        yield from self._labelled(own.label(), self._blocks(element, own))

    @staticmethod
    def _labelled(label: str, blocks: Iterable[str | TableRow]) -> Iterator[str | TableRow]:
        for block in blocks:
            yield label + block if label and isinstance(block, str) else block
            label = "" if isinstance(block, str) else label

    def _table(self, table: Element) -> Iterator[str | TableRow]:
        """The rows of a table. What is in the cells of a table that only lays text out comes as it would without it."""
        in_columns = []
        for row in rows(table):
            if row.is_hidden:
                for cell in dict.fromkeys(row.cells):
                    self._leave(cell, LostWhat.HIDDEN)
            else:
                in_columns.append(row)
        contents = [self._contents(row.cells) for row in in_columns]
        if is_layout([contents[place][: row.own] for place, row in enumerate(in_columns)]):
            yield from (block for of_row in contents for blocks in of_row for block in blocks)
            return
        opens = True
        for of_row, row in zip(contents, in_columns, strict=True):
            if row.is_wide:
                covered = {id(blocks): cell_text(blocks) for blocks in of_row[1:]}
                self._losses.add(LostWhat.HIDDEN, characters_of(*covered.values()))
            wide = [(cell_text([block]),) for block in of_row[0]] if row.is_wide else [tuple(map(cell_text, of_row))]
            for cells in wide:
                if any(cells):
                    yield TableRow(cells, opens=opens, is_head=row.is_head)
                    opens = False

    def _contents(self, cells: Sequence[Element]) -> list[list[str | TableRow]]:
        """What is in each cell of a row. A repeated one is read once."""
        contents: list[list[str | TableRow]] = []
        for place, cell in enumerate(cells):
            is_again = place > 0 and cell is cells[place - 1]
            contents.append(contents[-1] if is_again else list(self._blocks(cell)))
        return contents
