"""Reads Markdown as plain text. Wrapped lines become one paragraph, cells of a table row are separated by tabs."""

import html
import re
from collections import deque
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from extraction.document import PART_CHARACTERS, Losses, LostWhat, Page, TableRow, characters_of, in_parts
from extraction.plain import lines
from extraction.tables import cell_text
from extraction.text.raised import Lowered, Raised, joined, raised

_HEADING = re.compile(r"#{1,6}(?:\s+(?P<text>.*?))?(?:\s+#+)?$")
_RULE = re.compile(r"(?:(?:\*\s*){3,}|(?:-\s*){3,}|(?:_\s*){3,}|=+|-+)$")  # also the line under a heading
_FENCE = re.compile(r"(?:`{3,}|~{3,})[^`]*$")
_QUOTE = re.compile(r"(?:>\s?)+")
_ITEM = re.compile(r"(?:[-*+]|\d{1,9}[א-ת]{0,2}\d{0,2}[.)]|\([\w׳״'\"]{1,4}\))\s")
_NUMBERED = re.compile(r"([01])([.)])(?=\s)")
_ONE_LIST = 2  # spaces by which items of one list may be apart
_BULLET = re.compile(r"[-*+]\s+(?:\[(?P<tick>[ xX])\]\s+)?")
_TICKS = {None: "• ", " ": "• ☐ ", "x": "• ☒ ", "X": "• ☒ "}
_TABLE_ROW = re.compile(r"\|.*\|$")
_TABLE_RULE = re.compile(r"\|?(?:\s*:?-+:?\s*\|)+(?:\s*:?-+:?\s*)?$")
_CELL_BORDER = re.compile(r"(?<!\\)\|")
_TABLE_RULE_READ = TableRow(())
_DEFINITION = re.compile(  # of a link. Other words in brackets are text, also with a colon.
    r"\[[^\]^][^\]]*\]:\s+(?:<[^<>]*>|\S*(?:[/#]|\w\.\w)\S*)(?:\s+(?:\"[^\"]*\"|'[^']*'|\([^()]*\)))?$"
)
_NOTE = re.compile(r"\[\^(?P<name>[^\]\s]{1,50})\](?P<text>:\s)?")
_LINK = re.compile(
    r"!?\[(?P<text>[^\[\]]*)\]"
    r"(?:\([^()\s]*(?:\([^()]*\)[^()\s]*)?(?:\s+[\"'][^\"']*[\"'])?\)|\[[^\[\]]*\])"
)
_ADDRESS = re.compile(r"<((?:https?|mailto):[^<>\s]+)>")
# Of other names in angle brackets a writer may mean something.
_TAGS = (
    "a|abbr|address|article|aside|b|big|blockquote|body|br|caption|center|cite|code|col|colgroup|dd|del|details|dfn|div"
    "|dl|dt|em|figcaption|figure|font|footer|form|h[1-6]|head|header|hr|html|i|iframe|img|input|ins|kbd|label|legend|li"
    "|link|main|mark|meta|nav|ol|option|p|picture|pre|q|s|samp|script|section|select|small|source|span|strike|strong"
    "|style|sub|summary|sup|table|tbody|td|textarea|tfoot|th|thead|time|title|tr|tt|u|ul|var|video|wbr"
)
_TAG = re.compile(rf"</?(?:{_TAGS})(?![\w-])[^<>]{{0,500}}>|<!--.{{0,500}}?-->", re.I)
_LINE_ENDS = re.compile(r"<br(?![\w-])[^<>]{0,100}>|</(?:p|div|tr|li|d[td]|h[1-6]|table|blockquote)\s*>", re.I)
_CELL_ENDS = re.compile(r"</t[dh]\s*>(?!\s*</tr)", re.I)
_PLACED = re.compile(r"<(su[pb])\b[^<>]{0,100}>([^<>]{1,100})</\1\s*>", re.I)
_COMMENT, _COMMENT_END = "<!--", "-->"
_STRONG = re.compile(r"(\*{1,3})(?=\S)(?P<text>[^*~]*?\S)\1")
_DELETED = re.compile(
    r"(?<!~)~~(?!~)(?=\S)[^~]{0,5000}(?<=\S)~~(?!~)|<del(?![\w-])[^<>]{0,500}>.{0,5000}?</del\s*>", re.I | re.S
)
_DELETED_OPENS, _DELETED_END = re.compile(r"<del(?![\w-])[^<>]{0,500}>", re.I), re.compile(r"</del\s*>", re.I)
_MAX_DELETED = 200  # lines of one such element. Without an end it is text.
_UNDERSCORED = re.compile(r"(?<!\w)(_{1,3})(?=\S)(?P<text>[^_]*?\S)\1(?!\w)")
# These wait outside as their place in octal numbers, so that they are not taken for markup.
_KEPT = re.compile(r"\\(?P<escaped>[!-/:-@\[-`{-~])|(?P<ticks>`+)(?P<code>[^`]+)(?P=ticks)")
_WAITING = re.compile("\x00([\x01-\x08]+)")
_CONTROLS = dict.fromkeys(range(9))
_OCTAL = {ord(digit): place for place, digit in enumerate("01234567", 1)}
_DIGITS = {place: digit for digit, place in _OCTAL.items()}


