"""The pages of a job's file as they are read."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cached_property
from itertools import chain

from sources.extraction.document import Page

MOST_WARNINGS = 100  # that a job keeps


class Reading:
    """Iterates over the pages once, and keeps their number and warnings.

    `on_page` is called with the number of pages so far.
    """

    def __init__(self, pages: Iterator[Page], *, on_page: Callable[[int], object]) -> None:
        self._pages = pages
        self._on_page = on_page
        self.pages: int | None = None
        self.warnings: list[str] = []

    def __iter__(self) -> Iterator[Page]:
        first = [self.first_page] if self.first_page else []
        for count, page in enumerate(chain(first, self._pages), 1):
            if page.number is not None:
                self.pages = page.number
            self.warnings += page.warnings
            self._on_page(count)
            yield page

    @cached_property
    def first_page(self) -> Page | None:
        """The first page. It is read early, and still iterated over."""
        return next(self._pages, None)

    @property
    def kept_warnings(self) -> list[str]:
        return self.warnings[:MOST_WARNINGS]
