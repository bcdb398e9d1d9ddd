"""Read a job's file, or its first pages, in a child process within the limits of the settings."""

import json
import logging
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from functools import cached_property
from itertools import chain, islice
from pathlib import Path
from typing import Any

from django.conf import settings

from extraction import detect
from extraction.document import ExtractionFailed, LostWhat, Page
from extraction.formats import DRAWN
from extraction.isolation import read_pages, survey_pages
from kb_project.observability import tracing

log = logging.getLogger(__name__)

MAX_WARNINGS = 100  # that a job keeps
MAX_LOST = 200  # kinds on pages, besides one more of each kind
CLAUSE_PAGES = 30  # in which a document is asked what it says of itself: laws say it in their last sections too
CLAUSE_CHARACTERS = 300_000


def read_within_limits(
    path: Path, spill: Path, *, filename: str, timeout_s: float | None = None
) -> Generator[Page, None, None]:
    """The file's pages as they are read, in `timeout_s` seconds if that is less than the settings allow.

    Closing the iterator stops the reader. Raises `ExtractionFailed`.
    """
    longest_s, count = settings.KB_EXTRACTION_TIMEOUT_S, 0
    with tracing.start_span("read document") as span:
        pages = read_pages(
            path,
            spill,
            filename=filename,
            max_pages=settings.KB_MAX_PAGES,
            memory_mb=settings.KB_EXTRACTION_MEMORY_MB,
            timeout_s=longest_s if timeout_s is None else min(timeout_s, longest_s),
            on_end=lambda cost: span.set({"kb.reader.cpu_s": cost.cpu_s, "kb.reader.peak_kb": cost.peak_kb}),
        )
        try:
            with closing(pages):
                for count, page in enumerate(pages, 1):  # noqa: B007
                    yield page
        finally:
            span.set({"kb.pages": count})


def first_pages(
    path: Path,
    spill: Path,
    *,
    filename: str,
    most: int,
    on_page: Callable[[int], None] | None = None,
    is_enough: Callable[[Sequence[Page]], bool] = lambda read: False,
) -> list[Page]:
    """At most the first `most` pages, fewer where those read so far are enough. The reader is stopped after them.

    `on_page` is told how many pages were read, and may raise to stop. Raises `ExtractionFailed`.
    """
    first: list[Page] = []
    with closing(read_within_limits(path, spill, filename=filename)) as pages:
        for page in pages:
            first.append(page)
            if on_page:
                on_page(len(first))
            if len(first) == most or is_enough(first):
                break
    return first


@dataclass(frozen=True, slots=True)
class UnreadPages:
    """What is known of a file's pages before all of them are read. `unread` is None where that is nothing.

    `pages` is their number, None without a format of pages.
    """

    unread: list[int] | None = None
    pages: int | None = None
    warnings: tuple[str, ...] = ()


def survey(path: Path, target: Path, *, filename: str) -> UnreadPages:
    """Look quickly at all pages of a PDF or of images. The answer comes through the file `target`.

    What cannot be looked at is no failure: the file is read anyway, and then all is known.
    """
    if detect(path, filename=filename) not in DRAWN:
        return UnreadPages(unread=[])
    try:
        survey_pages(path, target, memory_mb=settings.KB_EXTRACTION_MEMORY_MB)
    except ExtractionFailed as failure:
        log.warning("The pages of %s could not be looked at: %s", filename, failure.message)
        return UnreadPages()
    found = json.loads(target.read_text(encoding="utf-8"))
    pages, looked_at = found["pages"], found["looked_at"]
    partly = (f"Only the first {looked_at} of {pages} pages were looked at.",) if looked_at < pages else ()
    return UnreadPages(unread=found["unread"], pages=pages, warnings=partly)


class PageStream:
    """Iterates over the pages once, and keeps their number and warnings, and which have text that was not read.

    `on_page` is called with the number of pages so far. `first_pages` are kept, at most `CLAUSE_PAGES` of them.
    """

    def __init__(self, pages: Iterator[Page], *, on_page: Callable[[int], object]) -> None:
        self._pages = pages
        self._on_page = on_page
        self.pages: int | None = None
        self.unread_pages: list[int] = []
        self.warnings: list[str] = []
        self.first_pages: list[Page] = []
        self._lost: LostOfPages = Counter()

    def __iter__(self) -> Iterator[Page]:
        first = [self.first_page] if self.first_page else []
        for count, page in enumerate(chain(first, self._pages), 1):
            if page.number is not None:
                self.pages = page.number
                self.unread_pages += [page.number] if page.unread else []
            self.warnings += page.warnings
            self._lost.update(lost_of([page]))
            if count <= CLAUSE_PAGES:
                self.first_pages.append(page)
            self._on_page(count)
            yield page

    @cached_property
    def first_page(self) -> Page | None:
        """The first page. It is read early, and still iterated over."""
        return next(self._pages, None)

    @property
    def kept_warnings(self) -> list[str]:
        return self.warnings[:MAX_WARNINGS]

    @property
    def kept_lost(self) -> list[dict[str, Any]]:
        """The value of `Source.lost`."""
        return stored_lost(self._lost)


LostOfPages = Counter[tuple[int | None, LostWhat]]
"""How many characters of each kind were seen on a page, or in a document without pages, and not passed on."""


def lost_of(pages: Iterable[Page]) -> LostOfPages:
    found: LostOfPages = Counter()
    for page in pages:
        for one in page.lost:
            found[page.number, one.what] += one.characters
    return found


def stored_lost(lost: LostOfPages) -> list[dict[str, Any]]:
    """As `Source.lost` has it. Of very many the first, and the sum of each kind of the others without a page."""
    kept = Counter(dict(islice(lost.items(), MAX_LOST)))
    for (_page, what), characters in islice(lost.items(), MAX_LOST, None):
        kept[None, what] += characters
    return [{"page": page, "what": what.value, "characters": characters} for (page, what), characters in kept.items()]
