"""The text of a file that is to be checked, read in a process of its own."""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.utils.translation import gettext as _

from extraction.document import ExtractionFailed, Page
from extraction.formats import Format, detect
from extraction.isolation import read_pages
from kb_project.errors import Invalid, TooLarge, UnsupportedType
from kb_project.processes import scratch

_OF_LINES = frozenset({Format.TXT, Format.MD, Format.EML, Format.MBOX, Format.MSG})  # a paragraph of theirs is a line
INDENT = " " * 4
MAX_FILE_BYTES = 10 * 1024 * 1024  # bytes
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
        if size > MAX_FILE_BYTES:
            raise TooLarge(_("A file may have at most %d MB.") % (MAX_FILE_BYTES // (1024 * 1024)))
        yield block


def recognise(content: bytes, *, filename: str) -> None:
    """Raise ApiError for what is of no format that is read here."""
    with _stored(content, filename=filename):
        pass


def read_file(content: bytes, *, filename: str, timeout_s: float | None = None) -> FileText:
    """Its text. Raises ApiError for what cannot be read."""
    with _stored(content, filename=filename) as (path, format):
        pages = list(_pages(path, path.with_name("pages"), filename=filename, timeout_s=timeout_s))
    joint = "\n" if format in _OF_LINES else "\n\n"
    return FileText("".join(_joined(pages, joint=joint)), any(page.unread for page in pages))


def _joined(pages: Sequence[Page], *, joint: str) -> Iterator[str]:
    """The paragraphs as in a plain text: indented where they are set apart. `joint` stands between two that are not."""
    before, goes_on = "", False
    for page in pages:
        rows = {place for table in page.tables for place in range(table.first, table.end)}
        apart = frozenset(page.set_apart)
        for place, paragraph in enumerate(page.paragraphs):
            kind = "row" if place in rows else "apart" if place in apart else "paragraph"
            if goes_on:
                yield " "
            elif before:
                yield "\n" if kind == before != "paragraph" else joint
            yield INDENT + paragraph if kind == "apart" and not goes_on else paragraph
            before, goes_on = kind, False
        goes_on = page.continues


@contextmanager
def _stored(content: bytes, *, filename: str) -> Iterator[tuple[Path, Format]]:
    """The file on the disk, of a format that is read here. What fails to be read raises ApiError."""
    with scratch.directory("text") as folder:
        path = folder / "file"
        path.write_bytes(content)
        try:
            yield path, detect(path, filename=filename)
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
