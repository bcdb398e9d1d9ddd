"""Reads Markdown as plain text. Wrapped lines become one paragraph, cells of a table row are separated by tabs."""

import html
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from extraction.document import PART_CHARACTERS, Page, TableRow, in_parts
from extraction.plain import lines
from extraction.tables.rows import cell_text

_HEADING = re.compile(r"#{1,6}(?:\s+(?P<text>.*?))?(?:\s+#+)?$")
_RULE = re.compile(r"(?:(?:\*\s*){3,}|(?:-\s*){3,}|(?:_\s*){3,}|=+|-+)$")  # also the line under a heading
_FENCE = re.compile(r"(?:`{3,}|~{3,})[^`]*$")
_QUOTE = re.compile(r"(?:>\s?)+")
_ITEM = re.compile(r"(?:[-*+]|\d{1,9}[א-ת]{0,2}\d{0,2}[.)]|\([\w׳״'\"]{1,4}\))\s")
_BULLET = re.compile(r"[-*+]\s+(?:\[[ xX]\]\s+)?")
_TABLE_ROW = re.compile(r"\|.*\|$")
_TABLE_RULE = re.compile(r"\|?(?:\s*:?-+:?\s*\|)+(?:\s*:?-+:?\s*)?$")
_CELL_BORDER = re.compile(r"(?<!\\)\|")
_TABLE_RULE_READ = TableRow(())
_DEFINITION = re.compile(r"\[[^\]]+\]:\s+\S+")
_LINK = re.compile(
    r"!?\[(?P<text>[^\[\]]*)\]"
    r"(?:\([^()\s]*(?:\([^()]*\)[^()\s]*)?(?:\s+[\"'][^\"']*[\"'])?\)|\[[^\[\]]*\])"
)
_ADDRESS = re.compile(r"<((?:https?|mailto):[^<>\s]+)>")
_TAG = re.compile(r"</?[A-Za-z][^<>]{0,500}>|<!--.{0,500}?-->")
_STRONG = re.compile(r"(\*{1,3}|~~)(?=\S)(?P<text>[^*~]*?\S)\1")
_UNDERSCORED = re.compile(r"(?<!\w)(_{1,3})(?=\S)(?P<text>[^_]*?\S)\1(?!\w)")
_CODE = re.compile(r"(`+)(?P<text>[^`]+)\1")
_ESCAPED = re.compile(r"\\([!-/:-@\[-`{-~])")


def read_markdown(path: Path) -> Iterator[Page]:
    """The document in parts of bounded size."""
    return in_parts(paragraphs(lines(path)))


def paragraphs(source: Iterable[str]) -> Iterator[str | TableRow]:
    """Paragraphs, headings, list items and table rows without their markup. Code is not changed."""
    first: TableRow | None = None  # of a table. The rule below it tells that it is a head.
    in_table = False
    for found in _blocks(source):
        is_rule = found is _TABLE_RULE_READ
        if first:
            yield first._replace(opens=True, is_head=is_rule)
        first = found if isinstance(found, TableRow) and not in_table and not is_rule else None
        in_table = isinstance(found, TableRow)
        if found and not first and not is_rule:
            yield found
    if first:
        yield first._replace(opens=True)


def _blocks(source: Iterable[str]) -> Iterator[str | TableRow]:
    """The same, with `_TABLE_RULE_READ` for the rule in a table and blank ones between."""
    wrapped = _WrappedLines()
    fence = ""
    for line in source:
        if fence or _FENCE.match(line):
            yield from wrapped.take()
            if not fence:
                fence = line[:3]
            elif line.startswith(fence) and not line.strip(fence[0]):
                fence = ""
            else:
                yield line
            continue
        line = _QUOTE.sub("", line, count=1) if line.startswith(">") else line
        heading = _HEADING.match(line)
        alone = heading or _TABLE_ROW.match(line) or _RULE.match(line) or _DEFINITION.match(line) or not line
        if alone or _ITEM.match(line) or wrapped.size > PART_CHARACTERS:
            yield from wrapped.take()
        if heading:
            yield _inline(heading["text"] or "")
        elif _TABLE_ROW.match(line) and _TABLE_RULE.match(line):
            yield _TABLE_RULE_READ
        elif _TABLE_ROW.match(line):
            yield TableRow(tuple(cell_text([_inline(cell)]) for cell in _CELL_BORDER.split(line)[1:-1]))
        elif not line:
            yield ""
        elif not alone:
            wrapped.add(_BULLET.sub("• ", line, count=1) if _BULLET.match(line) else line)
    yield from wrapped.take()


class _WrappedLines:
    """The lines of a paragraph so far, and how many characters they have."""

    def __init__(self) -> None:
        self._lines: list[str] = []
        self.size = 0

    def add(self, line: str) -> None:
        self._lines.append(line)
        self.size += len(line) + 1

    def take(self) -> Iterator[str]:
        """Yields the paragraph, if there is one, and begins the next."""
        if self._lines:
            yield _inline(" ".join(self._lines))
            self._lines, self.size = [], 0


def _inline(text: str) -> str:
    """The text of a line without links, emphasis, tags and escapes."""
    kept: list[str] = []  # escaped characters wait outside, so that they are not taken for markup

    def keep(match: re.Match[str]) -> str:
        kept.append(match.group(1))
        return "\x00"

    text = _ESCAPED.sub(keep, text.replace("\x00", ""))
    text = _LINK.sub(r"\g<text>", text)
    text = _TAG.sub("", _ADDRESS.sub(r"\1", text))
    for marked in (_CODE, _STRONG, _STRONG, _UNDERSCORED, _UNDERSCORED):
        text = marked.sub(r"\g<text>", text)
    text = html.unescape(text)
    waiting = iter(kept)
    return re.sub("\x00", lambda _: next(waiting), text)
