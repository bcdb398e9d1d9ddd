"""Reads plain text of unknown encoding: byte order mark, then UTF-8, then windows-1255. One line is one paragraph."""

import codecs
import re
from collections.abc import Iterator
from pathlib import Path

from extraction.document import PART_CHARACTERS, Page, in_parts

BLOCK_BYTES = 1 << 16
LEGACY = "cp1255"
# UTF-8 with a damaged character here and there is still UTF-8: reading it as windows-1255 would spoil all of it.
_TOLERATED_DAMAGE = 0.02
_BOMS = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_NOT_ASCII = re.compile("[^\x00-\x7f]+")
_UNDECODED = re.compile("[\udc80-\udcff]+")


def read_plain(path: Path) -> Iterator[Page]:
    """The file as parts of bounded size."""
    return in_parts(lines(path))


def lines(path: Path) -> Iterator[str]:
    """Lines without their indentation. Very long lines are cut, to bound memory.

    Bytes that cannot be decoded become U+FFFD.
    """
    rest = ""
    with path.open(encoding=guess(path), errors="replace", newline=None) as file:
        while block := file.read(BLOCK_BYTES):
            *whole, rest = (rest + block).split("\n")
            for line in whole:
                yield line.strip()
            while len(rest) > PART_CHARACTERS:
                cut = rest.rfind(" ", 1, PART_CHARACTERS)
                cut = cut if cut > 0 else PART_CHARACTERS
                yield rest[:cut].strip()
                rest = rest[cut:]
    yield rest.strip()


def by_mark(head: bytes) -> str | None:
    """The encoding that the byte order mark names."""
    return next((encoding for mark, encoding in _BOMS if head.startswith(mark)), None)


def guess(path: Path) -> str:
    """The encoding of the whole file, read once in blocks."""
    with path.open("rb") as file:
        if marked := by_mark(file.read(4)):
            return "utf-8-sig" if marked == "utf-8" else marked  # without the mark, as the others are
        file.seek(0)
        decoder = codecs.getincrementaldecoder("utf-8")("surrogateescape")
        foreign = damaged = 0
        while block := file.read(BLOCK_BYTES):
            text = decoder.decode(block)
            if not text.isascii():
                foreign += sum(map(len, _NOT_ASCII.findall(text)))
                damaged += sum(map(len, _UNDECODED.findall(text)))
    return "utf-8" if damaged <= _TOLERATED_DAMAGE * foreign else LEGACY
