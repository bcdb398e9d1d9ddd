"""The parts of an ODT, flat or packed, and what its styles say: where a text stands, whether it shows, its font."""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from lxml import etree
from lxml.etree import _Element as Element

from extraction.document import ExtractionFailed, characters_of
from extraction.odt.blocks import Levels, levels_of
from extraction.packages import NO_ENTITIES, corrupt, part
from extraction.text.looks import TextStyle, lost_margin, place_at
from extraction.xml import attribute, child, local_name

UNPACKED_LIMIT = 100 << 20  # bytes of the content, which is held whole
NAME = "ODT"
STYLES = "styles.xml"  # a file may do without
_CHAIN_LIMIT = 20
_PLAIN = TextStyle()


class OdtStyles:
    """The styles of a document by their names."""

    def __init__(self, roots: Iterable[Element]) -> None:
        self.levels: dict[str, Levels] = {}
        self.outline: Levels = {}
        self._looks: dict[tuple[str, str], TextStyle] = {}
        self._parents: dict[tuple[str, str], str] = {}
        self._fonts: dict[str, str] = {}
        self._resolved: dict[tuple[str, str], TextStyle] = {}
        for style in (one for root in roots for one in root):
            name = attribute(style, "name")
            match local_name(style):
                case "list-style":
                    self.levels[name] = levels_of(style)
                case "outline-style":
                    self.outline = levels_of(style)
                case "font-face":
                    self._fonts[name] = attribute(style, "font-family").strip("'\"")
                case "style":
                    key = attribute(style, "family"), name
                    self._looks[key] = _look(child(style, "text-properties"))
                    self._parents[key] = attribute(style, "parent-style-name")

    def look(self, element: Element) -> TextStyle:
        """How the text of a paragraph or span is shown."""
        name = attribute(element, "style-name")
        return self._named("text" if local_name(element) in {"span", "a"} else "paragraph", name) if name else _PLAIN

    def _named(self, family: str, name: str) -> TextStyle:
        if (family, name) not in self._resolved:
            found, above = _PLAIN, name
            for _ in range(_CHAIN_LIMIT):
                found = found.over(self._looks.get((family, above), _PLAIN))
                above = self._parents.get((family, above), "")
                if not above:
                    break
            self._resolved[family, name] = found
        return self._resolved[family, name]

    def font(self, name: str | None) -> str:
        """The font that a look names, by the name that people know it by."""
        return self._fonts.get(name or "", name or "")


def _look(properties: Element | None) -> TextStyle:
    if properties is None:
        return TextStyle()
    position = attribute(properties, "text-position").split()
    place = place_at(_height(position[0])) if position else None
    display = attribute(properties, "display")
    font = attribute(properties, "font-name") or attribute(properties, "font-family").strip("'\"")
    return TextStyle(place, display == "none" if display else None, font or None)


def _height(text: str) -> float:
    """How far above the line: `super`, `sub` or a share of the line's height."""
    try:
        return {"super": 1.0, "sub": -1.0}.get(text) or float(text.rstrip("%"))
    except ValueError:
        return 0.0


def is_hidden(section: Element) -> bool:
    """Whether a section is not shown, also by its condition."""
    display = attribute(section, "display")
    return display == "none" or (display == "condition" and attribute(section, "is-hidden") == "true")


def margins(masters: Element | None) -> Iterator[int]:
    """The characters of headers and footers that do not only repeat."""
    for margin in masters.iter() if masters is not None else ():
        name = local_name(margin)
        if name.startswith(("header", "footer")):
            yield lost_margin(characters_of(*margin.itertext()), of_first_page=name.endswith("-first"))


def flat_root(path: Path) -> Element:
    """The outermost element of a flat file. Raises ExtractionFailed with code corrupt or too_large."""
    if path.stat().st_size > UNPACKED_LIMIT:
        raise ExtractionFailed("too_large", f"The {NAME} file has more than {UNPACKED_LIMIT >> 20} MB.")
    try:
        return etree.fromstring(path.read_bytes(), etree.XMLParser(**NO_ENTITIES))
    except etree.XMLSyntaxError as error:
        raise corrupt(NAME) from error


def content_of(archive: zipfile.ZipFile, name: str) -> bytes:
    """A part as it is. Raises ExtractionFailed with code too_large."""
    return archive.read(part(archive, name, limit=UNPACKED_LIMIT, name=NAME))


def root_of(archive: zipfile.ZipFile, name: str) -> Element:
    """The outermost element of a part."""
    return etree.fromstring(content_of(archive, name), etree.XMLParser(**NO_ENTITIES))
