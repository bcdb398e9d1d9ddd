"""Reads Akoma Ntoso: the text in order, and what the markup says it is divided into, with the addresses it gives."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from lxml import etree
from lxml.etree import _Element as Element

from extraction.document import (
    ExtractionFailed,
    Losses,
    LostWhat,
    MarkedDivision,
    Page,
    TableRow,
    characters_of,
    in_parts,
)
from extraction.formulas import formula
from extraction.packages import NO_ENTITIES
from extraction.tables import OpenCell, OpenRow, OpenTable, cell_text
from extraction.text.raised import Lowered, Raised, joined, raised
from extraction.xml import attribute, child, local_name

SIZE_LIMIT = 64 << 20  # bytes. The tree takes several times as much.
MAX_EID_LENGTH = 500

# How the address of a division begins, by the name of its element (Naming Convention 1.0, section 5.2).
UNITS = {
    **{name: name for name in ("book", "tome", "title", "part", "subpart", "rule", "point", "indent")},
    **{"chapter": "chp", "subchapter": "subchp", "division": "dvs", "subdivision": "subdvs"},
    **{"section": "sec", "article": "art", "paragraph": "para", "level": "lvl", "clause": "cl"},
    **{"subsection": "subsec", "subparagraph": "subpara", "subclause": "subcl"},
    **{"hcontainer": "hcontainer", "attachment": "sched"},
}
_HOLDERS = "book tome title part subpart chp subchp dvs subdvs hcontainer sched app annex form table"
_HOLD_DIVISIONS = frozenset(_HOLDERS.split())
_HCONTAINERS = {"schedule": "sched", "appendix": "app", **{name: name for name in ("annex", "form", "table", "item")}}
_TEXT = frozenset({"p", "num", "heading", "subheading", "listIntroduction", "listWrapUp", "block", "longTitle"})
_LEFT_OUT = frozenset({"meta", "toc", "del"})
_LOST = {"remark": LostWhat.NOTE, "img": LostWhat.PICTURE}
_CONTAINERS = frozenset({"table", "content", "intro", "wrapUp", "alinea", "blockList", "ul", "ol", "li", "item"})
_NOTES = frozenset({"authorialNote", "note"})
_SMALL: dict[str, type[str]] = {"sup": Raised, "sub": Lowered}
_UTF_16 = (b"\xff\xfe", b"\xfe\xff")  # how such a file begins
_QUOTED = frozenset({"quotedStructure", "embeddedStructure"})


def read_akoma_ntoso(path: Path) -> Iterator[Page]:
    """The document in parts of bounded size, with its divisions. Raises ExtractionFailed: corrupt or too_large.

    No entity is resolved, and nothing outside the file is read.
    """
    if path.stat().st_size > SIZE_LIMIT:
        raise ExtractionFailed("too_large", f"The Akoma Ntoso file has more than {SIZE_LIMIT >> 20} MB.")
    parser = etree.XMLParser(**NO_ENTITIES, remove_comments=True, remove_pis=True)
    try:
        root = etree.fromstring(
            _unpadded(path.read_bytes()), parser
        )  # of a file, lxml calls damage an error of reading
    except etree.XMLSyntaxError as error:
        raise ExtractionFailed("corrupt", "The Akoma Ntoso file is not well-formed XML. Upload it again.") from error
    losses = Losses()
    yield from in_parts(_AkomaNtosoReader(root, losses).paragraphs(root), marked_up=True, losses=losses)


def _unpadded(content: bytes) -> bytes:
    """Without empty lines before the declaration, and NUL bytes behind the last element. XML says where it ends."""
    is_of_wide_units = content.startswith(_UTF_16) or b"\0" in content[:4]
    return content if is_of_wide_units else content.lstrip(b" \t\r\n").rstrip(b"\0")


class _AkomaNtosoReader:
    """One walk over the tree. A number without a heading waits for the text behind it."""

    def __init__(self, root: Element, losses: Losses) -> None:
        self._number = ""
        self._losses = losses
        self._notes: list[str] = []
        # Notes that stand elsewhere than their marks, by their address.
        self._noted = {
            attribute(note, "eId") or attribute(note, "id"): note
            for meta in root.iter("{*}meta")
            for note in meta.iter("{*}note")
        }
        self._numbers: dict[str, str] = {}

    def paragraphs(self, root: Element) -> Iterator[str | TableRow | MarkedDivision]:
        yield from self._blocks(root, depth=0)
        yield from self._waiting()
        yield from self._notes

    def _blocks(self, parent: Iterable[Element], *, depth: int | None) -> Iterator[str | TableRow | MarkedDivision]:
        """What the children say. `depth` is how deep their divisions lie. None where theirs are not the document's."""
        for element in parent:
            yield from self._block(element, depth=depth)
            if text := " ".join((element.tail or "").split()):
                yield self._behind_number(text)

    def _block(self, element: Element, *, depth: int | None) -> Iterator[str | TableRow | MarkedDivision]:
        name = local_name(element)
        if name in _LEFT_OUT or not name or self._is_lost(element):
            return
        if name in UNITS:
            yield from self._division(element, UNITS[name], depth=depth)
        elif name == "table":
            yield from self._table(element)
        elif name == "item":
            yield from self._numbered(element, depth=None)
        elif name in _QUOTED:
            yield from self._blocks(element, depth=None)
        elif name in _TEXT or _has_text(element):
            yield from self._paragraph(element)
        else:
            yield from self._blocks(element, depth=depth)

    def _division(self, element: Element, unit: str, *, depth: int | None) -> Iterator[str | TableRow | MarkedDivision]:
        unit = _HCONTAINERS.get(attribute(element, "name"), unit) if unit == "hcontainer" else unit
        if depth is not None:
            number, heading = self._text(child(element, "num")), self._text(_heading_of(element))
            eid = attribute(element, "eId") or attribute(element, "id")
            valid = eid if len(eid) <= MAX_EID_LENGTH and eid.isprintable() and " " not in eid else ""
            yield from self._waiting()
            yield MarkedDivision(0, unit, depth, valid, number, heading)
        holds = unit in _HOLD_DIVISIONS or _holds_divisions(element)
        inside = depth + 1 if depth is not None and holds else None
        yield from self._numbered(element, depth=inside)

    def _numbered(self, element: Element, *, depth: int | None) -> Iterator[str | TableRow | MarkedDivision]:
        """What has a number: it stands before its heading, or before the text, behind the number of what it begins."""
        self._number = f"{self._number} {self._text(child(element, 'num'))}".strip()
        head = _heading_of(element)
        if heading := self._text(head):
            yield self._behind_number(heading)
        for inner in element:
            if inner is not head and local_name(inner) not in {"num", "heading"}:
                yield from self._blocks([inner], depth=depth)
            elif text := " ".join((inner.tail or "").split()):
                yield self._behind_number(text)
        yield from self._waiting()

    def _paragraph(self, element: Element) -> Iterator[str | TableRow | MarkedDivision]:
        tables: list[Element] = []
        if text := self._text(element, tables):
            yield self._behind_number(text)
        for inner in tables:
            yield from self._block(inner, depth=None)

    def _behind_number(self, text: str) -> str:
        number, self._number = self._number, ""
        return f"{number} {text}".strip()

    def _waiting(self) -> Iterator[str]:
        if self._number:
            yield self._behind_number("")

    def _text(self, element: Element | None, blocks: list[Element] | None = None) -> str:
        """The words of an element on one line. Tables and quoted structures in it are added to `blocks`."""
        return "" if element is None else " ".join(joined(self._inline(element, blocks)).split())

    def _is_lost(self, element: Element) -> bool:
        """Whether it is not passed on, which is told."""
        what = _LOST.get(local_name(element))
        if what is not None:
            self._losses.add(what, characters_of(*element.itertext()) or None)
        return what is not None

    def _inline(self, parent: Element, blocks: list[Element] | None) -> Iterator[str]:
        yield parent.text or ""
        for element in parent:
            name = local_name(element)
            if name in _NOTES:
                yield self._note(element)
            elif name == "noteRef":
                yield self._note_at(attribute(element, "href").lstrip("#"), attribute(element, "marker"))
            elif name in _SMALL:
                yield _SMALL[name](joined(self._inline(element, blocks)))
            elif name == "math":
                yield formula(element)
            elif name in _QUOTED or name == "table":
                if blocks is not None:
                    blocks.append(element)
            elif name in {"br", "eol", "p"}:
                yield " "
                yield from self._inline(element, blocks)
            elif name and name not in _LEFT_OUT and not self._is_lost(element):
                yield from self._inline(element, blocks)
            yield element.tail or ""

    def _note(self, element: Element) -> str:
        self._notes.append("")
        place = len(self._notes)
        self._notes[place - 1] = f"{raised(place)} {self._text(element)}"
        return raised(place)

    def _note_at(self, eid: str, marker: str) -> str:
        """The mark of a note that stands elsewhere. A second mark of one note has the number of the first."""
        note = self._noted.get(eid)
        if note is None:
            return raised(marker)
        if eid not in self._numbers:
            self._numbers[eid] = self._note(note)
        return self._numbers[eid]

    def _table(self, table: Element) -> Iterator[str | TableRow]:
        yield from self._waiting()
        made = OpenTable()
        caption = self._text(child(table, "caption"))
        if caption:
            yield caption
        for element in table.iter("{*}tr"):
            row = OpenRow()
            for cell in element:
                if (name := local_name(cell)) in {"td", "th"}:
                    lines = [cell_text([block]) for block in self._cell(cell)]
                    row.cells.append(OpenCell(name == "th", _whole(cell, "colspan"), _whole(cell, "rowspan"), lines))
            made.add(row)
        yield from made.rows()

    def _cell(self, cell: Element) -> Iterator[str | TableRow]:
        inside = self._blocks(cell, depth=None) if len(cell) and not (cell.text or "").strip() else [self._text(cell)]
        return (block for block in inside if not isinstance(block, MarkedDivision))


