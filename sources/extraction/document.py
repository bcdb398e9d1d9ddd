"""What extraction yields: pages of logical-order text, or one refusal with a stable code."""

import enum
import json
from collections.abc import Generator, Iterable, Iterator
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import IO

PART_CHARACTERS = 100_000
PART_PARAGRAPHS = 500


class Origin(enum.StrEnum):
    """Where a page's text came from."""

    TEXT = "text"  # the file's own text
    REPAIRED = "repaired"  # text layer read another way, because the first reading could not be right
    OCR = "ocr"  # recognised from the page image: numbers in it need a second look


@dataclass(frozen=True, slots=True)
class Page:
    """One page in reading order.

    `number` is 1-based, None where the format has no pages (DOCX, HTML, text), which come as one or more such
    parts. `paragraphs` are logical-order strings without line breaks. Tabs separate the cells of a table row.
    `continues`: the last paragraph continues in the first one of the next page. `warnings` are sentences for the
    reviewer.
    """

    number: int | None
    paragraphs: tuple[str, ...]
    continues: bool = False
    origin: Origin = Origin.TEXT
    warnings: tuple[str, ...] = field(default=())

    @property
    def text(self) -> str:
        return "\n".join(self.paragraphs)


class ExtractionFailed(Exception):
    """The file gives no usable text.

    `code` is one of empty, corrupt, encrypted, no_text_layer, unsupported_type, too_many_pages, too_large,
    extraction_timeout, extraction_crashed. `message` is a sentence a person can act on.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code
        self.message = message


def in_parts(paragraphs: Iterable[str]) -> Iterator[Page]:
    """Pages of bounded size without number, for the formats that have no pages.

    A paragraph longer than a part continues in the next.
    """
    part: list[str] = []
    size = 0
    for paragraph in paragraphs:
        for piece, last in _pieces(paragraph):
            part.append(piece)
            size += len(piece)
            if not last or size >= PART_CHARACTERS or len(part) >= PART_PARAGRAPHS:
                yield Page(number=None, paragraphs=tuple(part), continues=not last)
                part, size = [], 0
    if part:
        yield Page(number=None, paragraphs=tuple(part))


def _pieces(paragraph: str) -> Iterator[tuple[str, bool]]:
    start = 0
    while len(paragraph) - start > PART_CHARACTERS:
        cut = paragraph.rfind(" ", start + 1, start + PART_CHARACTERS)
        cut = cut if cut > 0 else start + PART_CHARACTERS
        yield paragraph[start:cut], False
        start = cut
    yield paragraph[start:], True


def write_page(file: IO[str], page: Page) -> None:
    """Append one page to a page file: JSON lines that a reader writes and the application reads."""
    file.write(json.dumps(asdict(page), ensure_ascii=False, separators=(",", ":")) + "\n")


def read_page_file(path: str | Path) -> Generator[Page, None, None]:
    """The pages in order, one in memory at a time, also while the file is being written."""
    with Path(path).open(encoding="utf-8", newline="\n") as file:
        for line in file:
            row = json.loads(line)
            row |= {name: tuple(row[name]) for name in ("paragraphs", "warnings")}
            yield Page(**{**row, "origin": Origin(row["origin"])})
