"""What stands above or below its line in a web page, and the formulas in it."""

import re

from selectolax.lexbor import LexborNode

from extraction.formulas import DEEPEST, FormulaPart, written
from extraction.text.raised import Apart, Lowered, Raised

_KINDS: dict[str, type[str]] = {"super": Raised, "sub": Lowered}
_TAGS: dict[str, type[str]] = {"sup": Raised, "sub": Lowered}
INLINE = frozenset({"span", "a", "font", "small", "b", "i", "em", "strong", "u", "ins", "label"})
_STYLE = re.compile(r"vertical-align\s*:\s*(super|sub)\b", re.I)
_WORD_STYLE = re.compile(r"mso-text-raise\s*:\s*(-?)[\d.]*[1-9]", re.I)  # as Word saves pages
_RULE = re.compile(r"\.([\w-]+)\s*\{[^{}]*?vertical-align\s*:\s*(super|sub)\b", re.I)
_NOTE = re.compile(r"[A-Z]{1,2}\d{1,4}")
_CLASS = re.compile(r"(?:^|[-_ ])(?:(super|sup)|sub)(?:script)?(?:$|[-_ ])", re.I)


def is_mark_of_note(tag: str, node: LexborNode) -> bool:
    """Whether it leads to a note of the page, such as the F1 before words that were amended."""
    return leads_within(tag, node) and _NOTE.fullmatch(node.text() or "") is not None


def leads_within(tag: str, node: LexborNode) -> bool:
    """Whether it is a link to a place of the page."""
    return tag == "a" and (node.attributes.get("href") or "").startswith("#")


class Places:
    """Where the text that comes next stands: on the line, above it or below it."""

    def __init__(self, html: str) -> None:
        self._open: list[type[str]] = []
        self._rules = {name: _KINDS[kind.lower()] for name, kind in _RULE.findall(html)}

    def enter(self, tag: str, node: LexborNode) -> None:
        """An element begins."""
        if kind := self._kind(tag, node):
            self._open.append(kind)

    def leave(self, tag: str, node: LexborNode) -> None:
        """An element that was entered ends."""
        if self._open and self._kind(tag, node):
            self._open.pop()

    def piece(self, text: str) -> str:
        """The text as a piece of its line."""
        return self._open[-1](text) if self._open else text

    def _kind(self, tag: str, node: LexborNode) -> type[str] | None:
        if tag in _TAGS or tag not in INLINE:
            return _TAGS.get(tag)
        if is_mark_of_note(tag, node):
            return Raised
        attributes = node.attributes
        if style := _STYLE.search(attributes.get("style") or ""):
            return _KINDS[style[1].lower()]
        if style := _WORD_STYLE.search(attributes.get("style") or ""):
            return Lowered if style[1] else Raised
        names = attributes.get("class") or ""
        by_rule = next((self._rules[name] for name in names.split() if name in self._rules), None)
        if by_rule or not (named := _CLASS.search(names)):
            return by_rule
        return Raised if named[1] else Lowered


def formula_of(node: LexborNode) -> Apart:
    """The formula in an element of MathML."""
    return written(_part(node, DEEPEST))


def _part(node: LexborNode, depth: int) -> FormulaPart:
    part = FormulaPart(node.tag or "")
    attributes = node.attributes
    if part.name == "mfenced":
        part.signs = tuple(
            sign if (value := attributes.get(key)) is None else value
            for key, sign in (("open", "("), ("close", ")"), ("separators", ","))
        )
    inner = node.child
    while inner is not None and depth:
        if inner.tag == "-text":
            part.text += inner.text_content or ""
        elif inner.tag and not inner.tag.startswith("-"):
            part.parts.append(_part(inner, depth - 1))
        inner = inner.next
    return part
