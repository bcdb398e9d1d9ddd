"""Skips tables of contents: their lines look like sections and are none."""

import re

from law.structure.headings import is_contents_title
from law.structure.numbers import read_label

_LINES = 2_000  # a table of contents that has not ended by then was none
_LONG_LINE = 200
_SENTENCE = re.compile(r"\w[\"'”“״)\]]{0,2}[.;:]$")
_SENTENCE_WORDS = 4
_PAGE = re.compile(r"[\s.…]*\d*$")
_WORDS = re.compile(r"\w+")


class Contents:
    """Knows whether the stream is inside a table of contents."""

    def __init__(self) -> None:
        self._left = 0
        self._first = ""

    def holds(self, text: str, following: str) -> bool:
        """Is the line part of a table of contents? It ends where its first entry stands again, or prose begins.

        Where the line after the first entry is a sentence, the table was lost and only its title is left.
        """
        if is_contents_title(text):
            self._left, self._first = _LINES, ""
            return True
        if not self._left:
            return False
        if not self._first and _is_sentence(following):
            self._left = 0
            return False
        entry = " ".join(_WORDS.findall(_PAGE.sub("", text)))
        if len(text) > _LONG_LINE or (self._first and entry and _same_entry(entry, self._first)):
            self._left = 0
            return False
        self._first = self._first or entry
        self._left -= 1
        return True


def _is_sentence(text: str) -> bool:
    return bool(_SENTENCE.search(text)) and len(text.split()) >= _SENTENCE_WORDS and read_label(text) is None


def _same_entry(one: str, other: str) -> bool:
    shorter, longer = sorted((one, other), key=len)
    return longer == shorter or longer.startswith(shorter + " ")