def read_markdown(path: Path) -> Iterator[Page]:
    """The document in parts of bounded size."""
    read, losses = lines(path, indented=True), Losses()
    return in_parts(paragraphs(read.lines, losses), losses=losses, warnings=read.warnings)


def paragraphs(source: Iterable[str], losses: Losses | None = None) -> Iterator[str | TableRow]:
    """Paragraphs, headings, list items and table rows without their markup. Code is not changed.

    What is struck out is no text, and counted as lost.
    """
    first: TableRow | None = None  # of a table. The rule below it tells that it is a head.
    in_table = False
    for found in _blocks(source, losses or Losses()):
        is_rule = found is _TABLE_RULE_READ
        if first:
            yield first._replace(opens=True, is_head=is_rule)
        first = found if isinstance(found, TableRow) and not in_table and not is_rule else None
        in_table = isinstance(found, TableRow)
        if found and not first and not is_rule:
            yield found
    if first:
        yield first._replace(opens=True)


def _blocks(source: Iterable[str], losses: Losses) -> Iterator[str | TableRow]:
    """The same, with `_TABLE_RULE_READ` for the rule in a table and blank ones between."""
    wrapped = _WrappedLines(losses)
    fence = ""
    in_comment = in_bare_table = False  # bare: without bars at the edges
    numbers = _ItemNumbers()
    for indented in _without_deleted(source, losses):
        line = indented.strip()
        if in_comment or (line.startswith(_COMMENT) and _COMMENT_END not in line and not fence):
            in_comment = _COMMENT_END not in line
            continue
        if fence or _FENCE.match(line):
            yield from wrapped.take()
            was, fence = fence, _fence_behind(line, fence)
            if was and fence:
                yield line
            continue
        line = _QUOTE.sub("", line, count=1) if line.startswith(">") else line
        line = numbers.written(line, indent=len(indented) - len(indented.lstrip()))
        heading = _HEADING.match(line)
        is_note = _NOTE.match(line)
        if _TABLE_RULE.match(line) and (head := wrapped.take_row()):
            in_bare_table = True
            yield _row(head, losses)
            yield _TABLE_RULE_READ
            continue
        in_bare_table = in_bare_table and "|" in line
        if in_bare_table:
            yield _row(line, losses)
            continue
        alone = heading or _TABLE_ROW.match(line) or _RULE.match(line) or _DEFINITION.match(line) or not line
        if alone or _ITEM.match(line) or (is_note and is_note["text"]) or wrapped.size > PART_CHARACTERS:
            yield from wrapped.take()
        if heading:
            yield _inline(heading["text"] or "", losses)
        elif _TABLE_ROW.match(line) and _TABLE_RULE.match(line):
            yield _TABLE_RULE_READ
        elif _TABLE_ROW.match(line):
            yield _row(line, losses)
        elif not line:
            yield ""
        elif not alone:
            wrapped.add(
                _BULLET.sub(lambda match: _TICKS[match["tick"]], line, count=1) if _BULLET.match(line) else line
            )
    yield from wrapped.take()


def _fence_behind(line: str, fence: str) -> str:
    """The fence that is open behind a line, where one is or the line is one."""
    if not fence:
        return line[:3]
    return "" if line.startswith(fence) and not line.strip(fence[0]) else fence


def _without_deleted(source: Iterable[str], losses: Losses) -> Iterator[str]:
    """The lines without a deleted element that begins with a line, goes over others and has an end."""
    coming, waiting = iter(source), deque[str]()
    fence = ""
    while (line := waiting.popleft() if waiting else next(coming, None)) is not None:
        bare = line.strip()
        if fence or _FENCE.match(bare):
            fence = _fence_behind(bare, fence)
        elif _DELETED_OPENS.match(bare) and not _DELETED_END.search(bare):
            waiting.extend(islice(coming, max(_MAX_DELETED - len(waiting), 0)))
            ends = next((place for place, later in enumerate(waiting) if _DELETED_END.search(later)), None)
            if ends is not None:
                struck = [bare, *(waiting.popleft() for _ in range(ends + 1))]
                last, behind = _DELETED_END.split(struck[-1], 1)
                losses.add(LostWhat.HIDDEN, characters_of(_TAG.sub("", " ".join([*struck[:-1], last]))))
                waiting.appendleft(behind)
                continue
        yield line


