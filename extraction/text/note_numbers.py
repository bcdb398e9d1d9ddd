"""The marks of footnotes and endnotes as Word counts them, which DOCX and RTF define alike."""

from collections.abc import Mapping
from typing import Any, NamedTuple

from extraction.text.numerals import in_format
from extraction.text.raised import note_mark

FOOTNOTES, ENDNOTES = "footnotes", "endnotes"


class NoteFormat(NamedTuple):
    """How marks are written, the first number, and whether each section begins with it."""

    format: str = "decimal"
    start: int = 1
    restarts: bool = False


USUAL: Mapping[str, NoteFormat] = {FOOTNOTES: NoteFormat(), ENDNOTES: NoteFormat("lowerRoman")}


class NoteNumbers:
    """Counts both kinds. Where numbers begin anew on each page they go on here, as pages are not known."""

    def __init__(self, formats: Mapping[str, NoteFormat] = USUAL) -> None:
        self._formats = dict(formats)
        self._next: dict[str, int] = {}  # of the kinds that were counted, in this section where they begin anew

    def mark(self, kind: str) -> str:
        """The mark of the next note of the kind."""
        format = self._formats[kind]
        number = self._next.get(kind, format.start)
        self._next[kind] = number + 1
        return note_mark(in_format(number, format.format))

    def describe(self, kind: str, **said: Any) -> None:
        """What is said of a kind from here on."""
        self._formats[kind] = self._formats[kind]._replace(**said)

    def end_section(self, following: Mapping[str, NoteFormat]) -> None:
        """A section ends. `following`: what is said of the next one."""
        self._formats.update(following)
        self._next = {kind: number for kind, number in self._next.items() if not self._formats[kind].restarts}
