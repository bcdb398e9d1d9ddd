"""Pages as JSON lines in a file, written by the reader and read by the application."""

from __future__ import annotations

import json
from collections.abc import Generator
from dataclasses import asdict
from pathlib import Path
from typing import IO

from sources.extraction.document import Origin, Page


def write_page(file: IO[str], page: Page) -> None:
    """Append one page."""
    file.write(json.dumps(asdict(page), ensure_ascii=False, separators=(",", ":")) + "\n")


def read_page_file(path: str | Path) -> Generator[Page, None, None]:
    """The pages in order, one in memory at a time, also while the file is being written."""
    with Path(path).open(encoding="utf-8", newline="\n") as file:
        for line in file:
            row = json.loads(line)
            row |= {name: tuple(row[name]) for name in ("paragraphs", "warnings")}
            yield Page(**{**row, "origin": Origin(row["origin"])})
