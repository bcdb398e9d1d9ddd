"""Reads HTML: the document without the site round it, one block per paragraph, list numbers, table rows by tab."""

import enum
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from selectolax.lexbor import LexborHTMLParser, LexborNode

from extraction.document import ExtractionFailed, Losses, Page, TableRow, in_parts
from extraction.html.inline import INLINE, Places, formula_of, is_mark_of_note, leads_within
from extraction.html.lists import OpenList, list_styles, whole
from extraction.html.main_content import TreeSurvey, count_losses, is_skipped, survey, walk
from extraction.html.style_sheets import count_written, hide_by_style
from extraction.tables import OpenCell, OpenRow, OpenTable
from extraction.text.bidi import is_visual, reading_order
from extraction.text.encodings import BLOCK_BYTES, LEGACY, by_mark, code_page, unmarked
from extraction.text.raised import joined

SIZE_LIMIT = 64 << 20  # bytes. The tree takes about ten times as much.
DEPTH_LIMIT = 1_000  # the parser's time grows with the square of the depth

_CHARSET = re.compile(rb"""charset\s*=\s*["']?\s*([\w-]+)""", re.I)
_CHARSET_WITHIN = 1 << 15  # bytes. Some pages begin with scripts.
_VISUAL_CHARSETS = {"iso-8859-8", "visual", "logical", "iso-8859-8-e", "iso8859-8"}  # sites mix the names up
_SPACE = re.compile(r"\s+")
_BLOCK_TAGS = (
    "address article aside blockquote body caption center dd details div dl dt fieldset figcaption figure footer "
    "form h1 h2 h3 h4 h5 h6 header hgroup hr html legend li main ol p pre section summary table tbody tfoot thead "
    "tr ul br"
)
_BLOCKS = frozenset(_BLOCK_TAGS.split())
_NUMBER = re.compile(r"\d{1,4}[A-Z]{0,3}")
_BLOCK = re.compile(r"display\s*:\s*(?:block|flex|grid|list-item|table-row|table)\b", re.I)
_NESTING_TAG = re.compile(
    r"<(/?)(div|section|article|blockquote|center|ul|ol|dl|table|form|fieldset|aside|main|header|footer|details"
    r"|b|i|u|s|em|strong|font|span|big|small|sub|sup|a|tt|code|strike|nobr)\b[^<>]*>",
    re.I,
)


class Separation(enum.Enum):
    """Whether what comes next is set apart from the text before it."""

    NOT = enum.auto()
    BEFORE_ELEMENT = enum.auto()  # if it is an element of its own
    NOW = enum.auto()


def read_html(path: Path) -> Iterator[Page]:
    """The document in parts of bounded size. Raises ExtractionFailed with code too_large."""
    if path.stat().st_size > SIZE_LIMIT:
        raise ExtractionFailed("too_large", f"The HTML file has more than {SIZE_LIMIT >> 20} MB.")
    losses = Losses()
    yield from in_parts(paragraphs(*decode(path.read_bytes()), losses), losses=losses)


def paragraphs(
    text: str, charset: str = "", losses: Losses | None = None, *, in_site: bool = True
) -> Iterator[str | TableRow]:
    """The paragraphs and rows of a page. `charset`, which it declares, may say that lines are in screen order.

    What lies round the text is left out if the page is one of a site.
    """
    found = _paragraphs(limit_depth(text), losses or Losses(), in_site=in_site)
    if charset in _VISUAL_CHARSETS:
        lines = list(found)
        texts = [text for one in lines for text in (one.cells if isinstance(one, TableRow) else [one])]
        return map(_in_reading_order, lines) if is_visual(texts) else iter(lines)
    return found


def decode(content: bytes) -> tuple[str, str]:
    """Text and declared charset: the mark counts first, then the declaration, UTF-8 and windows-1255."""
    if marked := by_mark(content[:4]) or unmarked(content[:BLOCK_BYTES]):
        return content.decode(marked, "replace"), marked
    found = _CHARSET.search(content, 0, _CHARSET_WITHIN)
    declared = found.group(1).decode("ascii").lower() if found else ""
    encodings = [declared, "utf-8"] if declared.startswith("utf-8") or not declared else ["utf-8", declared]
    for encoding in encodings:
        try:
            return content.decode("cp1255" if "8859-8" in encoding else encoding), declared
        except (LookupError, UnicodeDecodeError, ValueError):
            continue
    damaged = content.decode("utf-8", "replace")
    if declared.startswith("utf-8") and damaged.count("\ufffd") * 50 < len(damaged):
        return damaged, declared
    return content.decode(code_page(content) or LEGACY, "replace"), declared


def _in_reading_order(found: str | TableRow) -> str | TableRow:
    if isinstance(found, TableRow):
        return found._replace(cells=tuple(map(reading_order, found.cells)))
    return reading_order(found)


def limit_depth(html: str) -> str:
    """The same text without the tags that nest deeper than any document does."""
    if html.count("<") <= DEPTH_LIMIT:
        return html
    depth = dropped = 0

    def keep(tag: re.Match[str]) -> str:
        nonlocal depth, dropped
        if not tag.group(1):
            if depth >= DEPTH_LIMIT:
                dropped += 1
                return " "
            depth += 1
        elif dropped:
            dropped -= 1
            return " "
        else:
            depth = max(0, depth - 1)
        return tag.group()

    return _NESTING_TAG.sub(keep, html)


