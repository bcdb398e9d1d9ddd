"""A title for a document whose uploader gave none: its first line when that can be one, else its file's name."""

from __future__ import annotations

import posixpath

from sources.extraction.document import Page

LONGEST = 200


def title_from(page: Page | None, *, filename: str) -> str:
    first = next((line.strip() for line in page.paragraphs if line.strip()), "") if page else ""
    if 3 <= len(first) <= LONGEST and "\t" not in first:
        return first
    return posixpath.splitext(filename)[0]
