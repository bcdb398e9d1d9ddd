"""Opening a PDF, or images as one. Why it cannot be is the same, whatever for. Runs in a reader's process."""

from contextlib import closing
from pathlib import Path

import pypdfium2 as pdfium
import pypdfium2.raw as pdfium_c

from extraction.document import ExtractionFailed
from extraction.images import is_image, open_image
from extraction.pdf.annotations import has_fields
from extraction.pdf_end import raise_if_torn

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
