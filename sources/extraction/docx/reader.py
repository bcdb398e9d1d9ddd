"""Reads DOCX: paragraphs with their numbers, tables row by row, text boxes once, numbered notes at the end."""

import errno
import lzma
import re
import zipfile
import zlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from lxml import etree
from lxml.etree import _Element as Element

from sources.extraction.document import ExtractionFailed, Page, in_parts
from sources.extraction.docx.numbering import Numbering
from sources.extraction.docx.wordml import attribute, child, children, flag, local_name, value
from sources.extraction.numerals import raised

UNPACKED_LIMIT = 300 << 20  # bytes of the body. A zip bomb unpacks to more.
SIDE_PART_LIMIT = 48 << 20  # of each other part, which is held whole

_DELETED = frozenset({"del", "moveFrom"})
_NO_TEXT = _DELETED | {"pPr", "rPr", "sdtPr", "rt", "tblPr", "tblGrid", "sectPr", "delText", "instrText"}
_CHARACTERS = {"tab": "\t", "ptab": "\t", "br": "\n", "cr": "\n", "noBreakHyphen": "-"}
_NOTES = {"footnoteReference": "word/footnotes.xml", "endnoteReference": "word/endnotes.xml"}
_CONTENTS_STYLE = re.compile(r"TOC\d?$")
_TABLE_OF_CONTENTS = "Table of Contents"

# lxml refuses text nodes over 10 MB and more than 256 levels of nesting by itself.
_NO_ENTITIES = {"resolve_entities": False, "no_network": True, "load_dtd": False, "huge_tree": False}
# What zipfile, the packings it knows and lxml raise.
_DAMAGED = (
    *(zipfile.BadZipFile, zlib.error, lzma.LZMAError, EOFError),
    *(etree.XMLSyntaxError, KeyError, NotImplementedError),
)


def read_docx(path: Path) -> Iterator[Page]:
    """The document in parts of bounded size.

    Raises ExtractionFailed with code corrupt, encrypted or too_large. Left out: headers, footers, comments,
    deleted and hidden text, and the table of contents that Word generates.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            yield from in_parts(_Document(archive).paragraphs())
    except _DAMAGED as error:
        raise _corrupt() from error
    except OSError as error:
        # A place to read from that cannot be in any file, and what bz2 says of a damaged stream, which has no number.
        if error.errno not in (errno.EINVAL, None):
            raise
        raise _corrupt() from error
    except RuntimeError as error:  # zipfile has no class of its own for a password
        raise ExtractionFailed("encrypted", "The Word file needs a password. Remove it and upload again.") from error


def _corrupt() -> ExtractionFailed:
    return ExtractionFailed("corrupt", "The Word file is damaged or was cut off on its way. Upload it again.")


class _Document:
    """One walk over an open DOCX."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self._numbering = Numbering(self._side_part("word/numbering.xml"), self._side_part("word/styles.xml"))
        self._notes: dict[tuple[str, str], int] = {}  # numbers by part and id, in the order of their marks
        self._noted: Counter[str] = Counter()

    def paragraphs(self) -> Iterator[str]:
        with self._archive.open(self._member("word/document.xml", UNPACKED_LIMIT)) as file:
            for element in _body_elements(file):
                yield from self._block(element)
        yield from self._note_texts()

    def _blocks(self, parent: Element) -> Iterator[str]:
        for element in parent:
            yield from self._block(element)

    def _block(self, element: Element) -> Iterator[str]:
        match local_name(element):
            case "p":
                yield from self._paragraph(element)
            case "tbl":
                for row in _within(element, "tr"):
                    yield from self._row(row)
            case "sdt" if _is_table_of_contents(element):
                return
            case "AlternateContent":
                yield from self._blocks(_alternative(element))
            case "sdt" | "sdtContent" | "ins" | "moveTo" | "customXml" | "smartTag":
                yield from self._blocks(element)

    def _paragraph(self, element: Element) -> Iterator[str]:
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

    def _row(self, row: Element) -> Iterator[str]:
        properties = child(row, "trPr")
        if child(properties, "del") is not None:
            return
        cells = [[line for line in self._blocks(cell) if line.strip()] for cell in _within(row, "tc")]
        if len(cells) == 1:  # a frame round paragraphs, not a table
            yield from cells[0]
        else:
            yield "\t".join(" ".join(" ".join(cell).split()) for cell in cells)

    def _note_mark(self, part: str, note_id: str) -> str:
        """The number of a footnote or endnote: those of each part are counted in the order of their marks."""
        if (part, note_id) not in self._notes:
            self._noted[part] += 1
            self._notes[part, note_id] = self._noted[part]
        return raised(self._notes[part, note_id])

    def _note_texts(self) -> Iterator[str]:
        for part in dict.fromkeys(part for part, _ in self._notes):
            root = self._side_part(part)
            if root is None:
                continue
            by_id = {attribute(note, "id"): note for note in root}
            for (note_part, note_id), number in list(self._notes.items()):
                if note_part == part and note_id in by_id:
                    texts = [text.strip() for text in self._blocks(by_id[note_id]) if text.strip()]
                    yield " ".join([raised(number), *texts])

    def _side_part(self, name: str) -> Element | None:
        if name not in self._archive.NameToInfo:
            return None
        content = self._archive.read(self._member(name, SIDE_PART_LIMIT))
        return etree.fromstring(content, etree.XMLParser(**_NO_ENTITIES))

    def _member(self, name: str, limit: int) -> zipfile.ZipInfo:
        member = self._archive.getinfo(name)
        if member.file_size > limit:  # zipfile never unpacks more than a member says it has
            raise ExtractionFailed(
                "too_large", f"The Word file unpacks to {member.file_size >> 20} MB, more than is read."
            )
        return member


def _body_elements(file: object) -> Iterator[Element]:
    """The children of the body one by one. Each is freed when the next is read."""
    body: Element | None = None
    for _, element in etree.iterparse(file, events=("end",), **_NO_ENTITIES):
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
