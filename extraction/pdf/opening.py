"""Opening a PDF: why one cannot be is the same, whatever it is opened for. Runs in a reader's process."""

from pathlib import Path

import pypdfium2 as pdfium

from extraction.document import ExtractionFailed


def open_pdf(path: str | Path) -> pdfium.PdfDocument:
    """The document, for the caller to close. Raises ExtractionFailed with code corrupt or encrypted."""
    try:
        document = pdfium.PdfDocument(path)
    except pdfium.PdfiumError as error:
        reason = str(error).lower()
        if "password" in reason or "security" in reason:
            raise ExtractionFailed(
                "encrypted", "The PDF is protected by a password. Upload a copy without one."
            ) from error
        raise ExtractionFailed("corrupt", "The PDF is damaged and cannot be opened.") from error
    if len(document) == 0:
        document.close()
        raise ExtractionFailed("corrupt", "The PDF has no pages.")
    return document
