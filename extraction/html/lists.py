"""The numbers that a web page writes before the items of its lists."""

import re
from collections.abc import Callable, Mapping

from selectolax.lexbor import LexborNode

from extraction.text.numerals import hebrew_number, latin_letters, roman

_DECLARED = (
    r"list-style(?:-type)?\s*:[^;{}]*?\b(none|hebrew|lower-(?:alpha|latin|greek)|upper-(?:alpha|latin)"
    r"|lower-roman|upper-roman|decimal-leading-zero|decimal)\b"
)
_LIST_STYLE = re.compile(_DECLARED, re.I)
_SHEET = re.compile(r"<style\b[^>]*>([^<]*)", re.I)
_RULE = re.compile(r"(?<![\w-])(?:ol|li)?\.([\w-]+)(?:\s*>?\s*li)?\s*(?=[,{])[^{}]{0,500}\{[^{}]*?" + _DECLARED, re.I)
_NUMERALS: dict[str, Callable[[int], str]] = {
    "1": str,
    "decimal": str,
    "decimal-leading-zero": lambda number: f"{number:02d}",
    "lower-greek": lambda number: "αβγδεζηθικλμνξοπρστυφχψω"[number - 1] if 0 < number < 25 else str(number),
    "hebrew": hebrew_number,
    "a": latin_letters,
    "lower-alpha": latin_letters,
    "lower-latin": latin_letters,
    "A": lambda number: latin_letters(number).upper(),
    "upper-alpha": lambda number: latin_letters(number).upper(),
    "upper-latin": lambda number: latin_letters(number).upper(),
    "i": roman,
    "lower-roman": roman,
    "I": lambda number: roman(number).upper(),
    "upper-roman": lambda number: roman(number).upper(),
}


class OpenList:
    """An open list: the style of its numbers and the next one."""

    def __init__(self, node: LexborNode, styles: Mapping[str, str]) -> None:
        attributes = node.attributes
        self._styles, self._is_numbered = styles, node.tag == "ol"
        self._kind = self._style(node) or attributes.get("type") or "1"
        self.step = -1 if "reversed" in attributes else 1
        first = sum(child.tag == "li" for child in node.iter()) if self.step < 0 else 1  # a reversed list ends with 1
        self.next = whole(attributes.get("start"), first)

    def marker(self, item: LexborNode) -> str:
        """The number of the next item, with a space behind it."""
        number = whole(item.attributes.get("value"), self.next)
        self.next = number + self.step
        kind = self._style(item) or item.attributes.get("type") or self._kind
        return f"{_NUMERALS.get(kind, str)(number)}. " if self._is_numbered and kind != "none" else ""

    def _style(self, node: LexborNode) -> str:
        """How a list or an item says by its style that it is numbered. "" if it does not."""
        attributes = node.attributes
        if own := _LIST_STYLE.search(attributes.get("style") or ""):
            return own[1].lower()
        names = (attributes.get("class") or "").split()
        return next((self._styles[name] for name in names if name in self._styles), "")


def list_styles(html: str) -> dict[str, str]:
    """The kinds of numbers that the page's style gives to lists of a class."""
    if "list-style" not in html:
        return {}
    return {name: kind.lower() for sheet in _SHEET.findall(html) for name, kind in _RULE.findall(sheet)}


def whole(text: str | None, default: int) -> int:
    try:
        return max(-32_767, min(int(text or ""), 32_767))
    except ValueError:
        return default
