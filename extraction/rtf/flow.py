"""Text of an RTF that is being written."""

import re
from dataclasses import dataclass, field

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


def _paired(text: str) -> str:
    """The text with each character that was written by the two halves of its number."""
    if not _HALVES.search(text):
        return text
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
