"""Reading a job's file, or its first pages, in the child process, within the limits that the settings give."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from itertools import islice
from pathlib import Path

from django.conf import settings

from sources.extraction.document import Page
from sources.extraction.isolation import extract_to_spill, read_spill


class _Enough(Exception):
    """The pages that are wanted have been read."""


def extract_within_limits(
    path: Path, spill: Path, *, filename: str, on_page: Callable[[int, int | None], None]
) -> None:
    """Spill the file's pages. Raises `ExtractionFailed`, and whatever `on_page` raises to stop the reader."""
    extract_to_spill(
        path,
        spill,
        filename=filename,
        max_pages=settings.KB_MAX_PAGES,
        memory_mb=settings.KB_EXTRACTION_MEMORY_MB,
        timeout_s=settings.KB_EXTRACTION_TIMEOUT_S,
        on_page=on_page,
    )


def first_pages(
    path: Path, spill: Path, *, filename: str, most: int, on_page: Callable[[int], None] | None = None
) -> list[Page]:
    """The first `most` pages, fewer if there are no more; the reader is stopped once they lie whole in `spill`.

    `on_page` is told how many pages were read. Raises as `extract_within_limits` does.
    """

    def one_more(number: int, total: int | None) -> None:
        if on_page:
            on_page(number)
        if _whole_lines(spill, most) == most:
            raise _Enough

    with contextlib.suppress(_Enough):
        extract_within_limits(path, spill, filename=filename, on_page=one_more)
    return list(islice(read_spill(spill), most))


def _whole_lines(spill: Path, most: int) -> int:
    """How many of the first lines, one a page, have been written out: the reader may be ahead of them."""
    with spill.open("rb") as file:
        return sum(line.endswith(b"\n") for line in islice(file, most))
