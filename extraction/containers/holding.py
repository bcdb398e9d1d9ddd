"""Which files may hold other documents. A web process asks this too, so nothing is opened here."""

import mmap
from pathlib import Path

from extraction.document import ExtractionFailed
from extraction.formats import CONTAINERS, Format, detect

_FILE_IN_PDF = b"/EmbeddedFile"  # the type of such a stream, which is never compressed itself


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
