"""Lines of a page put together in one go are as those put together glyph by glyph."""

from __future__ import annotations

import random

import numpy as np
import pytest

from sources.extraction.pdf.glyphs.line_characters import set_line_characters
from sources.extraction.pdf.glyphs.lines import visual_line
from sources.extraction.pdf.glyphs.model import GlyphLine
from sources.extraction.pdf.glyphs.page_glyphs import PageGlyphs
from sources.extraction.pdf.text.brackets import BracketVote
from sources.extraction.pdf.text.page_text import PageText

LETTERS = "אבגדהוזחט   abcXYZ  0123456789().,-–\"'[]«»%₪\u200f"
RARE = "\u05b8\ufb2a\u05be"  # a point, a letter with a dot, maqaf


def page_of(seed: int, *, letters: str) -> tuple[PageGlyphs, list[GlyphLine], str]:
    """Lines of characters in any order, with gaps of all widths and digits of two sizes."""
    chooser = random.Random(seed)
    lines = ["".join(chooser.choices(letters, k=chooser.randrange(1, 60))) for _ in range(12)]
    text = "\r\n".join(lines)
    boxes = np.zeros((len(text), 4), dtype=np.float32)
    pieces, at = [], 0
    for number, line in enumerate(lines):
        places = list(range(at, at + len(line)))
        pieces.append((at, at + len(line)))
        chooser.shuffle(places)
        x, bottom = 50.0, 700.0 - 20 * number
        for place in places:
            small = text[place].isdigit() and chooser.random() < 0.3
            low, high = (bottom + 4, bottom + 10) if small else (bottom, bottom + 10 + chooser.random())
            boxes[place] = (x, high, x + 5, low)  # left, top, right, bottom
            x += 5 + chooser.choice([-2, 0, 0, 0, 0.5, 1.1, 1.6, 2.2, 3, 20])
        at += len(line) + 2
    known = PageText(text)
    page = PageGlyphs(known.codes, known.flags, pieces, boxes_at=lambda places: boxes[places])
    page.fonts = {place: place % 3 for place in page.bracket_places()}
    found = [
        GlyphLine(
            left=extent.left,
            right=extent.right,
            bottom=extent.bottom,
            top=extent.top,
            size=10.0,
            baseline=extent.bottom,
            mirrored=False,
            aside=False,
            page=page,
            start=start,
            end=end,
        )
        for (start, end), extent in zip(page.bounds, page.extents(), strict=True)
    ]
    set_line_characters(page, found)
    return page, found, text


@pytest.mark.parametrize("seed", range(30))
def test_a_line_of_a_page_reads_as_it_does_alone(seed: int) -> None:
    _, lines, text = page_of(seed, letters=LETTERS)
    for line in lines:
        alone = GlyphLine.of(line.glyphs, size=line.size, baseline=line.baseline)
        together, apart = (
            visual_line(one, emitted=text, hebrew_page=True, vote=BracketVote()) for one in (line, alone)
        )
        assert line.characters is not None
        assert (list(together.chars), list(together.kinds)) == (list(apart.chars), list(apart.kinds))
        assert (together.brackets, together.gaps, together.is_latin) == (apart.brackets, apart.gaps, apart.is_latin)
        assert together.text(BracketVote()) == apart.text(BracketVote())


@pytest.mark.parametrize("seed", range(10))
def test_edges_and_tallest_glyph_of_a_line_are_those_of_its_glyphs(seed: int) -> None:
    _, lines, _ = page_of(seed, letters=LETTERS + RARE)
    for line in lines:
        alone = GlyphLine.of(line.glyphs)
        assert (line.left, line.right, line.bottom, line.top) == (alone.left, alone.right, alone.bottom, alone.top)


def test_lines_with_marks_are_left_to_be_put_together_glyph_by_glyph() -> None:
    _, lines, _ = page_of(1, letters=RARE)
    marked = [line for line in lines if any(glyph.char in "\u05b8שּׁ" for glyph in line.glyphs)]
    assert marked
    assert all(line.characters is None for line in marked)


@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_a_piece_that_lies_on_its_side_is_laid_level(quarters: int) -> None:
    page, lines, _ = page_of(5, letters=LETTERS)
    before = lines[3].glyphs
    page.turn(3, quarters)
    start, end = page.bounds[3]
    for old, new in zip(before, page.glyphs(start, end), strict=True):
        left, right, bottom, top = old[:4]
        level = {
            1: (bottom, top, -right, -left),
            2: (-right, -left, -top, -bottom),
            3: (-top, -bottom, left, right),
        }[quarters]
        assert new[:4] == level