def _heading_of(element: Element) -> Element | None:
    """What heads a division: a heading, the note at its side where that is all of it, or a title of words alone."""
    heading = child(element, "heading")
    if heading is not None:
        side = child(heading, "authorialNote")
        is_alone = side is not None and not _has_text(heading) and len(heading) == 1
        return side if is_alone and attribute(side, "placement") == "side" else heading
    title = child(element, "title")
    is_head = title is not None and not any(local_name(inner) in UNITS or local_name(inner) == "num" for inner in title)
    return title if is_head else None


def _holds_divisions(element: Element) -> bool:
    """Whether its parts have headings, and addresses that do not go on from its own, as sections have."""
    own = attribute(element, "eId")
    lists = [inner for inner in element if local_name(inner) == "list"]
    parts = (part for inner in [element, *lists] for part in inner if local_name(part) in UNITS)
    return bool(own) and any(
        _heading_of(part) is not None and not attribute(part, "eId").startswith(f"{own}__") for part in parts
    )


def _has_text(element: Element) -> bool:
    """Does it have words of its own, before what is in it or between inline elements?"""
    if (element.text or "").strip():
        return True
    return any((inner.tail or "").strip() for inner in element) and not any(map(_is_block, element))


def _is_block(element: Element) -> bool:
    name = local_name(element)
    return name in UNITS or name in _TEXT or name in _QUOTED or name in _CONTAINERS


def _whole(element: Element, name: str) -> int:
    """The whole number in an attribute, 1 if there is none."""
    text = attribute(element, name)
    return min(int(text), 1_000) if text.isascii() and text.isdigit() else 1
