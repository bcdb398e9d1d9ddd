"""Reads RTF: paragraphs with the numbers that the writer put before them, tables row by row, notes at the end."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from extraction.document import ExtractionFailed, Losses, LostWhat, Page, TableRow, characters_of, in_parts
from extraction.rtf import captured, words
from extraction.rtf.captured import Captured
from extraction.rtf.flow import Flow
from extraction.rtf.fonts import Fonts
from extraction.rtf.tables import RtfTable
from extraction.rtf.words import BOXES, LOST, NO_TEXT, PAGE_WORDS, PARAGRAPH_ENDS, PLACES, SIGNS, WORDS
from extraction.text.looks import lost_margin
from extraction.text.raised import raised

SIZE_LIMIT = 64 << 20  # bytes, pictures among them
MOST_GROUPS = 1_000  # one inside the other

_TOKEN = re.compile(
    rb"\\(?P<word>[a-zA-Z]{1,32})(?P<number>-?\d{1,10})? ?|\\'(?P<byte>[0-9a-fA-F]{2})|\\(?P<sign>[^a-zA-Z])"
    rb"|(?P<brace>[{}])|(?P<text>[^\\{}\r\n\0]+)|[\r\n\0]+|\\",
    re.DOTALL,
)


def read_rtf(path: Path) -> Iterator[Page]:
    """The document in parts of bounded size. Raises ExtractionFailed: corrupt or too_large.

    Left out: running headers and footers, comments, deleted and hidden text.
    """
    if path.stat().st_size > SIZE_LIMIT:
        raise ExtractionFailed("too_large", f"The RTF file has more than {SIZE_LIMIT >> 20} MB.")
    losses = Losses()
    yield from in_parts(_Rtf(path.read_bytes(), losses).paragraphs(), losses=losses)


@dataclass(frozen=True, slots=True)
class _RtfGroup:
    """What holds until the group ends. `uncounted`: characters to skip after one that is given by its number."""

    skipped: bool = False
    lost: LostWhat | None = None
    first_page: bool = False
    captured: str = ""
    hidden: bool = False
    deleted: bool = False
    in_fonts: bool = False
    in_label: bool = False
    is_note: bool = False
    is_box: bool = False
    is_instruction: bool = False
    is_twofold: bool = False
    uncounted: int = 1
    font: int = -1
    place: type[str] = str


class _Rtf:
    """One pass over the tokens."""

    def __init__(self, content: bytes, losses: Losses) -> None:
        self._content = content
        self._losses = losses
        self._group = _RtfGroup()
        self._above: list[_RtfGroup] = []
        self._fonts = Fonts()
        self._margin = 0  # characters of the header or footer that is open
        self._captured = Captured()
        self._bytes = bytearray()
        self._to_skip = 0
        self._starred = self._is_drop_cap = self._drawn = False  # `_drawn`: the field that is open is a formula
        self._text = Flow()
        self._flows = [self._text]  # a note inside of which the text goes on
        self._notes: list[str] = []
        self._in_table = False
        self._table = RtfTable()

    def paragraphs(self) -> Iterator[str | TableRow]:
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
        while self._above:
            self._brace(False)
        self._text.end_line()
        yield from self._table.take()
        yield from self._done(at_end=True)
        yield from self._notes

    def _done(self, *, at_end: bool = False) -> Iterator[str | TableRow]:
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
            self._group = replace(self._group, is_note=False, is_box=False, is_instruction=False)
        elif not opens and self._above:
            ended, self._group = self._group, self._above.pop()
            self._end(ended)
        self._starred, self._to_skip = False, 0

    def _end(self, ended: _RtfGroup) -> None:
        """What comes of a group that ends."""
        if ended.is_note:
            note = self._flows.pop()
            note.end_line()
            self._notes[int(note.lines[0])] += " ".join(" ".join(line.split()) for line in note.lines[1:])
        elif ended.is_box:
            box = self._flows.pop()
            box.end_line()
            self._flows[-1].boxes += box.lines
        elif ended.captured == "formfield" and self._group.captured in ("", "fldinst") and not self._is_in_lost():
            self._flows[-1].line.append(self._captured.filled())
        elif ended.is_instruction:
            self._end_instruction()
        elif ended.lost is LostWhat.MARGIN and self._group.lost is None:
            self._losses.add(LostWhat.MARGIN, lost_margin(self._margin, of_first_page=ended.first_page))
            self._margin = 0

    def _end_instruction(self) -> None:
        lost = self._captured.lost_field()
        if lost and not self._is_in_lost():
            self._losses.add(*lost)
            self._drawn = lost[0] is LostWhat.FORMULA

    def _opens_group(self, word: str) -> bool:
        """Is it the word that tells what a group holds?"""
        starred, self._starred = self._starred, False
        if word == "fonttbl":
            self._group = replace(self._group, in_fonts=True)
        elif word == "upr":  # the same in bytes of a code page, and in numbers of characters
            self._group = replace(self._group, skipped=True, is_twofold=not self._group.skipped)
        elif word == "ud" and self._group.is_twofold:
            self._group = replace(self._group, skipped=False, is_twofold=False)
        elif word == "footnote" and not self._group.skipped:
            self._open_note()
        elif word in {"listtext", "pntext"}:
            self._group = replace(self._group, in_label=True)
        elif word in BOXES and not self._group.skipped:
            self._flows.append(Flow())
            self._group = replace(self._group, is_box=True, in_label=False)
        elif word in LOST and not self._group.skipped:
            self._group = replace(self._group, skipped=True, lost=LOST[word], first_page=word in words.FIRST_PAGE)
        elif word == "fldrslt" and self._drawn:  # pieces of a formula one after another
            self._group, self._drawn = replace(self._group, skipped=True, lost=None), False
        elif word in captured.WORDS:
            self._captured.open(word)
            is_instruction = word == "fldinst"
            self._group = replace(self._group, skipped=True, lost=None, captured=word, is_instruction=is_instruction)
        elif word in NO_TEXT or (starred and word not in words.READ_THOUGH_STARRED):
            if word == "objdata" and not self._is_in_lost():
                self._losses.add(*self._captured.lost_object())
            self._group = replace(self._group, skipped=True, lost=None)
        else:
            return False
        return True

    def _is_in_lost(self) -> bool:
        return any(group.lost for group in self._above)

    def _open_note(self) -> None:
        number = len(self._notes) + 1
        self._write(raised(number))
        self._notes.append(f"{raised(number)} ")
        self._flows.append(Flow(lines=[str(number - 1)]))
        self._group = replace(self._group, is_note=True)

    # Words

    def _word(self, word: str, number: int, *, is_off: bool) -> None:
        if word == "u" and number != -1:
            self._write(chr(number % 0x10000))
            self._to_skip = self._group.uncounted
        elif word in WORDS:
            self._write(WORDS[word])
        elif word == "tab":
            self._write(" " if self._group.in_label or self._in_table else "\t")
        elif word in PARAGRAPH_ENDS:
            goes_on = word == "par" and (self._group.hidden or self._group.deleted or self._is_drop_cap)
            if not (self._group.skipped or goes_on):
                self._flows[-1].end_line()
        elif word in {"pard", "dropcapli"} and not self._group.skipped:
            self._is_drop_cap = word == "dropcapli"
            self._of_table(word, number)
        elif word == "v":
            self._group = replace(self._group, hidden=not is_off)
        elif word == "deleted":
            self._group = replace(self._group, deleted=not is_off)
        elif word == "plain":
            self._group = replace(self._group, hidden=False, deleted=False, place=str)
        elif word in PLACES:
            moved = PLACES[word] if word not in words.MOVED or number < 0 or number >= words.MOVED_FROM else str
            self._group = replace(self._group, place=moved)
        elif word in captured.NUMBERS:
            if self._captured.describe(word, number) and not self._is_in_lost():
                self._losses.add(LostWhat.PICTURE)
        elif word == "uc":
            self._group = replace(self._group, uncounted=max(number, 0))
        elif word == "f":
            self._group = replace(self._group, font=number)
        elif word in PAGE_WORDS:
            self._fonts.set_page(word, number, self._group.font)
        elif not self._group.skipped:
            self._of_table(word, number)

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
        elif sign in SIGNS:
            self._write(SIGNS[sign])

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
            self._write(self._fonts.decoded(bytes(self._bytes), self._group.font))
            self._bytes.clear()

    def _write(self, text: str) -> None:
        group = self._group
        if group.captured:
            self._captured.add(group.captured, text)
        elif group.in_fonts:
            self._fonts.add_name(group.font, text)
        elif group.lost is LostWhat.MARGIN:
            self._margin += characters_of(text)
        elif group.lost:
            self._losses.add(group.lost, characters_of(text))
        elif not (group.skipped or group.deleted):
            meant, unknown = self._fonts.meant(text, group.font)
            if group.hidden:
                self._losses.add(LostWhat.HIDDEN, characters_of(meant))
                return
            self._losses.add(LostWhat.OTHER, unknown)
            self._flows[-1].line.append(group.place(meant))
