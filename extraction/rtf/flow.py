"""Text of an RTF that is being written, and what the file says of it until a group ends."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace

from extraction.document import LostWhat
from extraction.rtf.words import MOVED, MOVED_FROM, PLACES
from extraction.text.raised import joined

_HALVES = re.compile("[\ud800-\udbff][\udc00-\udfff]")


@dataclass(slots=True)
class Flow:
    """The document's, a note's or a text box's. `boxes` come behind their paragraph.

    `has_label`: the file itself gives the number of the paragraph. `is_numbered`: that is written, or counted.
    """

    line: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    boxes: list[str] = field(default_factory=list)
    has_label: bool = False
    is_numbered: bool = False

    def end_line(self) -> None:
        """A paragraph ends."""
        text = _paired(joined(self.line))
        self.line.clear()
        if text.strip():
            self.lines.append(text)
        self.lines += self.boxes
        self.boxes.clear()


@dataclass(frozen=True, slots=True)
class RtfGroup:
    """`uncounted`: characters to skip after one that is given by its number. `list_id` and `level`: of paragraphs."""

    skipped: bool = False
    lost: LostWhat | None = None
    first_page: bool = False
    captured: str = ""
    hidden: bool = False
    deleted: bool = False
    in_fonts: bool = False
    in_label: bool = False
    is_note: bool = False
    is_endnote: bool = False
    is_box: bool = False
    is_instruction: bool = False
    is_twofold: bool = False
    uncounted: int = 1
    font: int = -1
    place: type[str] = str
    list_id: int = 0
    level: int = 0

    def after(self, word: str, number: int, *, is_off: bool) -> RtfGroup | None:
        """The group after a word of its text's look or of its place in a list. None for another word."""
        match word:
            case "v":
                return replace(self, hidden=not is_off)
            case "deleted":
                return replace(self, deleted=not is_off)
            case "plain":
                return replace(self, hidden=False, deleted=False, place=str)
            case "uc":
                return replace(self, uncounted=max(number, 0))
            case "ls":
                return replace(self, list_id=number)
            case "ilvl":
                return replace(self, level=number)
            case "ftnalt":
                return replace(self, is_endnote=True)
            case "f":
                return replace(self, font=number)
            case _ if word in PLACES:
                is_moved = word not in MOVED or number < 0 or number >= MOVED_FROM
                return replace(self, place=PLACES[word] if is_moved else str)
        return None


def _paired(text: str) -> str:
    """The text with each character that was written by the two halves of its number."""
    if not _HALVES.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
