"""Cleans the text of every reader in one place: what is left is printable, normalised and safe to store."""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from extraction.document import Page, Table

_LINE_BREAK = re.compile("\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
_SPACE = re.compile("[ \xa0\u1680\u2000-\u200a\u202f\u205f\u3000]+")
# Controls, soft hyphen, zero-width and bidirectional marks (the text is in logical order without them),
# lone surrogates, private use (glyphs of one font, not characters), noncharacters, and commands to a terminal.
_JUNK = re.compile(
    "\x1b\\[[0-9;]{0,20}[A-Za-z]|[\x00-\x08\x0e-\x1b\x1f\x7f-\x84\x86-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u202a-\u202e\u2060-\u2064"
    "\u2066-\u206f\ud800-\udfff\ue000-\uf8ff\ufdd0-\ufdef\ufeff\ufff9-\ufffc\ufffe\uffff"
    "\U000e0000-\U000e007f\U000f0000-\U0010ffff]+"
)
# Characters that need none of this, alone or beside one another: most texts hold no others.
_PLAIN = re.compile(
    "[\t -~\xa1-\xac\xae-\u02ff\u05be\u05c0\u05c3\u05c6\u05d0-\u05ea\u05ef-\u05f4\u2010-\u2027\u2030-\u203f"
    "\u20a0-\u20c0]*"
)
# Letters that are drawn as one, or wide to fill a line. What they stand for is searched and read.
_LETTERS = {
    code: unicodedata.normalize("NFKC", chr(code)) for code in (*range(0xFB00, 0xFB07), *range(0xFB20, 0xFB2A), 0xFB4F)
}
# Joiners are parts of letters in scripts whose letters join, and of pictures. Behind others they are nothing.
_IDLE_JOINERS = re.compile("(?:^|(?<=[\x00-\u05ff\u1e00-\u206f\u20a0-\u20cf\u3000]))[\u200c\u200d]+")
_MARKS_IN_A_ROW = 30  # as in Unicode's stream-safe text. No language needs more on one letter.


def _too_many(marks: str) -> re.Pattern[str]:
    return re.compile(f"([{marks}][{marks}]{{{_MARKS_IN_A_ROW - 1}}})[{marks}]+")


_MARKS = "".join(char for char in map(chr, range(0x300, 0x20000)) if unicodedata.combining(char))  # there are no others
_TOO_MANY_MARKS = _too_many(_MARKS)
# Of the first plane only: the search is several times faster, and what it is to find is rare.
_TOO_MANY_COMMON_MARKS = _too_many("".join(char for char in _MARKS if char <= "\uffff"))
_SECOND_PLANE = re.compile("[\U00010000-\U0001ffff]")


def clean_page(page: Page) -> Page:
    """The page with clean paragraphs. A line break inside a paragraph splits it, one inside a row of a table does not.

    Tables and divisions are counted anew.
    """
    rows = {place for table in page.tables for place in range(table.first, table.end)}
    paragraphs: list[str] = []
    places = []  # where each paragraph went
    for place, text in enumerate(page.paragraphs):
        places.append(len(paragraphs))
        paragraphs += clean_lines(_LINE_BREAK.sub(" ", text) if place in rows else text)
    if tuple(paragraphs) == page.paragraphs:
        return page
    places.append(len(paragraphs))
    return replace(
        page,
        paragraphs=tuple(paragraphs),
        continues=page.continues and bool(paragraphs),
        tables=tuple(_moved_tables(page.tables, places)),
        divisions=page.divisions and tuple(replace(one, first=places[one.first]) for one in page.divisions),
    )


def _moved_tables(tables: Iterable[Table], places: Sequence[int]) -> Iterator[Table]:
    """The tables that have rows left, by where each paragraph went."""
    for table in tables:
        first, end = places[table.first], places[table.end]
        if first < end:
            yield replace(table, first=first, end=end, head=places[table.first + table.head] - first)


def clean_lines(text: str) -> Iterator[str]:
    """The non-empty lines of a text: NFC, no junk, single spaces. Tabs stay, as they separate table cells."""
    if text and text == text.strip() and "  " not in text and _PLAIN.fullmatch(text):
        yield text
        return
    for line in _LINE_BREAK.split(text):
        line = _SPACE.sub(" ", _IDLE_JOINERS.sub("", _JUNK.sub("", line))).strip(" ")
        if line and not line.isspace():
            yield line if line.isascii() else unicodedata.normalize("NFC", _with_few_marks(line).translate(_LETTERS))


def _with_few_marks(line: str) -> str:
    """The line without more marks on a letter than any has: putting them in order takes time with their square."""
    pattern = _TOO_MANY_MARKS if _SECOND_PLANE.search(line) else _TOO_MANY_COMMON_MARKS
    return pattern.sub(r"\1", line)
