"""Reads RTF: paragraphs with the numbers that the writer put before them, tables row by row, notes at the end."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path

from extraction.document import ExtractionFailed, Page, Row, in_parts
from extraction.raised import Lowered, Raised, joined, raised
from extraction.rtf.tables import TableRows

SIZE_LIMIT = 64 << 20  # bytes, pictures among them
MOST_GROUPS = 1_000  # one inside the other

_TOKEN = re.compile(
    rb"\\(?P<word>[a-zA-Z]{1,32})(?P<number>-?\d{1,10})? ?|\\'(?P<byte>[0-9a-fA-F]{2})|\\(?P<sign>[^a-zA-Z])"
    rb"|(?P<brace>[{}])|(?P<text>[^\\{}\r\n\0]+)|[\r\n\0]+|\\",
    re.DOTALL,
)
_SIGNS = {"~": "\xa0", "_": "\u2011", "{": "{", "}": "}", "\\": "\\"}
_WORDS = {
    **{"emdash": "—", "endash": "–", "bullet": "•", "lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”"},
    **{"line": "\n", "emspace": " ", "enspace": " ", "qmspace": " ", "lbr": "\n"},
}
_PLACES: dict[str, type[str]] = {"super": Raised, "sub": Lowered, "nosupersub": str, "up": Raised, "dn": Lowered}
_PARAGRAPH_ENDS = frozenset({"par", "sect", "page", "column"})
# Groups that hold no text of the document. So does any that begins with `\*`, but for those that are read.
_WITHOUT_TEXT = (
    "annotation atnauthor atnid colortbl datafield fldinst filetbl footer footerf footerl footerr ftncn ftnsep ftnsepc "
    "header headerf headerl headerr info listtable listoverridetable nonshppict objdata pict pntxta pntxtb revtbl "
    "rsidtbl rxe sp stylesheet tc themedata txe xe xmlnstbl"
)
_NO_TEXT = frozenset(_WITHOUT_TEXT.split())
_READ_THOUGH_STARRED = frozenset({"shpinst", "footnote"})
# Code pages by the number of a font's character set.
_CODE_PAGES = {
    **{77: "mac_roman", 128: "cp932", 129: "cp949", 134: "cp936", 136: "cp950", 161: "cp1253", 162: "cp1254"},
    **{163: "cp1258", 177: "cp1255", 178: "cp1256", 186: "cp1257", 204: "cp1251", 222: "cp874", 238: "cp1250"},
}
_KNOWN_PAGES = {f"cp{number}" for number in (437, 850, 862, 866, 874, 932, 936, 949, 950, *range(1250, 1259), 65001)}


def read_rtf(path: Path) -> Iterator[Page]:
    """The document in parts of bounded size. Raises ExtractionFailed: corrupt or too_large.

    Left out: headers, footers, comments, deleted and hidden text.
    """
    if path.stat().st_size > SIZE_LIMIT:
        raise ExtractionFailed("too_large", f"The RTF file has more than {SIZE_LIMIT >> 20} MB.")
    yield from in_parts(_Document(path.read_bytes()).paragraphs())


@dataclass(frozen=True, slots=True)
class _Group:
    """What holds until the group ends. `uncounted`: characters to skip after one that is given by its number."""

    skipped: bool = False
    hidden: bool = False
    in_fonts: bool = False
    in_label: bool = False
    is_note: bool = False
    uncounted: int = 1
    font: int = -1
    place: type[str] = str


@dataclass(slots=True)
class _Flow:
    """Text that is being written: the document's, or a note's."""

    line: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)

    def end_line(self) -> None:
        text = joined(self.line)
        self.line.clear()
        if text.strip():
            self.lines.append(text)


class _Document:
    """One pass over the tokens."""

    def __init__(self, content: bytes) -> None:
        self._content = content
        self._group = _Group()
        self._above: list[_Group] = []
        self._page = "cp1252"
        self._pages: dict[int, str] = {}
        self._bytes = bytearray()
        self._to_skip = 0
        self._starred = False
        self._text = _Flow()
        self._flows = [self._text]  # a note inside of which the text goes on
        self._notes: list[str] = []
        self._in_table = False
        self._table = TableRows()

    def paragraphs(self) -> Iterator[str | Row]:
        place = 0
        while token := _TOKEN.match(self._content, place):
            place = token.end()
            if token["byte"]:
                self._byte(int(token["byte"], 16))
                continue
            if token["text"]:
                self._plain(token["text"])
                continue
            self._flush()
            if token["brace"]:
                self._brace(token["brace"] == b"{")
            elif token["sign"]:
                self._sign(chr(token["sign"][0]))
            elif token["word"]:
                word, number = token["word"].decode("ascii"), int(token["number"] or -1)
                if word == "bin":
                    place += max(number, 0)
                elif not self._opens_group(word):
                    self._word(word, number, is_off=token["number"] == b"0")
            yield from self._done()
        self._flush()
        self._text.end_line()
        yield from self._table.take()
        yield from self._done(at_end=True)
        yield from self._notes

    def _done(self, *, at_end: bool = False) -> Iterator[str | Row]:
        """The paragraphs that are complete. Rows of a table wait for the first one behind it."""
        if self._in_table and not at_end:
            return
        if self._text.lines:
            yield from self._table.take()
            yield from self._text.lines
            self._text.lines.clear()

    # Groups

    def _brace(self, opens: bool) -> None:
        if opens and len(self._above) < MOST_GROUPS:
            self._above.append(self._group)
            self._group = replace(self._group, is_note=False)
        elif not opens and self._above:
            if self._group.is_note:
                note = self._flows.pop()
                note.end_line()
                self._notes[int(note.lines[0])] += " ".join(" ".join(line.split()) for line in note.lines[1:])
            self._group = self._above.pop()
        self._starred, self._to_skip = False, 0

    def _opens_group(self, word: str) -> bool:
        """Is it the word that tells what a group holds?"""
        starred, self._starred = self._starred, False
        if word == "fonttbl":
            self._group = replace(self._group, in_fonts=True)
        elif word == "footnote" and not self._group.skipped:
            self._open_note()
        elif word in {"listtext", "pntext"}:
            self._group = replace(self._group, in_label=True)
        elif word in _NO_TEXT or (starred and word not in _READ_THOUGH_STARRED):
            self._group = replace(self._group, skipped=True)
        else:
            return False
        return True

    def _open_note(self) -> None:
        number = len(self._notes) + 1
        self._write(raised(number))
        self._notes.append(f"{raised(number)} ")
        self._flows.append(_Flow(lines=[str(number - 1)]))
        self._group = replace(self._group, is_note=True)

    # Words

    def _word(self, word: str, number: int, *, is_off: bool) -> None:
        if word == "u" and number != -1:
            self._write(chr(number % 0x10000))
            self._to_skip = self._group.uncounted
        elif word in _WORDS:
            self._write(_WORDS[word])
        elif word == "tab":
            self._write(" " if self._group.in_label or self._in_table else "\t")
        elif word in _PARAGRAPH_ENDS:
            if not self._group.skipped:
                self._flows[-1].end_line()
        elif word in {"v", "deleted"}:
            self._group = replace(self._group, hidden=not is_off)
        elif word == "plain":
            self._group = replace(self._group, hidden=False, place=str)
        elif word in _PLACES:
            self._group = replace(self._group, place=str if is_off else _PLACES[word])
        elif word == "uc":
            self._group = replace(self._group, uncounted=max(number, 0))
        elif word in {"f", "fcharset", "ansicpg", "deff"}:
            self._font(word, number)
        elif not self._group.skipped:
            self._of_table(word, number)

    def _font(self, word: str, number: int) -> None:
        if word == "ansicpg":
            self._page = f"cp{number}" if f"cp{number}" in _KNOWN_PAGES else self._page
        elif word == "fcharset" and number in _CODE_PAGES:
            self._pages[self._group.font] = _CODE_PAGES[number]
        elif word == "f":
            self._group = replace(self._group, font=number)

    def _of_table(self, word: str, number: int) -> None:
        match word:
            case "trowd":
                self._in_table = True
                self._table.define()
            case "intbl":
                self._in_table = True
            case "pard" if not self._table.is_open:
                self._in_table = False
            case "cell":
                self._text.end_line()
                self._table.end_cell(self._text.lines)
            case "nestcell" | "nestrow":
                self._write(" ")
            case "row":
                self._table.end_row()
                self._in_table = False
            case _:
                self._table.describe(word, number)

    # Characters

    def _sign(self, sign: str) -> None:
        if sign == "*":
            self._starred = True
        elif sign in "\n\r":
            self._word("par", -1, is_off=False)
        elif sign in _SIGNS:
            self._write(_SIGNS[sign])

    def _byte(self, value: int) -> None:
        if self._to_skip:
            self._to_skip -= 1
        else:
            self._bytes.append(value)

    def _plain(self, text: bytes) -> None:
        skipped, self._to_skip = min(self._to_skip, len(text)), max(self._to_skip - len(text), 0)
        self._bytes += text[skipped:]

    def _flush(self) -> None:
        """Decode the bytes so far by the code page of their font."""
        if self._bytes:
            page = self._pages.get(self._group.font, self._page)
            self._write(self._bytes.decode("utf-8" if page == "cp65001" else page, "replace"))
            self._bytes.clear()

    def _write(self, text: str) -> None:
        group = self._group
        if not (group.skipped or group.hidden or group.in_fonts):
            self._flows[-1].line.append(group.place(text))
