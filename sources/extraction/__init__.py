"""Reads a document file into pages of logical-order text. Knows nothing of Django: it runs in its own process."""

from collections.abc import Iterator
from pathlib import Path

from sources.extraction.cleaning import clean_page
from sources.extraction.document import ExtractionFailed, Origin, Page
from sources.extraction.formats import Format, detect

__all__ = ["ExtractionFailed", "Format", "Origin", "Page", "detect", "extract"]


def extract(
    path: str | Path,
    *,
    filename: str = "",
    max_pages: int = 5000,
    ocr: bool = True,
) -> Iterator[Page]:
    """Yield the file's pages in order, each before the next is read.

    `filename` is the name the file came with, when `path` is a temporary one.
    Raises ExtractionFailed, also half way through. A file without any text raises code empty after its last page.
    """
    path = Path(path)
    found_text = False
    for page in _read(path, detect(path, filename=filename), max_pages=max_pages, ocr=ocr):
        page = clean_page(page)
        found_text = found_text or bool(page.paragraphs)
        yield page
    if not found_text:
        raise ExtractionFailed("empty", "There is no text in the file.")


def _read(path: Path, format: Format, *, max_pages: int, ocr: bool) -> Iterator[Page]:
    # Readers are imported where they are used: a web process asks for `detect` only, and must not load PDFium.
    if format is Format.PDF:
        from sources.extraction.pdf.reader import read_pdf

        return read_pdf(path, max_pages=max_pages, ocr=ocr)
    if format is Format.DOCX:
        from sources.extraction.docx.reader import read_docx

        return read_docx(path)
    if format is Format.HTML:
        from sources.extraction.html.reader import read_html

        return read_html(path)
    if format is Format.MD:
        from sources.extraction.markdown import read_markdown

        return read_markdown(path)
    from sources.extraction.plain import read_plain

    return read_plain(path)
