"""Lines rebuilt from glyph boxes."""

import random

import numpy as np
import pytest

from extraction.pdf.glyphs.lines import line_text, put_together, text_line
from extraction.pdf.glyphs.page_glyphs import GlyphLine
from extraction.pdf.text.brackets import BracketVote
from tests.extraction.pdf.making import Drawn, drawn, page_of

LETTERS = "אבגדהוזחט   abcXYZ  0123456789().,-–\"'[]«»%₪\u05b8\ufb2a\u05be"


def text_of(line: GlyphLine, vote: BracketVote | None = None) -> str:
    vote = vote or BracketVote()
    vote.count_pairs(line.characters.chars, line.characters.brackets)
    return line_text(line, vote, hebrew_page=True)[0]


def rebuilt(glyphs: list[Drawn], *, emitted: str = "", cells: bool = True) -> str:
    [line] = page_of(glyphs, emitted=emitted)
    put_together([line], cells=cells)
    return text_of(line)


def test_glyphs_in_any_order_make_the_same_line() -> None:
    glyphs = drawn("2024 תנשב אל")
    random.Random(7).shuffle(glyphs)
    assert rebuilt(glyphs) == "לא בשנת 2024"


def test_a_wide_gap_parts_cells() -> None:
    assert rebuilt(drawn("500\tסנק")) == "קנס\t500"


def test_a_wide_gap_inside_a_table_cell_is_a_space() -> None:
    assert rebuilt(drawn("500\tסנק"), cells=False) == "קנס 500"


def test_gaps_are_kept_with_their_places() -> None:
    [line] = page_of(drawn("ב\tא"))
    put_together([line])
    finished = text_line(line, BracketVote(), hebrew_page=True)
    assert finished.text == "א\tב"
    assert len(finished.gaps) == 1
    low, high = finished.gaps[0]
    assert line.left < low < high < line.right


def test_a_raised_small_digit_is_a_footnote_mark() -> None:
    mark = Drawn("2", left=97, right=100, bottom=505, top=511, place=900)
    assert rebuilt([*drawn("1999 תנש"), mark]) == "שנת 1999²"


def raised(text: str, *, left: float, share: float, above: float) -> list[Drawn]:
    """Small digits from left to right, as shares of the 10 points that the line's own are high."""
    bottom = 500 + 10 * above
    return [
        Drawn(digit, left + 3 * number, left + 3 * number + 3, bottom, bottom + 10 * share, 900 + number)
        for number, digit in enumerate(text)
    ]


def placed(glyphs: list[Drawn], place: int) -> list[Drawn]:
    return [glyph._replace(place=place + number) for number, glyph in enumerate(glyphs)]


@pytest.mark.parametrize(("share", "above"), [(0.6, 0.5), (0.83, 0.37)])
def test_raised_digits_stay_in_their_order_behind_what_they_touch(share: float, above: float) -> None:
    year, word = drawn("1999"), drawn("תנש", left=130)
    behind_year = [*year, *raised("12", left=year[-1].right, share=share, above=above)]
    behind_word = [*raised("13", left=word[0].left - 6, share=share, above=above), *word]
    assert rebuilt([*behind_year, *placed(word, 500)]) == "שנת 1999¹²"
    assert rebuilt(behind_word) == "שנת¹³"


def test_raised_digits_left_of_a_hebrew_number_stay_in_their_order() -> None:
    year = drawn("1999 תנש", left=130)
    marks = raised("127", left=year[0].left - 9, share=0.6, above=0.5)
    assert rebuilt([*placed(year, 500), *marks]) == "שנת 1999¹²⁷"
    assert rebuilt([*placed(drawn("1999 AB", left=130), 500), *marks]) == "¹²⁷1999 AB"


def test_a_raised_letter_stays_apart_from_its_number() -> None:
    number = drawn("75")
    behind = [*number, *raised("a", left=number[-1].right, share=0.6, above=0.5)]
    before = [*placed(number, 500), *raised("א", left=number[0].left - 3, share=0.6, above=0.5)]
    word = [*number, *raised("th", left=number[-1].right, share=0.6, above=0.5)]
    assert rebuilt([*behind, *placed(drawn("ףיעס", left=120), 500)]) == "סעיף 75ᵃ"
    assert rebuilt([*before, *placed(drawn("ףיעס", left=115), 600)]) == "סעיף 75^א"
    assert rebuilt(word) == "75th"


