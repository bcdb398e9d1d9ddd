"""The pieces of a passage: its sentences and lines, each of which says something."""

import re
from collections.abc import Iterator

from law.words.sentences import bracketed, stops

MIN_LENGTH = 25  # characters; a shorter piece (a number, a heading) goes with what follows
MAX_NUMBER_LENGTH = 100  # characters; more numbers in a row than that are not looked through again and again
Run = tuple[int, int]
_STOPS = ".;:!?"
# A line that goes on with a small letter is one that was wrapped, unless it follows a stop.
_END = re.compile(
    rf"[{_STOPS}][\"'“”״׳)\]]{{0,3}}\s+(?=\S)|\n+\s*+(?![a-z])|(?<=[{_STOPS}—–,])[\"'“”״׳)\]]{{0,3}}[ \t]*\n+\s*"
)


def sentences(text: str) -> Iterator[Run]:
    """Character ranges that cover the text without a gap. Each but the last ends with its white space.

    Joined together they are the text again, so that any run of them is verbatim.
    """
    start = 0
    for match in stops(text, _END, within=bracketed(text)):
        piece = text[start : match.end()].rstrip()
        if len(piece) > MAX_NUMBER_LENGTH or (
            (match.end() - start >= MIN_LENGTH or _is_last_item(piece, match[0])) and not _is_number(piece)
        ):
            yield start, match.end()
            start = match.end()
    if start < len(text):
        yield start, len(text)


def stripped(text: str, start: int, end: int) -> Run:
    """The range without white space at its ends."""
    piece = text[start:end]
    return start + len(piece) - len(piece.lstrip()), start + len(piece.rstrip())


def _is_last_item(piece: str, gap: str) -> bool:
    """A short clause at the end of a list, such as `(c) a bell.`, is not a heading of what follows."""
    return "\n" in gap and piece.endswith((".", ";")) and len(piece.split()) > 2


def _is_number(piece: str) -> bool:
    """A clause's own number, such as `(א)` or `5.`, says nothing without its clause."""
    return not any(char.isalpha() for char in piece.strip(" ()[].;:"))
