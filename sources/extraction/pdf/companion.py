"""A second process for a long PDF: it reads the pages from the last on, until the first process has come to meet it.

It only ever saves time. A page that it did not come to, stumbled over or could not read as the pages before would have
it read, is read by the first process; so a file reads the same, and fails the same, with it and without.
It takes time that nobody else wants: beside busy processes it stands still, and the first one goes on alone.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import struct
from dataclasses import fields
from operator import attrgetter
from pathlib import Path
from tempfile import TemporaryFile
from types import TracebackType
from typing import IO, NoReturn, Self

import pypdfium2 as pdfium

from sources.extraction.child import die_with, take_idle_time_only
from sources.extraction.document import Origin
from sources.extraction.pdf.classify_pages import PageClass
from sources.extraction.pdf.fallback import SecondReader
from sources.extraction.pdf.glyphs import Box, GlyphLine, TextLine
from sources.extraction.pdf.memory import FileMemory, Note, NotingMemory
from sources.extraction.pdf.page_reader import PageReader
from sources.extraction.pdf.pages import PageReading
from sources.extraction.pdf.scans import PageRecogniser

# A page was dealt with: its index, and where in the file what was read of it lies; nothing where it was not read.
_DEALT = struct.Struct("<QQQ")
_DEALT_AT_ONCE = 1024
_LINE = [field.name for field in fields(TextLine)]
_GAPS = _LINE.index("gaps")
_fields_of_line = attrgetter(*_LINE)


class Companion:
    """The second process, and what it has read; leaving the context ends it."""

    def __init__(self, path: Path, *, ocr: bool) -> None:
        self._path, self._ocr = path, ocr
        self._pid = 0
        self._met = False
        self._dealt: dict[int, tuple[int, int]] = {}
        self._told = -1
        self._open = contextlib.ExitStack()
        self._file: IO[bytes] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._pid:
            self._kill()
            os.waitpid(self._pid, 0)
            self._pid = 0
        self._open.close()

    def start(self, pages: range, memory: FileMemory, *, scratch: Path) -> None:
        """Have it read these pages, the last first; `memory` is what the first process knows by now.

        The calling process must have no threads.
        """
        with contextlib.suppress(OSError), contextlib.ExitStack() as opened:  # without room for it, it is done without
            file = opened.enter_context(TemporaryFile(dir=scratch))
            self._told, tell = os.pipe()
            opened.callback(os.close, self._told)
            os.set_blocking(self._told, False)
            try:
                parent = os.getpid()
                self._pid = os.fork()
                if not self._pid:
                    _live(self._path, pages, memory, ocr=self._ocr, parent=parent, file=file, tell=tell)
            finally:
                os.close(tell)
            self._file, self._open = file, opened.pop_all()

    def reading(self, index: int, memory: FileMemory) -> tuple[PageReading, FileMemory] | None:
        """The page, and the memory after it, if it was read and reads so with the memory before it."""
        if self._file is None:
            return None
        if not self._met:
            self._listen()
        if index not in self._dealt:
            return None
        if not self._met:
            self._met = True
            self._kill()  # it is waited for at the end: with idle time only, it may take its time to die
        at, length = self._dealt[index]
        if not length:
            return None
        reading, notes = _from_json(os.pread(self._file.fileno(), length, at))
        after = memory.after(notes)
        return None if after is None else (reading, after)

    def _listen(self) -> None:
        with contextlib.suppress(BlockingIOError):
            while told := os.read(self._told, _DEALT.size * _DEALT_AT_ONCE):
                self._dealt |= {index: (at, length) for index, at, length in _DEALT.iter_unpack(told)}

    def _kill(self) -> None:
        os.kill(self._pid, signal.SIGKILL)  # it is there, if only as a zombie, until it is waited for


def _live(
    path: Path, pages: range, memory: FileMemory, *, ocr: bool, parent: int, file: IO[bytes], tell: int
) -> NoReturn:
    """The life of the second process."""
    try:
        die_with(parent)
        take_idle_time_only()
        # A document of its own: the first one's shares the place in its file with the first process.
        reader = PageReader(
            pdfium.PdfDocument(path),
            second_reader=_NoSecondReader(path),
            recogniser=PageRecogniser(allowed=ocr, strict=True),
            step=-1,
        )
        own = NotingMemory(memory)
        for index in reversed(pages):
            own.notes.clear()
            at, length = file.tell(), 0
            # What fails here, for want of memory or time, might not fail there.
            with contextlib.suppress(Exception):
                length = file.write(_to_json(reader.read(index, own), own.notes))
                file.flush()
            os.write(tell, _DEALT.pack(index, at, length))
    finally:
        os._exit(0)


class _NoSecondReader(SecondReader):
    """Whether the second reader is worth its time is for the process to say that has asked it of the earlier pages."""

    def read(self, page_index: int) -> tuple[list[GlyphLine], str] | None:
        raise LookupError(f"page {page_index + 1} is to be read by the first process")


def _to_json(reading: PageReading, notes: list[Note]) -> bytes:
    row = {
        "number": reading.number,
        "box": reading.box,
        "page_class": reading.page_class.value,
        "lines": [_fields_of_line(line) for line in reading.lines],
        "hebrew": reading.hebrew,
        "origin": reading.origin,
        "mostly_image": reading.mostly_image,
        "has_ocr_layer": reading.has_ocr_layer,
        "notes": notes,
    }
    # Not escaped: two halves of a surrogate pair that stand in the text as two characters would come back as one.
    return json.dumps(row, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "surrogatepass")


def _from_json(read: bytes) -> tuple[PageReading, list[Note]]:
    row = json.loads(read.decode("utf-8", "surrogatepass"))
    notes: list[Note] = row.pop("notes")
    row["box"] = Box(*row["box"])
    row["page_class"] = PageClass(row["page_class"])
    row["origin"] = Origin(row["origin"])
    for line in row["lines"]:
        line[_GAPS] = tuple(map(tuple, line[_GAPS]))
    row["lines"] = [TextLine(*line) for line in row["lines"]]
    return PageReading(**row), notes