def test_a_digit_nearly_as_high_as_the_others_is_raised_only_far_above() -> None:
    number = drawn("735")
    assert rebuilt([*number, *raised("4", left=number[-1].right, share=0.9, above=0.1)]) == "7354"


def test_the_space_the_engine_saw_is_believed_over_a_narrow_gap() -> None:
    glyphs = [Drawn("ב", 100, 105, 500, 510, 2), Drawn("א", 105.4, 110, 500, 510, 0)]
    assert rebuilt(glyphs, emitted="א ב") == "א ב"
    assert rebuilt(glyphs, emitted="א\x01ב") == "אב"


def test_letter_spaced_headings_are_words() -> None:
    glyphs = []
    x = 100.0
    for place, char in enumerate("רבסה ירבד"):
        if char == " ":
            x += 12
            continue
        glyphs.append(Drawn(char, x, x + 5, 500, 510, place * 10))
        x += 8.5
    assert rebuilt(glyphs) == "דברי הסבר"


def test_points_hang_on_the_nearest_letter() -> None:
    glyphs = drawn("םולש")
    shin = glyphs[-1]
    point = shin._replace(char="\u05b8", left=shin.left + 2, right=shin.left + 3, place=900)
    assert rebuilt([*glyphs, point]) == "ש\u05b8לום"


def test_points_alone_are_no_text() -> None:
    point = Drawn("\u05b8", 100, 101, 400, 410, 0)
    bare, line = page_of([point], drawn("םולש"))
    put_together([bare, line])
    assert (text_of(bare), text_of(line)) == ("", "שלום")


def test_a_letter_with_a_dot_in_one_is_a_letter_and_its_dot() -> None:
    assert rebuilt(drawn("םול\ufb2a")) == "ש\u05c1לום"


def test_brackets_of_a_page_are_turned_by_its_own_vote() -> None:
    vote = BracketVote()
    lines = page_of(drawn(")א(15 ףיעס"), drawn(")א(15 ףיעס", bottom=480))
    put_together(lines)
    assert [text_of(line, vote) for line in lines] == ["סעיף 15(א)"] * 2


def scattered(seed: int) -> list[list[Drawn]]:
    """Lines of characters emitted in any order, with gaps of all widths and digits of two sizes."""
    chooser = random.Random(seed)
    lines = []
    for number in range(12):
        chars = chooser.choices(LETTERS, k=chooser.randrange(1, 60))
        places = list(range(len(chars)))
        chooser.shuffle(places)
        x, glyphs = 50.0, []
        for char, place in zip(chars, places, strict=True):
            small = char.isdigit() and chooser.random() < 0.3
            low = 700.0 - 20 * number + (4 if small else 0)
            glyphs.append(Drawn(char, x, x + 5, low, low + (6 if small else 10 + chooser.random()), place))
            x += 5 + chooser.choice([-2, 0, 0, 0, 0.5, 1.1, 1.6, 2.2, 3, 20])
        lines.append([glyph for glyph in glyphs if glyph.char != " "] or drawn("א"))
    return lines


@pytest.mark.parametrize("seed", range(30))
def test_a_line_of_a_page_reads_as_it_does_alone(seed: int) -> None:
    rows = scattered(seed)
    together = page_of(*rows)
    put_together(together)
    for line, glyphs in zip(together, rows, strict=True):
        [alone] = page_of(glyphs)
        put_together([alone])
        assert line.characters == alone.characters
        assert line.widest_gap == alone.widest_gap
        assert len(str(line.characters.chars)) > 0


@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_a_piece_that_lies_on_its_side_is_laid_level(quarters: int) -> None:
    [line] = page_of(drawn("א"))
    page = line.page
    left, right, bottom, top = (float(side[0]) for side in (page.left, page.right, page.bottom, page.top))
    page.turn(0, quarters)
    level = {
        1: (bottom, top, -right, -left),
        2: (-right, -left, -top, -bottom),
        3: (-top, -bottom, left, right),
    }[quarters]
    assert tuple(float(side[0]) for side in (page.left, page.right, page.bottom, page.top)) == level


@pytest.mark.parametrize("seed", range(10))
def test_edges_of_a_piece_are_those_of_its_line(seed: int) -> None:
    page = page_of(*scattered(seed))[0].page
    for number, extent in enumerate(page.extents()):
        alone = page.line_of(np.array([number]))
        assert (alone.left, alone.right, alone.bottom, alone.top) == (
            extent.left,
            extent.right,
            extent.bottom,
            extent.top,
        )
