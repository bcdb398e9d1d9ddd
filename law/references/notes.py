"""Notes on the history of provisions, which publishers print below them."""

import re
from bisect import bisect_right

from law.languages import LANGUAGES
from law.languages.scripts import either
from law.patterns import regex
from law.references.places import ProvisionIndex

_WORDS = either(word for language in LANGUAGES for word in language.unread.notes)
_BEGINS = regex(rf"^[ \t\[(]*{_WORDS}(?:(?P<head>[ .:]*$)|[.:]|--|—|(?= (?:by )?[\d(]))", re.IGNORECASE | re.MULTILINE)


class NoteIndex:
    """Where those of a folded text are: lines that begin like one, and what stands below a heading of them."""

    def __init__(self, text: str, places: ProvisionIndex) -> None:
        self._spans: list[tuple[int, int]] = []
        for line in _BEGINS.finditer(text):
            end = text.find("\n", line.end())
            section = places.section(line.start())
            if line["head"] is not None and section and places.folded.place(section.span_start) < line.start():
                end = places.folded.place(section.span_end)
            self._spans.append((line.start(), end if end >= 0 else len(text)))
        self._starts = [start for start, _ in self._spans]

    def hold(self, place: int) -> bool:
        """Whether the place is in one."""
        index = bisect_right(self._starts, place) - 1
        return index >= 0 and place < self._spans[index][1]
