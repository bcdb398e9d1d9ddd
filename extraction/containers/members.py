"""Which files may hold other documents, and what they held: written by a reader's process, read by the application.

A web process asks the first too, so nothing is opened here.
"""

import json
import mmap
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from extraction.document import ExtractionFailed
from extraction.formats import CONTAINERS, Format, detect

_FILE_IN_PDF = b"/EmbeddedFile"  # the type of such a stream, which is never compressed itself

LIST = "members.json"


def format_of_container(path: Path, filename: str) -> Format | None:
    """The format of a file in which there may be other documents, None for any other file.

    A PDF counts if it names a file inside. One that leaves out the type of its files does not, and its reader tells it.
    """
    try:
        format = detect(path, filename=filename)
    except ExtractionFailed:  # said where the file is accepted
        return None
    return format if format in CONTAINERS or (format is Format.PDF and _names_files(path)) else None


def _names_files(path: Path) -> bool:
    with path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
        return content.find(_FILE_IN_PDF) >= 0


@dataclass(frozen=True, slots=True)
class Member:
    """A file that was in another, by the end of its name. `within` is what it was in: archives, folders, a message.

    `file` is where its content is, "" for the message that was opened itself. `attached_to` is the place among the
    members of the message that it was attached to. One that cannot be opened has the `code` and a sentence why.
    """

    name: str
    within: str = ""
    file: str = ""
    attached_to: int | None = None
    code: str = ""
    detail: str = ""


def write_members(members: Sequence[Member], directory: Path) -> None:
    """Put the list beside the files."""
    text = json.dumps([asdict(member) for member in members])
    (directory / LIST).write_text(text, encoding="utf-8")


def read_members(directory: Path) -> list[Member]:
    """The list in its order."""
    return [Member(**row) for row in json.loads((directory / LIST).read_text(encoding="utf-8"))]