def _row(line: str, losses: Losses) -> TableRow:
    cells = _CELL_BORDER.split(line.removeprefix("|"))
    return TableRow(tuple(cell_text([_inline(cell, losses)]) for cell in (cells if cells[-1].strip() else cells[:-1])))


@dataclass(slots=True)
class _OpenList:
    indent: int
    label: str
    items: int = 1


class _ItemNumbers:
    """The numbers of lists whose items are all written `1.`, which Markdown counts itself."""

    def __init__(self) -> None:
        self._open: list[_OpenList] = []  # inner ones last
        self._is_behind_blank = False

    def written(self, line: str, *, indent: int) -> str:
        """The line with the number that is shown before it. A heading or paragraph that is in no item ends lists."""
        item = _NUMBERED.match(line)
        is_begun = self._is_behind_blank or _HEADING.match(line) or _ITEM.match(line)
        self._is_behind_blank = not line
        if not line or not is_begun:
            return line
        least = indent + _ONE_LIST if item else indent  # from which on lists end
        while self._open and self._open[-1].indent >= least:
            self._open.pop()
        if item is None:
            return line
        last = self._open[-1] if self._open and self._open[-1].indent > indent - _ONE_LIST else None
        if last and last.label == item[0]:
            last.items += 1
            return f"{int(item[1]) + last.items - 1}{item[2]}{line[item.end() :]}"
        self._open[-1:] = [_OpenList(indent, item[0])] if last else [*self._open[-1:], _OpenList(indent, item[0])]
        return line


class _WrappedLines:
    """The lines of a paragraph so far, and how many characters they have."""

    def __init__(self, losses: Losses) -> None:
        self._lines: list[str] = []
        self._losses = losses
        self.size = 0

    def add(self, line: str) -> None:
        self._lines.append(line.removesuffix("\\"))  # which breaks the line
        self.size += len(line) + 1

    def take_row(self) -> str:
        """The line, if it is one alone that has a bar in it."""
        row = self._lines[0] if len(self._lines) == 1 and _CELL_BORDER.search(self._lines[0]) else ""
        if row:
            self._lines, self.size = [], 0
        return row

    def take(self) -> Iterator[str]:
        """Yields the paragraph, if there is one, and begins the next."""
        if self._lines:
            yield _inline(" ".join(self._lines), self._losses)
            self._lines, self.size = [], 0


def _inline(text: str, losses: Losses) -> str:
    """The text of a line without links, emphasis, tags and escapes, and without what is struck out in it."""
    kept: list[str] = []

    def keep(match: re.Match[str]) -> str:
        kept.append(match["escaped"] or match["code"])
        return f"\0{len(kept) - 1:o}".translate(_OCTAL)

    def strike(match: re.Match[str]) -> str:
        losses.add(LostWhat.HIDDEN, characters_of(back(_TAG.sub("", match[0]).strip("~"))))
        return ""

    def back(text: str) -> str:
        return _WAITING.sub(lambda place: kept[int(place[1].translate(_DIGITS), 8)], text)

    text = _DELETED.sub(strike, _KEPT.sub(keep, text.translate(_CONTROLS)))
    text = _NOTE.sub(_note_mark, text)
    text = _LINK.sub(r"\g<text>", text)
    if "<" in text:
        text = _LINE_ENDS.sub("\n", _CELL_ENDS.sub("\t", _placed(text)))
    text = _TAG.sub("", _ADDRESS.sub(r"\1", text))
    for marked in (_STRONG, _STRONG, _UNDERSCORED, _UNDERSCORED):
        text = marked.sub(r"\g<text>", text)
    return back(html.unescape(text))


def _note_mark(match: re.Match[str]) -> str:
    name = match["name"]
    mark = raised(name) if name.isdigit() else f"[{name}]"
    return f"{mark} " if match["text"] else mark


def _placed(text: str) -> str:
    """The text with what its tags put above or below the line."""
    between = _PLACED.split(text)
    kinds = {"sup": Raised, "sub": Lowered}
    pieces = [between[0]]
    for tag, small, behind in zip(between[1::3], between[2::3], between[3::3], strict=True):
        pieces += [kinds[tag.lower()](small), behind]
    return joined(pieces)
