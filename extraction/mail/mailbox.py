"""Takes messages out of what programs keep them in: mbox, several in a file, and Apple's emlx, one with a length."""

import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import IO

from extraction.text.encodings import by_mark, in_utf8

SEPARATOR = r"From (?:-\s|.*\d\d:\d\d)"  # how the line before a message begins: who sent it and when
_SEPARATOR = re.compile(SEPARATOR.encode())
_HEADER = re.compile(rb"[!-9;-~]+:")
_QUOTED = re.compile(rb">+From ")
_LENGTH = re.compile(rb"\s*(\d{1,12})[ \t]*\r?\n")


def messages(path: Path) -> Iterator[bytes]:
    """The messages of a mailbox in their order, each as a file of its own would be.

    One begins behind an empty line with the line `SEPARATOR`, and headers below. Other lines that begin so are text.
    """
    lines: list[bytes] = []
    with _opened(path) as file:
        before, line = b"", file.readline()
        while line:
            following = file.readline()
            if not before.strip() and _SEPARATOR.match(line) and _HEADER.match(following):
                if any(map(bytes.strip, lines)):
                    yield b"".join(lines)
                lines = []
            else:
                lines.append(line[1:] if _QUOTED.match(line) else line)
            before, line = line, following
    yield b"".join(lines)


def unwrapped(content: bytes) -> bytes:
    """The message of a file without what mail programs put before and behind it."""
    content = in_utf8(content)
    if b"\n" not in content:  # as Macs ended lines
        content = content.replace(b"\r", b"\n")
    if (length := _LENGTH.match(content)) and _HEADER.match(content, length.end()):
        return content[length.end() :][: int(length[1])]
    return content.lstrip(b"\r\n")


def _opened(path: Path) -> IO[bytes]:
    file = path.open("rb")
    if by_mark(file.read(4)) is None:
        file.seek(0)
        return file
    file.close()
    return BytesIO(in_utf8(path.read_bytes()))
