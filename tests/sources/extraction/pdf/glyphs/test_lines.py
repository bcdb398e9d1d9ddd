"""Lines rebuilt from glyph boxes."""

from __future__ import annotations

import random

from sources.extraction.pdf.glyphs.lines import visual_line
from sources.extraction.pdf.glyphs.model import Glyph, GlyphLine
from sources.extraction.pdf.text.brackets import BracketVote
from sources.extraction.pdf.text.characters import KIND
from tests.sources.extraction.pdf.making import line_of_glyphs


def rebuilt(
    line: GlyphLine, *, hebrew_page: bool = True, emitted: str = "", vote: BracketVote | None = None, cells: bool = True
) -> str:
    vote = vote or BracketVote()
    return visual_line(line, emitted=emitted, hebrew_page=hebrew_page, vote=vote, cells=cells).text(vote)


def test_glyphs_in_any_order_make_the_same_line() -> None:
    line = line_of_glyphs("2024 תנשב אל")
    random.Random(7).shuffle(line.glyphs)
    assert rebuilt(line) == "לא בשנת 2024"


def test_a_wide_gap_parts_cells() -> None:
    assert rebuilt(line_of_glyphs("500\tסנק")) == "קנס\t500"


def test_a_wide_gap_inside_a_table_cell_is_a_space() -> None:
    assert rebuilt(line_of_glyphs("500\tסנק"), cells=False) == "קנס 500"


def test_gaps_are_kept_with_their_places() -> None:
    vote = BracketVote()
    line = line_of_glyphs("ב\tא")
    finished = visual_line(line, emitted="", hebrew_page=True, vote=vote).finished(vote)
    assert finished.text == "א\tב"
    assert len(finished.gaps) == 1
    low, high = finished.gaps[0]
    assert line.left < low < high < line.right


def test_a_raised_small_digit_is_a_footnote_mark() -> None:
    line = line_of_glyphs("1999 תנש")
    mark = Glyph(line.left - 3, line.left, line.bottom + 5, line.bottom + 11, "2", KIND["2"], 900)
    line.glyphs.append(mark)
    assert rebuilt(line) == "שנת 1999²"


def test_the_space_the_engine_saw_is_believed_over_a_narrow_gap() -> None:
    glyphs = [
        Glyph(100, 105, 500, 510, "ב", KIND["ב"], 2),
        Glyph(105.4, 110, 500, 510, "א", KIND["א"], 0),
    ]
    assert rebuilt(GlyphLine.of(glyphs), emitted="א ב") == "א ב"
    assert rebuilt(GlyphLine.of(glyphs), emitted="אxב") == "אב"


def test_letter_spaced_headings_are_words() -> None:
    glyphs = []
    x = 100.0
    for place, char in enumerate("רבסה ירבד"):
        if char == " ":
            x += 12
            continue
        glyphs.append(Glyph(x, x + 5, 500, 510, char, KIND[char], place * 10))
        x += 8.5
    assert rebuilt(GlyphLine.of(glyphs)) == "דברי הסבר"


def test_points_hang_on_the_nearest_letter() -> None:
    line = line_of_glyphs("םולש")
    shin = next(glyph for glyph in line.glyphs if glyph.char == "ש")
    line.glyphs.append(shin._replace(char="\u05b8", kind=KIND["\u05b8"], left=shin.left + 2, right=shin.left + 3))
    assert rebuilt(line) == "ש\u05b8לום"


def test_brackets_of_a_page_are_turned_by_its_own_vote() -> None:
    vote = BracketVote()
    lines = [visual_line(line_of_glyphs(")א(15 ףיעס"), emitted="", hebrew_page=True, vote=vote) for _ in range(2)]
    assert [line.text(vote) for line in lines] == ["סעיף 15(א)"] * 2
