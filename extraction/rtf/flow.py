"""Text of an RTF that is being written."""

from dataclasses import dataclass, field

from extraction.text.raised import joined


@dataclass(slots=True)
class Flow:
    """The document's, a note's or a text box's. `boxes` come behind their paragraph."""

    line: list[str] = field(default_factory=list)
    lines: list[str] = field(default_factory=list)
    boxes: list[str] = field(default_factory=list)

    def end_line(self) -> None:
        """A paragraph ends."""
        text = joined(self.line)
        self.line.clear()
        if text.strip():
            self.lines.append(text)
        self.lines += self.boxes
        self.boxes.clear()
