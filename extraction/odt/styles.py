"""What the styles of an ODT say of a text: where it stands, whether it is shown, and in which font."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from lxml.etree import _Element as Element

from extraction.docx.wordml import attribute, child, local_name
from extraction.odt.lists import Levels, levels_of
from extraction.raised import Lowered, Raised

_CHAIN_LIMIT = 20


class Look(NamedTuple):
    """How text is shown. None is what surrounds it."""

    place: type[str] | None = None
    hidden: bool | None = None
    font: str | None = None

    def over(self, other: Look) -> Look:
        """This, and what the other says where this says nothing."""
        return Look(
            other.place if self.place is None else self.place,
            other.hidden if self.hidden is None else self.hidden,
            other.font if self.font is None else self.font,
        )


class Styles:
    """The styles of a document by their names."""

    def __init__(self, roots: Iterable[Element]) -> None:
        self.levels: dict[str, Levels] = {}
        self.outline: Levels = {}
        self._looks: dict[tuple[str, str], Look] = {}
        self._parents: dict[tuple[str, str], str] = {}
        self._fonts: dict[str, str] = {}
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

    def look(self, element: Element) -> Look:
        """How the text of a paragraph or span is shown."""
        family = "text" if local_name(element) in {"span", "a"} else "paragraph"
        name, found = attribute(element, "style-name"), Look()
        for _ in range(_CHAIN_LIMIT if name else 0):
            found = found.over(self._looks.get((family, name), Look()))
            name = self._parents.get((family, name), "")
            if not name:
                break
        return found

    def font(self, name: str | None) -> str:
        """The font that a look names, by the name that people know it by."""
        return self._fonts.get(name or "", name or "")


def _look(properties: Element | None) -> Look:
    if properties is None:
        return Look()
    position = attribute(properties, "text-position").split()
    place: type[str] | None = None
    if position:
        first = position[0]
        below = first == "sub" or first.startswith("-")
        place = Lowered if below else str if first.strip("0.%") == "" else Raised
    display = attribute(properties, "display")
    font = attribute(properties, "font-name") or attribute(properties, "font-family").strip("'\"")
    return Look(place, display == "none" if display else None, font or None)
