"""What leaves the readers can be stored and shown."""

from hypothesis import given
from hypothesis import strategies as st

from extraction.document import Page, TextOrigin
from extraction.text.cleaning import clean_lines, clean_page


def test_junk_goes_and_words_stay() -> None:
    dirty = "\ufeffחו\u00adק\x00 ה\u200fחוזים\u202c \ue001\ud800(חלק\xa0 כללי)\x07"
    assert list(clean_lines(dirty)) == ["חוק החוזים (חלק כללי)"]


def test_letters_that_are_drawn_as_one_are_those_they_stand_for() -> None:
    assert list(clean_lines("o\ufb03ce \ufb01les \ufb21ב \ufb4fהים 10⁶ ½")) == ["office files אב אלהים 10⁶ ½"]


def test_commands_to_a_terminal_are_no_text() -> None:
    assert list(clean_lines("\x1b[1mSection 5\x1b[0m the \x1b[0;31mkeeper")) == ["Section 5 the keeper"]


def test_line_breaks_of_every_kind_make_lines() -> None:
    assert list(clean_lines("a\r\nb\rc\nd\x0be\x0cf\x85g\u2028h\u2029\n\ni")) == list("abcdefghi")


def test_tabs_part_cells_also_empty_ones() -> None:
    assert list(clean_lines("\tב \t\tד")) == ["\tב \t\tד"]


def test_joiners_stay_where_they_are_parts_of_letters() -> None:
    words = "\u200dגש\u200dר br\u200cidge 12\u200d \u200d3 نامه\u200cها क्\u200dष 👩\u200d⚖"
    assert list(clean_lines(words)) == ["גשר bridge 12 3 نامه\u200cها क्\u200dष 👩\u200d⚖"]


def test_niqqud_stays_in_one_normal_form() -> None:
    assert list(clean_lines("\ufb2aם")) == ["ש\u05c1ם"]


def test_page_keeps_what_is_not_text() -> None:
    page = Page(number=3, paragraphs=("a\x00", "\u200f"), continues=True, origin=TextOrigin.OCR, warnings=("w",))
    assert clean_page(page) == Page(number=3, paragraphs=("a",), continues=True, origin=TextOrigin.OCR, warnings=("w",))


@given(st.text(alphabet=st.characters()))
def test_any_text_is_encodable_and_cleaning_twice_adds_nothing(text: str) -> None:
    lines = list(clean_lines(text))
    assert all("\x00" not in line and line.encode() and line.strip() for line in lines)
    assert [again for line in lines for again in clean_lines(line)] == lines


def test_clean_text_is_told_as_by_looking_at_each_character() -> None:
    for char in map(chr, range(0x10000)):
        text = f"a{char} b{char}"
        looked_at = f"{text}\u200b"  # which goes, but tells that the text is not clean
        assert list(clean_lines(text)) == list(clean_lines(looked_at)), f"U+{ord(char):04X}"


def test_a_letter_keeps_no_more_marks_than_can_be_put_in_order_at_once() -> None:
    runs = ("\u0316\u0300" * 200_000, "\U0001e8d0\u0300" * 200_000)  # sorting either whole would take minutes
    for run in runs:
        (line,) = clean_lines(f"שלום{run}! e\u0301")
        assert len(line) == len("שלום") + 30 + len("! é")
        assert line.endswith("! é")
