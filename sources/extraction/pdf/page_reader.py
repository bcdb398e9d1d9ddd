"""Any page of an open PDF, with all that is there to read it by."""

from __future__ import annotations

import resource
import time
from collections.abc import Callable
from contextlib import closing

import pypdfium2 as pdfium

from sources.extraction.pdf.fallback import SecondReader
from sources.extraction.pdf.memory import FileMemory
from sources.extraction.pdf.page_content import STEPS, PageContent
from sources.extraction.pdf.pages import PageReading, read_page
from sources.extraction.pdf.scans import PageRecogniser

AHEAD = 16  # pages at most that are open at once
AHEAD_KB = 32_768  # of memory that opening them may take, but for the last of them
AHEAD_S = 0.2  # that it may take, but for the last: whoever waits for the first waits for all


class PageReader:
    """Reads pages of a document that stays the caller's, one after another in steps of 1 or -1.

    It opens some ahead and takes each step with all of them: by turns PDFium and what is done here would find the
    processor's caches full of the other's at every page, which costs a quarter of the time. At first it is only the
    page itself, for whoever wants no more than that.
    """

    def __init__(
        self,
        document: pdfium.PdfDocument,
        *,
        second_reader: SecondReader,
        recogniser: PageRecogniser,
        step: int = 1,
    ) -> None:
        self._document = document
        self._pages = len(document)
        self._step = step
        self._second_reader = second_reader
        self._recogniser = recogniser
        self._ahead = 1
        self._open: dict[int, PageContent] = {}

    def read(self, index: int, memory: FileMemory) -> PageReading:
        """The page, counted from 0. Raises whatever PDFium and the readers raise."""
        with closing(self._content(index, right_to_left=memory.right_to_left)) as content:
            reading = read_page(content, number=index + 1, memory=memory, second_reader=self._second_reader)
            self._recogniser.fill(reading, content.page)
            return reading

    def close(self) -> None:
        """Close the pages that were opened and not read."""
        while self._open:
            self._open.popitem()[1].close()

    def _content(self, index: int, *, right_to_left: bool) -> PageContent:
        if index not in self._open:
            try:
                self._take_from(index, right_to_left=right_to_left)
            except Exception:
                if self._ahead == 1:
                    raise
                self._ahead = 1  # those opened with it may have taken the memory that it wanted
                self._take_from(index, right_to_left=right_to_left)
            self._ahead = min(2 * self._ahead, AHEAD)
        return self._open.pop(index)

    def _take_from(self, first: int, *, right_to_left: bool) -> None:
        """Open pages and take what they hold; when that fails for the first of them, none is open."""
        self.close()
        try:
            self._open_from(first, right_to_left=right_to_left)
            for step in STEPS:
                self._take(step, first)
        except Exception:
            self.close()
            raise

    def _take(self, step: Callable[[PageContent], None], first: int) -> None:
        """A page that it fails for is closed, and those after it: it fails once more when its turn comes."""
        for place, content in [*self._open.items()]:
            try:
                step(content)
            except Exception:
                if place == first:
                    raise
                while place in self._open:
                    self._open.popitem()[1].close()
                break

    def _open_from(self, first: int, *, right_to_left: bool) -> None:
        before, started = _peak_kb(), time.monotonic()
        for place in range(first, first + self._step * self._ahead, self._step):
            if not 0 <= place < self._pages:
                break
            try:
                self._open[place] = PageContent(self._document, place, right_to_left=right_to_left)
            except Exception:
                if place == first:
                    raise
                break  # as in `_take`
            if _peak_kb() - before > AHEAD_KB or time.monotonic() - started > AHEAD_S:
                break


def _peak_kb() -> int:
    """The most memory that this process held, where Linux says it; elsewhere more, so that less is opened ahead."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
