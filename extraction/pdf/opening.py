"""Opening a PDF, images as one, and the files inside of it. Runs in a reader's process."""

import ctypes
import hashlib
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from extraction.document import ExtractionFailed
from extraction.images import is_image, open_image
from extraction.pdf.annotations import files_of_document, has_fields, name_of, pinned_files
from extraction.pdf_end import raise_if_torn

MAX_PAGES = 2_000  # on which pinned files are looked for
FIRST_PAGES = 20  # where the fields of a form are looked for


def open_pdf(path: str | Path, *, only: int | None = None) -> pdfium.PdfDocument:
    """The document, for the caller to close. `only`: the page, counted from 1, that the caller will look at.

    Raises ExtractionFailed with code corrupt or encrypted, and as `open_image`.
    """
    if is_image(path):
        return open_image(path, only=only)
    try:
        document = pdfium.PdfDocument(path)
    except pdfium.PdfiumError as error:
        reason = str(error).lower()
        if "password" in reason or "security" in reason:
            raise ExtractionFailed(
                "encrypted", "The PDF is protected by a password. Save it without a password and upload it again."
            ) from error
        raise_if_torn(Path(path))
        raise ExtractionFailed("corrupt", "The PDF is damaged and cannot be opened.") from error
    if len(document) == 0:
        document.close()
        raise ExtractionFailed("corrupt", "The PDF has no pages.")
    return document


def init_forms(document: pdfium.PdfDocument) -> None:
    """Make the values of its forms known, before a page is opened.

    Raises ExtractionFailed with code unsupported_type if the form is written for Adobe's programs alone: then the pages
    say nothing but that.
    """
    kind = document.get_formtype()
    if kind == pdfium_c.FORMTYPE_NONE:
        return
    if kind == pdfium_c.FORMTYPE_XFA_FULL or (kind == pdfium_c.FORMTYPE_XFA_FOREGROUND and not _has_fields(document)):
        raise ExtractionFailed(
            "unsupported_type",
            "The PDF is a form (XFA) that only Adobe's programs show. Print it there to another PDF and upload that.",
        )
    document.init_forms()


def _has_fields(document: pdfium.PdfDocument) -> bool:
    for index in range(min(len(document), FIRST_PAGES)):
        with closing(document[index]) as page:
            if has_fields(page):
                return True
    return False


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
