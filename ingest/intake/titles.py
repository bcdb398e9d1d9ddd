"""A title for a document that was uploaded without one: its first line if usable, else its file name."""

from __future__ import annotations

import posixpath

from sources.extraction.document import Page

SHORTEST, LONGEST = 3, 120
ENDS_OF_SENTENCES = tuple(".;:,")  # a title is no sentence, and not the beginning of a list


def title_from(page: Page | None, *, filename: str) -> str:
    first = next((line.strip() for line in page.paragraphs if line.strip()), "") if page else ""
    if SHORTEST <= len(first) <= LONGEST and "\t" not in first and not first.endswith(ENDS_OF_SENTENCES):
        return first
    return posixpath.splitext(filename)[0]
