"""Pages as JSON lines in a file, written by the reader and read by the application."""

from __future__ import annotations

import json
from collections.abc import Generator
from pathlib import Path
from typing import IO

from sources.extraction.document import Origin, Page


def write_page(file: IO[str], page: Page) -> None:
    """Append one page."""
    row = {
        "number": page.number,
        "paragraphs": page.paragraphs,
        "continues": page.continues,
        "origin": page.origin,
        "warnings": page.warnings,
    }
    file.write(json.dumps(row, ensure_ascii=False, separators=(",", ":")) + "\n")


def read_page_file(path: str | Path) -> Generator[Page, None, None]:
    """The pages in order, one in memory at a time, also while the file is being written."""
    with Path(path).open(encoding="utf-8", newline="\n") as file:
        for line in file:
            row = json.loads(line)
            yield Page(
                number=row["number"],
                paragraphs=tuple(row["paragraphs"]),
                continues=row["continues"],
                origin=Origin(row["origin"]),
                warnings=tuple(row["warnings"]),
            )
