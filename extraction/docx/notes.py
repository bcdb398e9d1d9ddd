"""How the notes of a DOCX are counted: by its settings, and by its sections where they say otherwise."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import IO

from lxml.etree import _Element as Element

from extraction.document import ExtractionFailed
from extraction.docx.package import Package
from extraction.packages import DAMAGED
from extraction.text.note_numbers import ENDNOTES, FOOTNOTES, USUAL, NoteFormat, NoteNumbers
from extraction.xml import child, local_name, value, whole_number

_PROPERTIES = {FOOTNOTES: "footnotePr", ENDNOTES: "endnotePr"}
_NAMES = tuple(name.encode() for name in _PROPERTIES.values())
_BLOCK, _OVERLAP = 1 << 20, 16

Formats = Mapping[str, NoteFormat]


class DocxNoteNumbers:
    """Counts notes section by section. What a section says of its notes stands behind its text."""

    def __init__(self, settings: Element | None, blocks: Iterable[Element]) -> None:
        """`blocks` are those of the body, or none where no section says anything of notes."""
        self._usual = usual = _formats(settings, USUAL)
        self._following = [_formats(one, usual) for block in blocks for one in _sections(block)]
        self._section = 0
        self._numbers = NoteNumbers(self._of_section())

    def mark(self, kind: str) -> str:
        """The mark of the next note of the kind."""
        return self._numbers.mark(kind)

    def end_section(self) -> None:
        """The next section begins."""
        self._section += 1
        self._numbers.end_section(self._of_section())

    def _of_section(self) -> Formats:
        return self._following[self._section] if self._section < len(self._following) else self._usual


def note_numbers_of(package: Package) -> DocxNoteNumbers:
    """What counts the notes of a document. Damaged settings say nothing: the text does not need them."""
    try:
        settings = package.root(package.beside("settings"))
    except (*DAMAGED, ExtractionFailed):
        settings = None
    with package.open_main() as file:
        is_told = _tells_of_notes(file)
    return DocxNoteNumbers(settings, package.blocks() if is_told else ())


def _tells_of_notes(body: IO[bytes]) -> bool:
    """Whether any section may say how its notes are counted."""
    rest = b""
    while block := body.read(_BLOCK):
        if any(name in rest + block for name in _NAMES):
            return True
        rest = block[-_OVERLAP:]
    return False


def _sections(block: Element) -> Iterator[Element]:
    """The properties of sections that end in a block, without what they were before a change."""
    for properties in block.iter("{*}sectPr"):
        above = properties.getparent()
        if above is None or local_name(above) != "sectPrChange":
            yield properties


def _formats(properties: Element | None, usual: Formats) -> Formats:
    return {kind: _format(child(properties, name), usual[kind]) for kind, name in _PROPERTIES.items()}


def _format(properties: Element | None, usual: NoteFormat) -> NoteFormat:
    format, start, restart = (value(child(properties, name)) for name in ("numFmt", "numStart", "numRestart"))
    return NoteFormat(
        format or usual.format,
        whole_number(start, usual.start),
        restart == "eachSect" if restart else usual.restarts,
    )
