"""Reads a document file into pages of logical-order text. Knows nothing of Django: it runs in its own process."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from importlib import import_module
from pathlib import Path

from extraction.document import ExtractionFailed, Page
from extraction.formats import AS_TEXT, DRAWN, IMAGES, Format, detect, is_padded

__all__ = ["READERS", "ExtractionFailed", "Format", "Page", "detect", "extract", "reader_of"]

# Named, not imported: a web process asks for `detect` alone, and must not load PDFium.
READERS = {
    Format.PDF: "pdf.reader.read_pdf",
    Format.DOCX: "docx.reader.read_docx",
    Format.DOC: "docx.reader.read_doc",
    Format.ODT: "odt.reader.read_odt",
    Format.RTF: "rtf.reader.read_rtf",
    Format.HTML: "html.reader.read_html",
    Format.TXT: "plain.read_plain",
    Format.MD: "markdown.read_markdown",
    Format.EML: "mail.reader.read_email",
    Format.MBOX: "mail.reader.read_mailbox",
    Format.MSG: "mail.outlook.read_outlook",
    Format.AKN: "akoma_ntoso.read_akoma_ntoso",
    Format.XLSX: "sheets.reader.read_xlsx",
    Format.PPTX: "slides.read_pptx",
    **dict.fromkeys(IMAGES, "pdf.reader.read_images"),
}

_PADDED = "The file ends in bytes without text. Check whether its end is missing."


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
    # Here, as most that imports this package reads no text.
    from extraction.tables import with_tables
    from extraction.text.cleaning import clean_page

    path = Path(path)
    found_text = False
    format = detect(path, filename=filename)
    told = (_PADDED,) if format in AS_TEXT and is_padded(path) else ()
    for page in _read(path, format, max_pages=max_pages, ocr=ocr):
        page = with_tables(clean_page(page))
        if told:
            page, told = replace(page, warnings=(*told, *page.warnings)), ()
        found_text = found_text or bool(page.paragraphs)
        yield page
    if not found_text:
        raise ExtractionFailed("empty", "There is no text in the file.")


def _read(path: Path, format: Format, *, max_pages: int, ocr: bool) -> Iterator[Page]:
    if format is Format.ZIP:
        raise ExtractionFailed("unsupported_type", "A ZIP archive is no document. Upload it as a batch.")
    read = reader_of(format)
    return read(path, max_pages=max_pages, ocr=ocr) if format in DRAWN else read(path)


def reader_of(format: Format) -> Callable[..., Iterator[Page]]:
    """The format's function in `READERS`. Its module is imported now, unless it was before."""
    module, _dot, function = READERS[format].rpartition(".")
    reader: Callable[..., Iterator[Page]] = getattr(import_module(f"extraction.{module}"), function)
    return reader
