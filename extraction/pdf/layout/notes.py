"""Puts the notes of a margin among the lines of the text: each before what it stands beside."""

from collections.abc import Sequence
from dataclasses import replace

from extraction.pdf.glyphs.model import TextLine
from extraction.pdf.text.legal_marks import begins_section

NEXT_LINE = 1.7  # sizes between the lines of one note
LEVEL = 0.4  # sizes between the baselines of what stands side by side ...
SAME_LINE = 0.15  # ... and of a note and the section that it begins beside, right below another note
NEAR_SECTION = 1.4  # sizes by which a note may stand off the first line of its section


def with_notes_in_place(lines: Sequence[TextLine], notes: Sequence[TextLine]) -> list[TextLine]:
    """All lines in reading order. What stands above or below the text is no note."""
    sections = [line for line in lines if begins_section(line.text)]
    placed: dict[int, list[TextLine]] = {}
    place, before = 0, None
    for note in sorted(notes, key=lambda line: -line.baseline):
        beside = _nearest(note, sections, SAME_LINE)
        if before is None or beside or note.baseline < before.baseline - NEXT_LINE * before.size:
            beside = beside or _nearest(note, lines, LEVEL)
            is_note = beside is not None
            beside = _nearest(note, sections, NEAR_SECTION) or beside
            place = lines.index(beside) if beside else _below(note, lines)
        placed.setdefault(place, []).append(replace(note, note=is_note))
        before = note
    return [one for place in range(len(lines) + 1) for one in (*placed.get(place, ()), *lines[place : place + 1])]


def _nearest(note: TextLine, lines: Sequence[TextLine], sizes: float) -> TextLine | None:
    near = [line for line in lines if abs(line.baseline - note.baseline) <= sizes * max(line.size, note.size)]
    return min(near, key=lambda line: abs(line.baseline - note.baseline), default=None)


def _below(note: TextLine, lines: Sequence[TextLine]) -> int:
    return next((place for place, line in enumerate(lines) if line.baseline < note.baseline), len(lines))