def _paragraphs(html: str, losses: Losses, *, in_site: bool) -> Iterator[str | TableRow]:
    page = LexborHTMLParser(html)
    body = page.body
    if body is None:
        return
    hide_by_style(page, html)
    count_written(page, html, losses)
    plan = survey(body)
    if not in_site:
        plan.root, plan.boilerplate = body, set()
    count_losses(plan, losses)
    writer = _Writer(plan, Places(html), list_styles(html), has_blocks=bool(_BLOCK.search(html)))

    def skip(node: LexborNode) -> bool:
        above = node.parent
        in_formula = above is not None and above.tag == "math"
        return in_formula or is_skipped(node) or node.mem_id in plan.boilerplate

    for node, entering in walk(plan.root, skip=skip):
        tag = node.tag
        if tag == "-text":
            if entering:
                writer.write(node.text_content or "")
        elif tag is not None:
            (writer.enter if entering else writer.leave)(tag, node)
            yield from writer.take()
    writer.end_line()
    yield from writer.take()


class _Writer:
    """Collects inline text into lines, and lines into table cells where there is a row open."""

    def __init__(self, plan: TreeSurvey, places: Places, list_styles: Mapping[str, str], *, has_blocks: bool) -> None:
        """`has_blocks`: a style of the page shows something as a block."""
        self._plan, self._places, self._list_styles, self._has_blocks = plan, places, list_styles, has_blocks
        self._line: list[str] = []
        self._apart = Separation.NOT
        self._done: list[str | TableRow] = []
        self._marker = ""
        self._lists: list[OpenList] = []
        self._preformatted = 0
        self._tables: list[OpenTable] = []
        self._row: OpenRow | None = None

    def take(self) -> list[str | TableRow]:
        """The lines and rows finished since the last call."""
        done, self._done = self._done, []
        return done

    def write(self, text: str) -> None:
        if self._preformatted:
            first, *others = text.split("\n")
            self._append(first)
            for line in others:
                self.end_line()
                self._append(line)
            return
        self._append(_SPACE.sub(" ", text))

    def _append(self, text: str) -> None:
        if self._apart is Separation.NOW and text[:1].isalnum():
            self._line.append(" ")
        self._apart = Separation.NOT if text else self._apart
        if self._line or not text.isspace():
            self._line.append(self._places.piece(text))

    def _set_apart(self, tag: str, node: LexborNode) -> None:
        """A style may set the number of a section apart from the words of the next element, and the link to a note."""
        if leads_within(tag, node):
            self._apart = Separation.NOW if is_mark_of_note(tag, node) else Separation.NOT
        elif _NUMBER.fullmatch("".join(self._line)):
            self._apart = Separation.BEFORE_ELEMENT

    def end_line(self) -> None:
        line = joined(self._line).strip()
        self._line.clear()
        if not line:
            return
        self._emit(self._marker + line)
        self._marker = ""

    def _emit(self, line: str) -> None:
        if self._row and self._row.cells:
            self._row.cells[-1].lines.append(line)
        else:
            self._done.append(line)

    def _flush_marker(self) -> None:
        self.end_line()
        if self._marker:
            self._emit(self._marker.strip())
            self._marker = ""

    def enter(self, tag: str, node: LexborNode) -> None:
        if self._is_block(tag, node):
            self.end_line()
        self._places.enter(tag, node)
        if self._apart is Separation.BEFORE_ELEMENT and tag in INLINE:
            self._apart = Separation.NOW if (node.text() or "")[:1].isupper() else Separation.NOT
        if tag in {"ol", "ul"}:
            self._lists.append(OpenList(node, self._list_styles))
        elif tag == "li" and self._lists:
            self._flush_marker()
            self._marker = self._lists[-1].marker(node)
        elif tag == "pre":
            self._preformatted += 1
        elif tag == "math":
            self._line.append(formula_of(node))
        elif tag == "q":
            self._append("“")
        elif tag == "table":
            self._tables.append(OpenTable())
        elif tag == "tr" and self._tables and node.mem_id not in self._plan.layout_rows:
            part = node.parent.tag if node.parent is not None else ""
            self._row = OpenRow(in_head=part == "thead", in_foot=part == "tfoot")
        elif tag in {"td", "th"}:
            self.end_line()
            if self._row is not None:
                self._row.cells.append(_cell(tag, node))

    def leave(self, tag: str, node: LexborNode) -> None:
        if tag == "q":
            self._append("”")
        if tag in {"td", "th"} or self._is_block(tag, node):
            self.end_line()
        self._places.leave(tag, node)
        if tag in INLINE:
            self._set_apart(tag, node)
        if tag in {"ol", "ul"} and self._lists:
            self._lists.pop()
        elif tag == "li":
            self._flush_marker()
        elif tag == "pre":
            self._preformatted -= 1
        elif tag == "table" and self._tables:
            self._done += self._tables.pop().rows()
        elif tag == "tr" and self._row is not None:
            self._tables[-1].add(self._row)
            self._row = None

    def _is_block(self, tag: str, node: LexborNode) -> bool:
        if tag in _BLOCKS or not (self._has_blocks and tag in INLINE):
            return tag in _BLOCKS
        return _BLOCK.search(node.attributes.get("style") or "") is not None


def _cell(tag: str, node: LexborNode) -> OpenCell:
    columns, rows = (whole(node.attributes.get(name), 1) for name in ("colspan", "rowspan"))
    return OpenCell(is_head=tag == "th", columns=columns, rows=rows)
