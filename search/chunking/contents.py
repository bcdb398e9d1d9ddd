"""Skips tables of contents: their lines look like sections and are none."""

from __future__ import annotations

import re

from search.chunking.headings import is_contents_title

_LINES = 2_000  # a table of contents that has not ended by then was none
_LONG_LINE = 200
_PAGE = re.compile(r"[\s.…]*\d*$")
_WORDS = re.compile(r"\w+")


class Contents:
    """Knows whether the stream is inside a table of contents."""

    def __init__(self) -> None:
        self._left = 0
        self._first = ""

    def holds(self, text: str) -> bool:
        """Is the line part of a table of contents? It ends where its first entry stands again, or prose begins."""
        if is_contents_title(text):
            self._left, self._first = _LINES, ""
            return True
        if not self._left:
            return False
        entry = " ".join(_WORDS.findall(_PAGE.sub("", text)))
        if len(text) > _LONG_LINE or (self._first and entry and _same_entry(entry, self._first)):
            self._left = 0
            return False
        self._first = self._first or entry
        self._left -= 1
        return True


def _same_entry(one: str, other: str) -> bool:
    shorter, longer = sorted((one, other), key=len)
    return longer == shorter or longer.startswith(shorter + " ")
