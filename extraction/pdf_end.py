"""Tells that a PDF cannot be opened, without opening it."""

import mmap
from pathlib import Path

from extraction.document import ExtractionFailed

_ROOT = b"/Root"  # where the document begins. What says so stands last, or near it, and is never compressed.


def raise_if_torn(path: Path) -> None:
    """Raise ExtractionFailed with code corrupt where no program finds a document, as where the end is lost."""
    with path.open("rb") as file:
        if file.seek(0, 2):
            with mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as content:
                if content.rfind(_ROOT) >= 0:
                    return
    raise ExtractionFailed("corrupt", "The PDF file is damaged or was cut off on its way. Upload it again.")
