"""The numbers that Word writes by itself in a DOCX: counters of lists, and how its notes are counted."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import IO

from lxml.etree import _Element as Element

from extraction.document import ExtractionFailed
from extraction.docx.package import Package
from extraction.packages import DAMAGED
from extraction.text.list_numbers import (
    ENDNOTES,
    FOOTNOTES,
    USUAL,
    ListLevel,
    ListNumbers,
    NoteFormat,
    NoteNumbers,
    NumberedList,
)
from extraction.xml import attribute, child, children, flag, local_name, value, whole_number

_PROPERTIES = {FOOTNOTES: "footnotePr", ENDNOTES: "endnotePr"}
_NAMES = tuple(name.encode() for name in _PROPERTIES.values())
_BLOCK, _OVERLAP = 1 << 20, 16

Formats = Mapping[str, NoteFormat]
_STYLE_CHAIN_LIMIT = 20


@dataclass(frozen=True, slots=True)
class _Style:
    based_on: str
    list_id: str
    level: int


class DocxNumbering:
    """Gives each paragraph its number. Call `number_of` once for every paragraph, in document order."""

    def __init__(self, numbering: Element | None, styles: Element | None) -> None:
        self._styles: dict[str, _Style] = {}
        self._default_style = ""
        self._numbers = ListNumbers()
        self._lists = self._numbers.lists
        if styles is not None:
            self._read_styles(styles)
        if numbering is not None:
            self._read_lists(numbering)

    def number_of(self, paragraph: Element) -> str:
        """The number with what separates it from the text ("3. "), a bullet, or an empty string."""
        place = self._place(paragraph)
        return self._numbers.number(*place) if place else ""

    def _place(self, paragraph: Element) -> tuple[str, int] | None:
        """List and level of a paragraph: its own, else its style's."""
        properties = child(paragraph, "pPr")
        own = child(properties, "numPr")
        list_id = value(child(own, "numId"))
        level = value(child(own, "ilvl"))
        if not list_id:
            style_id = value(child(properties, "pStyle")) or self._default_style
            list_id, by_style = self._place_of_style(style_id)
            level = level or str(by_style)
        if list_id not in self._lists:
            return None
        return list_id, whole_number(level, 0)

    def _place_of_style(self, style_id: str) -> tuple[str, int]:
        named = style_id
        for _ in range(_STYLE_CHAIN_LIMIT):
            style = self._styles.get(style_id)
            if style is None:
                break
            if style.list_id:
                numbered = self._lists.get(style.list_id)
                levels = numbered.levels if numbered else {}
                linked = [depth for depth, level in levels.items() if level.style in {named, style_id} and level.style]
                return style.list_id, linked[0] if linked else style.level
            style_id = style.based_on
        return "", 0

    def _read_styles(self, styles: Element) -> None:
        for element in children(styles, "style"):
            style_id = attribute(element, "styleId")
            own = child(child(element, "pPr"), "numPr")
            self._styles[style_id] = _Style(
                based_on=value(child(element, "basedOn")),
                list_id=value(child(own, "numId")),
                level=whole_number(value(child(own, "ilvl")), 0),
            )
            if attribute(element, "type") == "paragraph" and attribute(element, "default") in {"1", "true", "on"}:
                self._default_style = style_id

    def _read_lists(self, numbering: Element) -> None:
        abstract: dict[str, dict[int, ListLevel]] = {}
        defined_by_style: dict[str, str] = {}
        delegated: dict[str, str] = {}
        for element in children(numbering, "abstractNum"):
            abstract_id = attribute(element, "abstractNumId")
            abstract[abstract_id] = {
                whole_number(attribute(level, "ilvl"), 0): _read_level(level) for level in children(element, "lvl")
            }
            if name := value(child(element, "styleLink")):
                defined_by_style[name] = abstract_id
            if name := value(child(element, "numStyleLink")):
                delegated[abstract_id] = name
        for element in children(numbering, "num"):
            abstract_id = value(child(element, "abstractNumId"))
            abstract_id = defined_by_style.get(delegated.get(abstract_id, ""), abstract_id)
            numbered = NumberedList(counters=abstract_id, levels=dict(abstract.get(abstract_id, {})))
            for override in children(element, "lvlOverride"):
                depth = whole_number(attribute(override, "ilvl"), 0)
                level = child(override, "lvl")
                if level is not None:
                    numbered.levels[depth] = _read_level(level)
                start = value(child(override, "startOverride"))
                if start:
                    numbered.starts[depth] = whole_number(start, 1)
                    if depth in numbered.levels:
                        numbered.levels[depth] = replace(numbered.levels[depth], start=numbered.starts[depth])
            self._lists[attribute(element, "numId")] = numbered


def _read_level(element: Element) -> ListLevel:
    restart = value(child(element, "lvlRestart"))
    is_hidden = flag(child(child(element, "rPr"), "vanish"))
    return ListLevel(
        format="none" if is_hidden else _format(element),
        template="" if is_hidden else value(child(element, "lvlText")),
        start=whole_number(value(child(element, "start")), 1),
        restart_after=whole_number(restart, 0) if restart else None,
        legal=flag(child(element, "isLgl")),
        style=value(child(element, "pStyle")),
        suffix="" if value(child(element, "suff")) == "nothing" else " ",
    )


def _format(level: Element) -> str:
    """How a level writes its numbers. Since Word 2010 it may begin with zeros, and older programs are told apart."""
    choices = child(level, "AlternateContent")
    padded = attribute(one, "format") if (one := child(child(choices, "Choice"), "numFmt")) is not None else ""
    for zeros, name in (("001", "decimal3"), ("0001", "decimal4"), ("00001", "decimal5"), ("01", "decimalZero")):
        if padded.startswith(f"{zeros},"):
            return name
    found = child(level, "numFmt")
    if found is None:
        found = child(child(choices, "Fallback"), "numFmt")
    return value(found) or "decimal"


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
    return {kind: _note_format(child(properties, name), usual[kind]) for kind, name in _PROPERTIES.items()}


def _note_format(properties: Element | None, usual: NoteFormat) -> NoteFormat:
    format, start, restart = (value(child(properties, name)) for name in ("numFmt", "numStart", "numRestart"))
    return NoteFormat(
        format or usual.format,
        whole_number(start, usual.start),
        restart == "eachSect" if restart else usual.restarts,
    )
