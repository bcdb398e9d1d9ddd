"""Looks things up in XML by local name: office formats differ in namespace, transitional and strict ones too.

And the text that Office writes for a character that XML does not take, such as `_x000D_`.
"""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from lxml.etree import _Element as Element

from extraction.document import characters_of

_ESCAPED = re.compile("_x([0-9A-Fa-f]{4})_")


def unescaped(text: str) -> str:
    """The text with the characters that were escaped. `_x005F_` is the line of what would be an escape."""
    if "_x" not in text:
        return text
    units = _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text)
    return units.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def local_name(element: Element) -> str:
    """Tag without namespace. Empty for nodes without a tag, such as comments."""
    tag = element.tag
    return _local(tag) if isinstance(tag, str) else ""


@lru_cache(maxsize=4096)
def _local(tag: str) -> str:
    return tag.rpartition("}")[2]


def children(parent: Iterable[Element], name: str) -> Iterator[Element]:
    return (element for element in parent if local_name(element) == name)


def child(parent: Iterable[Element] | None, name: str) -> Element | None:
    for element in parent if parent is not None else ():
        if local_name(element) == name:
            return element
    return None


def attribute(element: Element, name: str) -> str:
    """An attribute by its local name."""
    for key, text in element.attrib.items():
        if key.rpartition("}")[2] == name:
            return str(text)
    return ""


def value(element: Element | None) -> str:
    """The `w:val` of an element, empty when there is none."""
    return "" if element is None else attribute(element, "val")


def characters_in(element: Element) -> int:
    """How many characters of text are in it, without spaces."""
    return characters_of(*(text.text for text in element.iter("{*}t")))


def whole_number(text: str, default: int) -> int:
    """The number, limited to what a list can count to. The default if it is damaged."""
    try:
        return max(-1, min(int(text), 32_767))
    except ValueError:
        return default


def flag(element: Element | None) -> bool:
    """An on-off property: present and not switched off."""
    return element is not None and value(element) not in {"0", "false", "off"}
