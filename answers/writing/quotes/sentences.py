"""Cutting a passage into the smallest pieces that can be quoted: sentences, clauses of a list, lines."""

import re
from collections.abc import Iterator

LEAST = 25  # characters; a shorter piece (a number, a heading) goes with what follows
LONGEST_NUMBER = 100  # characters; more numbers in a row than that are not looked through again and again
_END = re.compile(r"(?<=[.;:!?])[\"'“”״׳)\]]{0,3}\s+(?=\S)|\n+\s*")


def sentences(text: str) -> Iterator[tuple[int, int]]:
    """Character ranges that cover the text without a gap; each but the last ends with its white space.

    Joined together they are the text again, so that any run of them is verbatim.
    """
    start = 0
    for match in _END.finditer(text):
        piece = text[start : match.start()]
        if len(piece) > LONGEST_NUMBER or (
            (match.end() - start >= LEAST or _is_last_item(piece, match[0])) and not _is_number(piece)
        ):
            yield start, match.end()
            start = match.end()
    if start < len(text):
        yield start, len(text)


def _is_last_item(piece: str, gap: str) -> bool:
    """A short clause at the end of a list, such as `(c) a bell.`, is not a heading of what follows."""
    return "\n" in gap and piece.endswith((".", ";")) and len(piece.split()) > 2


def _is_number(piece: str) -> bool:
    """A clause's own number, such as `(א)` or `5.`, says nothing without its clause."""
    return not any(char.isalpha() for char in piece.strip(" ()[].;:"))
