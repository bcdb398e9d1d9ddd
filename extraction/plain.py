"""Reads plain text of unknown encoding. One line is one paragraph."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from extraction.document import PART_CHARACTERS, ExtractionFailed, Page, SetApart, in_parts
from extraction.text import encodings
from extraction.text.bidi import LineOrder, order_of, reading_order
from extraction.text.encodings import BLOCK_BYTES

_INDENTED = ("    ", "\t")
_FEW_WORDS = "Much of the text makes no words. Check it against the file."
_UNREADABLE = "The characters of the file make no words in any known encoding. Save it as UTF-8 and upload it again."


class ReadLines(NamedTuple):
    """The lines of a text, and what is to be said of it."""

    lines: Iterator[str]
    warnings: tuple[str, ...]


def read_plain(path: Path) -> Iterator[Page]:
    """The file as parts of bounded size. Raises ExtractionFailed with code corrupt."""
    read = lines(path, indented=True)
    return in_parts(map(_unindented, read.lines), warnings=read.warnings)


def _unindented(line: str) -> str:
    return SetApart(line.lstrip()) if line.startswith(_INDENTED) and not line.isspace() else line.lstrip()


def lines(path: Path, *, indented: bool = False) -> ReadLines:
    """Lines in reading order, without indentation unless it is asked for. Very long ones are cut, to bound memory.

    Bytes that cannot be decoded become U+FFFD. Raises ExtractionFailed with code corrupt where the text makes no words
    in the code page that would fit best. Unicode is no guess: its letters are those of the file, whatever they make.
    """
    try:
        encoding = encodings.guess(path)
    except encodings.UnknownEncoding as error:
        raise ExtractionFailed("corrupt", _UNREADABLE) from error
    sample = encodings.sample(path, encoding)
    order = order_of(sample.splitlines())
    makes_words = order is not LineOrder.NONE and not encodings.is_saved_twice(sample)
    if not makes_words and encoding in encodings.CODE_PAGES:
        raise ExtractionFailed("corrupt", _UNREADABLE)
    found = _stripped(path, encoding, str.rstrip if indented else str.strip)
    return ReadLines(
        map(reading_order, found) if order is LineOrder.SCREEN else found, () if makes_words else (_FEW_WORDS,)
    )


def _stripped(path: Path, encoding: str, strip: Callable[[str], str]) -> Iterator[str]:
    rest = ""
    with path.open(encoding=encoding, errors="replace", newline=None) as file:
        while block := file.read(BLOCK_BYTES):
            *whole, rest = (rest + block).split("\n")
            for line in whole:
                yield strip(line)
            while len(rest) > PART_CHARACTERS:
                cut = rest.rfind(" ", 1, PART_CHARACTERS)
                cut = cut if cut > 0 else PART_CHARACTERS
                yield strip(rest[:cut])
                rest = rest[cut:]
    yield strip(rest)
