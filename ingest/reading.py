"""The pages of a job's file as they were read."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from sources.extraction.document import Page
from sources.extraction.isolation import read_spill

MOST_WARNINGS = 100  # that a job keeps


class Reading:
    """Iterates over the pages once, noting how many there were and what they warn of."""

    def __init__(self, spill: Path) -> None:
        self._spill = spill
        self.pages: int | None = None
        self.warnings: list[str] = []

    def __iter__(self) -> Iterator[Page]:
        for page in read_spill(self._spill):
            if page.number is not None:
                self.pages = page.number
            self.warnings += page.warnings
            yield page

    @property
    def first_page(self) -> Page | None:
        return next(iter(read_spill(self._spill)), None)

    @property
    def kept_warnings(self) -> list[str]:
        return self.warnings[:MOST_WARNINGS]
