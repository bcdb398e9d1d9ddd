"""Finds the document inside a web page, tells boilerplate and layout tables, and counts what is lost of it."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from selectolax.lexbor import LexborNode

from extraction.document import Losses, LostWhat, characters_of

_FIELDS = 'textarea, input[type="text"], input:not([type])'
_MIN_PICTURE = 100_000  # characters of a picture that the page itself holds. Icons and logos have fewer.
# Less hidden text than both is a label or a message of the site.
_MIN_HIDDEN_SHARE, _MIN_HIDDEN = 0.1, 500  # of the text that is shown, and in characters
_CODE_AND_CONTROLS = (
    "script style noscript template head title nav button select textarea iframe svg object canvas audio video map "
    "datalist dialog"
)
_SKIPPED_TAGS = frozenset(_CODE_AND_CONTROLS.split())
_SKIPPED_ROLES = frozenset({"navigation", "search", "banner", "contentinfo"})
_INVISIBLE = re.compile(r"display\s*:\s*none|visibility\s*:\s*hidden", re.I)
_NOISE = re.compile(
    r"(?:^|[-_ ])(?:nav(?:bar|igation)?|menu|breadcrumbs?|side-?bar|footer|header|cookies?|share|social|banner|advert"
    r"|toolbar|pagination|skip)(?:$|[-_ ])",
    re.I,
)
_NOISE_TAGS = frozenset({"header", "footer", "aside", "div", "ul", "section", "form"})
_BOILERPLATE_SHARE = 0.3  # of the page's text. A larger element is the document, whatever its class says.
_LINK_SHARE = 0.3
_SHORT = 200
_MAIN_SHARE = 0.4
_LAYOUT_CELL = 2_000  # characters. Cells of real tables hold less.


@dataclass(slots=True)
class TreeSurvey:
    """The result of one pass over the tree. Nodes are identified by their address."""

    root: LexborNode
    boilerplate: set[int]
    layout_rows: set[int]
    text: int = 0  # characters that the page shows


@dataclass(slots=True)
class _Measures:
    """Characters of text and of links inside an element, and whether it has a title."""

    text: int = 0
    links: int = 0
    title: bool = False


@dataclass(slots=True)
class _Table:
    rows: list[int] = field(default_factory=list)
    layout: bool = False


def walk(root: LexborNode, *, skip: Callable[[LexborNode], bool]) -> Iterator[tuple[LexborNode, bool]]:
    """Every node below the root, on entering (True) and on leaving. No recursion, as pages may nest deeply."""
    node = root.child
    end = root.mem_id
    while node is not None:
        if not skip(node):
            yield node, True
            below = node.child
            if below is not None:
                node = below
                continue
            yield node, False
        while node.next is None:
            above = node.parent
            if above is None or above.mem_id == end:
                return
            node = above
            yield node, False
        node = node.next


def is_skipped(node: LexborNode) -> bool:
    """Is this never part of a document: code, controls, navigation, what was deleted or the reader does not see?"""
    return node.tag == "del" or is_code(node) or is_invisible(node)


def is_code(node: LexborNode) -> bool:
    """Is it no text but code or a control?"""
    tag = node.tag
    if tag is None or tag.startswith("-"):
        return tag != "-text"
    return tag in _SKIPPED_TAGS


def is_invisible(node: LexborNode) -> bool:
    """Is it hidden, or does it serve to find one's way?"""
    attributes = node.attributes
    return bool(attributes) and (
        "hidden" in attributes
        or attributes.get("aria-hidden") == "true"
        or attributes.get("role") in _SKIPPED_ROLES
        or _INVISIBLE.search(attributes.get("style") or "") is not None
    )


def survey(body: LexborNode) -> TreeSurvey:
    """Measure text and links of every element once, then decide."""
    surveyor = _Surveyor()
    for node, entering in walk(body, skip=is_skipped):
        tag = node.tag or ""
        if tag == "-text":
            if entering:
                surveyor.add_text(node.text_content or "")
        elif entering:
            surveyor.enter(node, tag)
        else:
            surveyor.leave(node, tag)
    return surveyor.result(body)


