"""Pictures of the pages of stored PDF files and images, drawn on request and cached for a day."""

from dataclasses import dataclass

from django.core.cache import caches
from django.utils.translation import gettext as _

from extraction.document import ExtractionFailed
from extraction.formats import DRAWN, detect
from extraction.isolation import draw_page
from kb_project.database.connections import release
from kb_project.errors import NotFound
from kb_project.processes import scratch
from sources.files import storage
from sources.files.cached_copies import cached_copy

WIDTH, THUMBNAIL = 1200, 160
"""Pixels: of a page to read, and of one to know it by, sharp on any screen when it is shown 48 wide."""
WIDTHS = (THUMBNAIL, WIDTH)


@dataclass(frozen=True, slots=True)
class PagePicture:
    """A page as PNG, and the number of pages."""

    png: bytes
    pages: int


def page_picture(key: str, *, filename: str, digest: str, number: int, width: int = WIDTH) -> PagePicture:
    """The picture of a page, counted from 1, `width` pixels wide: one of `WIDTHS`.

    `digest` names the file's content. Raises `NotFound` when the file is gone, is no PDF or image, has no such page,
    or cannot be drawn.
    """
    release()  # the storage may take its time
    if not key:
        raise NotFound(_("The file is not there any more."))
    cache, cached_as = caches["pictures"], f"{digest or key}-{number}-{width}"
    kept = cache.get(cached_as)
    if kept is not None and storage.exists(key):
        return PagePicture(*kept)
    picture = _draw(key, filename=filename, number=number, width=width)
    cache.set(cached_as, (picture.png, picture.pages))  # plain values: the cache outlives a version of the code
    return picture


def _draw(key: str, *, filename: str, number: int, width: int) -> PagePicture:
    try:
        with scratch.directory("page") as directory, cached_copy(key) as path:
            if detect(path, filename=filename) not in DRAWN:
                raise NotFound(_("Only the pages of PDF files and images can be shown."))
            target = directory / "page.png"
            pages = draw_page(path, target, number=number, width=width)
            return PagePicture(target.read_bytes(), pages)
    except FileNotFoundError:
        raise NotFound(_("The file is not there any more.")) from None
    except ExtractionFailed as failure:
        raise NotFound(failure.message) from failure
