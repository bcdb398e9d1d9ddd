"""Any page of an open PDF, with all that is there to read it by."""

from __future__ import annotations

import pypdfium2 as pdfium

from sources.extraction.pdf.fallback import SecondReader
from sources.extraction.pdf.memory import FileMemory
from sources.extraction.pdf.pages import PageReading, read_page
from sources.extraction.pdf.scans import PageRecogniser


class PageReader:
    """Reads pages of a document that stays the caller's."""

    def __init__(
        self, document: pdfium.PdfDocument, *, second_reader: SecondReader, recogniser: PageRecogniser
    ) -> None:
        self._document = document
        self._second_reader = second_reader
        self._recogniser = recogniser

    def read(self, index: int, memory: FileMemory) -> PageReading:
        """The page, counted from 0. Raises whatever PDFium and the readers raise."""
        page = self._document[index]
        try:
            reading = read_page(page, number=index + 1, memory=memory, second_reader=self._second_reader)
            self._recogniser.fill(reading, page)
            return reading
        finally:
            page.close()
