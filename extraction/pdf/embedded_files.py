"""Files inside of a PDF: of the document, as in a portfolio, or pinned to a page. Runs in a reader's process."""

import ctypes
import hashlib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from extraction.pdf.annotations import files_of_document, name_of, pinned_files
from extraction.pdf.opening import open_pdf

MAX_PAGES = 2_000  # on which pinned files are looked for


def files_in(path: Path) -> Iterator[tuple[str, bytes]]:
    """Name and content of each file, the same bytes once. Raises ExtractionFailed as `open_pdf`.

    Those that cannot be had are left out: whoever reads the document tells of them all.
    """
    seen = set()
    with closing(open_pdf(path)) as document:
        for file in _handles(document):
            content = _content(file)
            digest = hashlib.sha256(content).digest()
            if content and digest not in seen:
                seen.add(digest)
                yield name_of(file), content


def _handles(document: pdfium.PdfDocument) -> Iterator[Any]:
    yield from files_of_document(document)
    for index in range(min(MAX_PAGES, len(document))):
        try:
            page = document[index]
        except pdfium.PdfiumError:  # one damaged page must not cost the files of the others
            continue
        with closing(page):
            yield from pinned_files(page)


def _content(file: Any) -> bytes:
    size = ctypes.c_ulong()
    if not pdfium_c.FPDFAttachment_GetFile(file, None, 0, size) or not size.value:
        return b""
    buffer = ctypes.create_string_buffer(size.value)
    pdfium_c.FPDFAttachment_GetFile(file, buffer, size.value, size)
    return buffer.raw
