"""Reading a job's file in the child process, within the limits that the settings give."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from django.conf import settings

from sources.extraction.isolation import extract_to_spill


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
