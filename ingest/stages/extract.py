"""Read a job's file, or its first pages, in a child process within the limits of the settings."""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import closing
from pathlib import Path

from django.conf import settings

from sources.extraction.document import Page
from sources.extraction.isolation import read_pages


def read_within_limits(path: Path, spill: Path, *, filename: str) -> Generator[Page, None, None]:
    """The file's pages as they are read. Closing the iterator stops the reader. Raises `ExtractionFailed`."""
    return read_pages(
        path,
        spill,
        filename=filename,
        max_pages=settings.KB_MAX_PAGES,
        memory_mb=settings.KB_EXTRACTION_MEMORY_MB,
        timeout_s=settings.KB_EXTRACTION_TIMEOUT_S,
    )


def first_pages(
    path: Path, spill: Path, *, filename: str, most: int, on_page: Callable[[int], None] | None = None
) -> list[Page]:
    """At most the first `most` pages. The reader is stopped after them.

    `on_page` is told how many pages were read, and may raise to stop. Raises `ExtractionFailed`.
    """
    first: list[Page] = []
    with closing(read_within_limits(path, spill, filename=filename)) as pages:
        for page in pages:
            first.append(page)
            if on_page:
                on_page(len(first))
            if len(first) == most:
                break
    return first