class _Surveyor:
    """Collects measurements during a walk over the tree."""

    def __init__(self) -> None:
        self._page = _Measures()
        self._opened = [self._page]
        self._tables: list[_Table] = []
        self._layout_rows: set[int] = set()
        self._mains: list[tuple[LexborNode, int]] = []
        self._articles: list[tuple[LexborNode, int]] = []
        self._suspects: list[tuple[int, str, _Measures]] = []

    def add_text(self, text: str) -> None:
        self._opened[-1].text += len(text.strip())

    def enter(self, node: LexborNode, tag: str) -> None:
        self._opened.append(_Measures())
        if tag == "table":
            if self._tables:
                self._tables[-1].layout = True
            self._tables.append(_Table())
        elif tag == "tr" and self._tables:
            self._tables[-1].rows.append(node.mem_id)

    def leave(self, node: LexborNode, tag: str) -> None:
        measured = self._opened.pop()
        above = self._opened[-1]
        above.text += measured.text
        above.links += measured.text if tag == "a" else measured.links
        above.title = above.title or measured.title or tag == "h1"
        if tag == "table":
            table = self._tables.pop()
            if table.layout:
                self._layout_rows.update(table.rows)
        elif tag in {"td", "th"} and self._tables and measured.text > _LAYOUT_CELL:
            self._tables[-1].layout = True
        elif tag == "main" or node.attributes.get("role") == "main":
            self._mains.append((node, measured.text))
        elif tag == "article":
            self._articles.append((node, measured.text))
        elif tag in _NOISE_TAGS and _sounds_like_noise(node, tag):
            self._suspects.append((node.mem_id, tag, measured))

    def result(self, body: LexborNode) -> TreeSurvey:
        everything = self._page.text
        candidates = self._mains or (self._articles if len(self._articles) == 1 else [])
        return TreeSurvey(
            root=next((node for node, text in candidates if text >= _MAIN_SHARE * everything), body),
            boilerplate={key for key, tag, measured in self._suspects if _is_boilerplate(tag, measured, everything)},
            layout_rows=self._layout_rows,
            text=everything,
        )


def _sounds_like_noise(node: LexborNode, tag: str) -> bool:
    if tag in {"footer", "aside", "form"}:
        return True
    attributes = node.attributes
    return _NOISE.search(f"{attributes.get('id') or ''} {attributes.get('class') or ''}") is not None


def _is_boilerplate(tag: str, measured: _Measures, everything: int) -> bool:
    if measured.text >= _BOILERPLATE_SHARE * everything or measured.title:
        return False
    return tag in {"footer", "aside", "form"} or measured.links > _LINK_SHARE * measured.text or measured.text < _SHORT


def count_losses(plan: TreeSurvey, losses: Losses) -> None:
    """Count them where the document is. What is round it counts for nothing."""
    for typed_in in _inside(plan, _FIELDS):
        typed = typed_in.text() if typed_in.tag == "textarea" else typed_in.attributes.get("value")
        losses.add(LostWhat.FORM, characters_of(typed))
    for chosen in _inside(plan, "option[selected]"):
        losses.add(LostWhat.FORM, characters_of(chosen.text()))
    for ticked in _inside(plan, 'input[type="checkbox"][checked], input[type="radio"][checked]'):
        losses.add(LostWhat.FORM, 1 if ticked else 0)
    for text in _inside(plan, "svg text"):
        losses.add(LostWhat.SHAPE, characters_of(text.text()))
    for frame in _inside(plan, "iframe[srcdoc]"):
        losses.add(LostWhat.FOREIGN, characters_of(frame.attributes.get("srcdoc")))
    for picture in _inside(plan, 'img[src^="data:"]'):
        if len(picture.attributes.get("src") or "") >= _MIN_PICTURE:
            losses.add(LostWhat.PICTURE)
    hidden = sum(_words_in(node) for node in _inside(plan, "[hidden], [style], del", _is_not_shown))
    if hidden >= min(_MIN_HIDDEN, _MIN_HIDDEN_SHARE * max(1, plan.text)):
        losses.add(LostWhat.HIDDEN, hidden)


def _is_not_shown(node: LexborNode) -> bool:
    return node.tag == "del" or is_invisible(node)


def _inside(
    plan: TreeSurvey, selector: str, is_meant: Callable[[LexborNode], bool] = lambda node: True
) -> list[LexborNode]:
    """The elements in the document that are not inside of another one of these, or of what is round the document."""
    found = [node for node in plan.root.css(selector) if is_meant(node)]
    outer = {node.mem_id for node in found} | plan.boilerplate
    return [node for node in found if node.mem_id not in plan.boilerplate and not _is_within(node, outer)]


def _is_within(node: LexborNode, outer: set[int]) -> bool:
    above = node.parent
    while above is not None:
        if above.mem_id in outer:
            return True
        above = above.parent
    return False


def _words_in(node: LexborNode) -> int:
    """The characters that are no code and no link."""
    texts = (
        inner.text_content
        for inner, entering in walk(node, skip=lambda one: is_code(one) or one.tag == "a")
        if entering and inner.tag == "-text"
    )
    return characters_of(*texts)
