"""Pictures of a job's pages for the review screen, drawn on request and cached for a day."""

from __future__ import annotations

from dataclasses import dataclass

from django.core.cache import caches

from ingest.models import Job
from kb_project.errors import NotFound
from kb_project.processes import scratch
from sources import storage
from sources.extraction.document import ExtractionFailed
from sources.extraction.formats import Format, detect
from sources.extraction.isolation import draw_page
from sources.kept_copies import kept_copy

WIDTH, THUMBNAIL = 1200, 160
"""Pixels: of a page to read, and of one to know it by, sharp on any screen when it is shown 48 wide."""
WIDTHS = (THUMBNAIL, WIDTH)


@dataclass(frozen=True, slots=True)
class Picture:
    """A page as PNG, and the number of pages."""

    png: bytes
    pages: int


def page_picture(job: Job, number: int, *, width: int = WIDTH) -> Picture:
    """The picture of a page, counted from 1, `width` pixels wide: one of `WIDTHS`.

    Raises `NotFound` when the file is gone, is no PDF, has no such page, or cannot be drawn.
    """
    if not storage.exists(job.stored_key):
        raise NotFound("The file is not there any more.")
    cache, key = caches["pictures"], f"{job.content_sha256 or job.pk}-{number}-{width}"
    kept = cache.get(key)
    if kept is not None:
        return Picture(*kept)
    picture = _draw(job, number, width=width)
    cache.set(key, (picture.png, picture.pages))  # plain values, because the cache outlives a version of the code
    return picture


def _draw(job: Job, number: int, *, width: int) -> Picture:
    try:
        with scratch.directory("page") as directory, kept_copy(job.stored_key) as path:
            if detect(path, filename=job.filename) is not Format.PDF:
                raise NotFound("Only the pages of PDF files can be shown.")
            target = directory / "page.png"
            pages = draw_page(path, target, number=number, width=width)
            return Picture(target.read_bytes(), pages)
    except FileNotFoundError:
        raise NotFound("The file is not there any more.") from None
    except ExtractionFailed as failure:
        raise NotFound(failure.message) from failure
