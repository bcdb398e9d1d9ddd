"""Notes on the history of provisions, which publishers print below them."""

import re
from collections.abc import Iterator

from law.languages import LANGUAGES
from law.languages.scripts import either
from law.patterns import regex
from law.references.places import ProvisionIndex
from law.structure.lines.quoted import Spans

_WORDS = either(word for language in LANGUAGES for word in language.unread.notes)
_BEGINS = regex(rf"^[ \t\[(]*{_WORDS}(?:(?P<head>[ .:]*$)|[.:]|--|—|(?= (?:by )?[\d(]))", re.IGNORECASE | re.MULTILINE)


def find_notes(text: str, places: ProvisionIndex) -> Spans:
    """Where those of a folded text are: lines that begin like one, and what stands below a heading of them."""
    return Spans(_notes(text, places))


def _notes(text: str, places: ProvisionIndex) -> Iterator[tuple[int, int]]:
    for line in _BEGINS.finditer(text):
        end = text.find("\n", line.end())
        section = places.section(line.start())
        if line["head"] is not None and section and places.folded.place(section.span_start) < line.start():
            end = places.folded.place(section.span_end)
        yield line.start(), end if end >= 0 else len(text)
