"""What the styles of a DOCX say of a text: where it stands, whether it is shown, and in which font."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lxml.etree import _Element as Element

from extraction.text.looks import TextStyle
from extraction.text.raised import Lowered, Raised
from extraction.xml import attribute, child, children, flag, local_name, value, whole_number

_CHAIN_LIMIT = 20
_ALIGNED: dict[str, type[str]] = {"superscript": Raised, "subscript": Lowered, "baseline": str}
_CONTENTS = re.compile(r"TOC ?\d?", re.I)  # Word translates the identifiers of styles, not their names
_QUOTES = re.compile(r"(?:intense ?)?quote|block ?text|quotations?", re.I)
_MIN_INDENT = 360  # twentieths of a point
_MIN_MOVED = 6  # half points. Less is for looks.


class DocxStyles:
    """The styles of a document by their ids."""

    def __init__(self, styles: Element | None) -> None:
        found = children(styles, "style") if styles is not None else ()
        self._styles = {attribute(style, "styleId"): style for style in found}
        self._resolved: dict[str, TextStyle] = {}

    def of_run(self, run: Element, surrounding: TextStyle) -> TextStyle:
        """How a run is shown in a paragraph or link that is shown so."""
        properties = child(run, "rPr")
        if properties is None:
            return surrounding
        by_style = self._named(value(child(properties, "rStyle")))
        return _look(properties).over(by_style).over(surrounding)

    def of_paragraph(self, properties: Element | None) -> TextStyle:
        """How text without a style of its own is shown. A whole line does not stand above itself."""
        return self._named(value(child(properties, "pStyle")))._replace(place=None)

    def hides_mark(self, properties: Element | None) -> bool:
        """Whether the end of a paragraph is not shown, so that the next one goes on in its line."""
        own = _look(child(properties, "rPr"))
        return bool(own.over(self._named(value(child(properties, "pStyle")))).hidden)

    def is_contents(self, properties: Element | None) -> bool:
        """Whether a paragraph is a line of the table of contents that Word makes, however its style is called."""
        style_id = value(child(properties, "pStyle"))
        style = self._styles.get(style_id)
        return bool(_CONTENTS.fullmatch(style_id) or _CONTENTS.fullmatch(value(child(style, "name"))))

    def sets_apart(self, properties: Element | None) -> bool:
        """Whether a paragraph stands further in than others, or has a style of quotations. One of a list does not."""
        if properties is None or child(properties, "numPr") is not None:
            return False
        chain = list(self._chain(value(child(properties, "pStyle"))))
        if any(_QUOTES.fullmatch(value(child(style, "name"))) for style in chain):
            return True
        own = [properties, *(child(style, "pPr") for style in chain)]
        indent = next((found for one in own if (found := child(one, "ind")) is not None), None)
        if indent is None or attribute(indent, "hanging"):
            return False
        before = attribute(indent, "start") or attribute(indent, "left")
        return whole_number(before, 0) >= _MIN_INDENT

    def _named(self, style_id: str) -> TextStyle:
        if style_id in self._resolved or not style_id:
            return self._resolved.get(style_id, TextStyle())
        found = TextStyle()
        for style in self._chain(style_id):
            found = found.over(_look(child(style, "rPr")))
        return self._resolved.setdefault(style_id, found)

    def _chain(self, style_id: str) -> Iterator[Element]:
        """A style, what it is based on, and so on."""
        for _ in range(_CHAIN_LIMIT):
            style = self._styles.get(style_id)
            if style is None:
                return
            yield style
            style_id = value(child(style, "basedOn"))


def _look(properties: Element | None) -> TextStyle:
    if properties is None or not len(properties):
        return TextStyle()
    named = {local_name(one): one for one in properties}
    hidden, aligned, moved, fonts = map(named.get, ("vanish", "vertAlign", "position", "rFonts"))
    place = _ALIGNED.get(value(aligned))
    if place is None and whole_number(value(moved), 0) >= _MIN_MOVED:
        place = Raised
    font = None if fonts is None else attribute(fonts, "ascii") or attribute(fonts, "hAnsi") or attribute(fonts, "cs")
    return TextStyle(place, None if hidden is None else flag(hidden), font or None)
