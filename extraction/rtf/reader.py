"""Reads RTF: paragraphs with the numbers that the writer put before them, tables row by row, notes at the end."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from extraction.document import ExtractionFailed, Losses, LostWhat, Page, TableRow, characters_of, in_parts
from extraction.rtf import captured, numbering, words
from extraction.rtf.captured import Captured
from extraction.rtf.flow import Flow, RtfGroup
from extraction.rtf.numbering import RtfLists, RtfNotes
from extraction.rtf.tables import RtfTable
from extraction.rtf.words import BOXES, LOST, NO_TEXT, PAGE_WORDS, PARAGRAPH_ENDS, SIGNS, WORDS, Fonts
from extraction.text.looks import lost_margin

SIZE_LIMIT = 64 << 20  # bytes, pictures among them
MAX_GROUPS = 1_000  # one inside the other


def read_rtf(path: Path) -> Iterator[Page]:
    """The document in parts of bounded size. Raises ExtractionFailed: corrupt or too_large.

    Left out: running headers and footers, comments, deleted and hidden text.
    """
    if path.stat().st_size > SIZE_LIMIT:
        raise ExtractionFailed("too_large", f"The RTF file has more than {SIZE_LIMIT >> 20} MB.")
    losses = Losses()
    yield from in_parts(_Rtf(path.read_bytes(), losses).paragraphs(), losses=losses)


class _Rtf:
    """One pass over the tokens."""

    def __init__(self, content: bytes, losses: Losses) -> None:
        self._content = content
        self._losses = losses
        self._group = RtfGroup()
        self._above: list[RtfGroup] = []
        self._fonts = Fonts()
        self._margin = 0  # characters of the header or footer that is open
        self._captured = Captured()
        self._bytes = bytearray()
        self._to_skip = 0
        self._starred = self._is_drop_cap = self._drawn = False  # `_drawn`: the field that is open is a formula
        self._text = Flow()
        self._flows = [self._text]  # a note inside of which the text goes on
        self._notes, self._lists = RtfNotes(), RtfLists()
        self._in_table = False
        self._table = RtfTable()

    def paragraphs(self) -> Iterator[str | TableRow]:
        place = 0
        while token := words.TOKEN.match(self._content, place):
            place = token.end()
            if token["byte"]:
                self._plain(bytes([int(token["byte"], 16)]))
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
        self._end_line(self._text, is_break=True)
        yield from self._table.take()
        yield from self._done(at_end=True)
        yield from self._notes.texts

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
        if opens and len(self._above) < MAX_GROUPS:
            self._above.append(self._group)
            self._group = replace(self._group, is_note=False, is_box=False, is_instruction=False)
        elif not opens and self._above:
            if len(self._above) == 1:  # the file ends
                self._end_line(self._text, is_break=True)
            ended, self._group = self._group, self._above.pop()
            self._end(ended)
        self._starred, self._to_skip = False, 0

    def _end(self, ended: RtfGroup) -> None:
        """What comes of a group that ends."""
        if ended.is_note:
            note, line = self._take_flow(ended), self._flows[-1].line
            line.append(self._notes.add(note.lines, line, is_endnote=ended.is_endnote))
        elif ended.is_box:
            self._flows[-2].boxes += self._take_flow(ended).lines
        elif ended.captured == "formfield" and self._group.captured in ("", "fldinst") and not self._is_in_lost():
            self._flows[-1].line.append(self._captured.filled())
        elif ended.captured == "leveltext":
            self._lists.set_template(self._captured.text("leveltext"))
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
            self._flows[-1].has_label = True
        elif word in BOXES and not self._group.skipped:
            self._open_flow(is_box=True)
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
        if self._group.deleted or self._group.hidden:  # which its text does not say again
            self._group = replace(self._group, skipped=True, lost=None if self._group.deleted else LostWhat.HIDDEN)
        else:
            self._open_flow(is_note=True)

    def _open_flow(self, *, is_note: bool = False, is_box: bool = False) -> None:
        self._flows.append(Flow())
        self._group = replace(self._group, is_note=is_note, is_box=is_box, in_label=False, list_id=0, level=0)

    def _take_flow(self, ended: RtfGroup) -> Flow:
        """The innermost flow, which ends with its group."""
        self._end_line(self._flows[-1], ended, is_break=True)
        return self._flows.pop()

    def _end_line(self, flow: Flow, group: RtfGroup | None = None, *, is_break: bool = False) -> None:
        """A paragraph ends, or a line in it. Before its first text is its number, unless the file gives that itself."""
        if not is_break or any(not piece.isspace() for piece in flow.line):
            group = group or self._group
            number = "" if flow.is_numbered else self._lists.number(group.list_id, group.level)
            flow.line[:0] = [number] if number and not flow.has_label else []
            flow.is_numbered, flow.has_label = is_break, flow.has_label and is_break
        flow.end_line()

    # Words

    def _word(self, word: str, number: int, *, is_off: bool) -> None:
        if self._is_text(word, number):
            return
        if word in {"pard", "dropcapli"} and not self._group.skipped:
            self._is_drop_cap = word == "dropcapli"
            if word == "pard":
                self._group = replace(self._group, list_id=0, level=0)
            self._of_table(word, number)
        elif word in captured.NUMBERS:
            if self._captured.describe(word, number) and not self._is_in_lost():
                self._losses.add(LostWhat.PICTURE)
        elif self._group.skipped and word in numbering.WORDS:
            self._lists.describe(word, number)
        elif word in numbering.NOTE_WORDS:
            self._notes.describe(word, number)
        elif changed := self._group.after(word, number, is_off=is_off):
            self._group = changed
        elif word in PAGE_WORDS:
            self._fonts.set_page(word, number, self._group.font)
        elif not self._group.skipped:
            self._of_table(word, number)

    def _is_text(self, word: str, number: int) -> bool:
        """Whether the word is a character or the end of a line, which is put down."""
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
                self._end_line(self._flows[-1], is_break=word in words.BREAKS)
            if word == "sect":
                self._notes.numbers.end_section({})
        else:
            return False
        return True

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
                self._end_line(self._text)
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
