"""The text of a file that is to be checked, read in a process of its own."""

from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.utils.translation import gettext as _

from extraction.document import ExtractionFailed, Page
from extraction.formats import detect
from extraction.isolation import read_pages
from kb_project.errors import Invalid, TooLarge, UnsupportedType
from kb_project.processes import scratch
from law.structure.lines.document_lines import document_text

LARGEST = 10 * 1024 * 1024  # bytes
_REFUSALS = {
    "too_large": TooLarge,
    "too_many_pages": TooLarge,
    "unsupported_type": UnsupportedType,
}


@dataclass(frozen=True, slots=True)
class FileText:
    """`unread` says that some of its pages have text that was not read."""

    text: str
    unread: bool


def receive(blocks: Iterable[bytes]) -> bytes:
    """The bytes of a file. Raises TooLarge."""
    content = b"".join(_within(blocks))
    if not content:
        raise Invalid(_("The file is empty."), errors={"file": [_("The file is empty.")]})
    return content


def _within(blocks: Iterable[bytes]) -> Iterator[bytes]:
    size = 0
    for block in blocks:
        size += len(block)
        if size > LARGEST:
            raise TooLarge(_("A file may have at most %d MB.") % (LARGEST // (1024 * 1024)))
        yield block


def recognise(content: bytes, *, filename: str) -> None:
    """Raise ApiError for what is of no format that is read here."""
    with _stored(content, filename=filename):
        pass


def read_file(content: bytes, *, filename: str, timeout_s: float | None = None) -> FileText:
    """Its text. Raises ApiError for what cannot be read."""
    with _stored(content, filename=filename) as path:
        pages = list(_pages(path, path.with_name("pages"), filename=filename, timeout_s=timeout_s))
    return FileText(document_text(pages), any(page.unread for page in pages))


@contextmanager
def _stored(content: bytes, *, filename: str) -> Iterator[Path]:
    """The file on the disk, of a format that is read here. What fails to be read raises ApiError."""
    with scratch.directory("text") as folder:
        path = folder / "file"
        path.write_bytes(content)
        try:
            detect(path, filename=filename)
            yield path
        except ExtractionFailed as failure:
            raise _REFUSALS.get(failure.code, Invalid)(failure.message) from failure


def _pages(path: Path, spill: Path, *, filename: str, timeout_s: float | None) -> Iterator[Page]:
    pages = read_pages(
        path,
        spill,
        filename=filename,
        max_pages=settings.KB_MAX_PAGES,
        memory_mb=settings.KB_EXTRACTION_MEMORY_MB,
        timeout_s=timeout_s or settings.KB_EXTRACTION_TIMEOUT_S,
    )
    with closing(pages):
        yield from pages
