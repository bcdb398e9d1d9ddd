"""Visual order to reading order, line by line."""

import pytest

from extraction.text.bidi import logical, reads_left_to_right, turn_mirrored_runs
from extraction.text.characters import KIND


def kinds(text: str) -> bytes:
    return bytes(KIND[char] for char in text)


def read(visual: str) -> str:
    return logical(list(visual), kinds(visual))


@pytest.mark.parametrize(
    ("visual", "expected"),
    [
        ("םולש", "שלום"),
        ('2011-א"עשתה ,קוח', 'חוק, התשע"א-2011'),
        ("(4)(ב)15 ףיעס", "סעיף 15(ב)(4)"),
        (".1,250.50 לש סנק", "קנס של 1,250.50."),
        ("20% דע 5-מ", "מ-5 עד 20%"),
        ("₪100 לש םוכס", "סכום של ₪100"),
        ("[חלש] (אלמ)", "(מלא) [שלח]"),
    ],
)
def test_numbers_and_brackets_of_hebrew_come_in_reading_order(visual: str, expected: str) -> None:
    assert read(visual) == expected


@pytest.mark.parametrize("visual", ["םולש\t5 ףיעס\tWorld Bank (2)", '2011-א"עשתה ,קוח', "15 mg", "(אלמ)", "\t", ""])
def test_a_line_reads_the_same_as_one_string_or_many(visual: str) -> None:
    assert logical(visual, kinds(visual)) == read(visual)


def test_letter_keeps_its_points_when_the_line_is_turned_round() -> None:
    assert logical(["5", " ", "ם", "וֹ", "ל", "שָׁ"], kinds("5 םולש")) == "שָׁלוֹם 5"


def test_cells_of_a_hebrew_row_are_read_from_right_to_left() -> None:
    assert read("12\tWorld\tטירפ") == "פריט\tWorld\t12"


@pytest.mark.parametrize(
    ("visual", "expected"),
    [
        ("דבלב World Bank לש חוד", "דוח של World Bank בלבד"),
        ("A4 רייניב", "בינייר A4"),
        ("ISO 9001 ןקת", "תקן ISO 9001"),
        ("לקשמב mg 15 לש הנמ", "מנה של 15 mg במשקל"),
        (".Acme Ltd. תרבח", "חברת Acme Ltd.."),
        ("name@court.example תבותכל", "לכתובת name@court.example"),
    ],
)
def test_latin_phrases_of_a_hebrew_line_stay_as_they_are_seen(visual: str, expected: str) -> None:
    assert read(visual) == expected


def test_a_bracketed_latin_phrase_keeps_its_brackets_round_it() -> None:
    assert read("(Basel III) לזאב ללכ") == "כלל באזל (Basel III)"


def test_cells_are_read_from_the_right() -> None:
    assert read("200\tסנק") == "קנס\t200"


def test_a_latin_list_written_right_to_left_keeps_its_order() -> None:
    assert read("B ,A םיגוס") == "סוגים A, B"


def test_points_stay_on_their_letters_when_a_line_is_turned() -> None:
    assert logical(["ם", "ו\u05b9", "ל", "ש\u05c1\u05b8"], kinds("םולש")) == "ש\u05c1\u05b8לו\u05b9ם"


def test_an_english_line_on_a_hebrew_page_reads_left_to_right() -> None:
    text = "The board shall meet, when required."
    assert reads_left_to_right(list(text), kinds(text))


def test_signs_glued_to_the_wrong_side_show_a_line_of_hebrew_typesetting() -> None:
    text = ".A4 ,B5 ,C6"
    assert not reads_left_to_right(list(text), kinds(text))


def test_number_in_brackets_alone_belongs_to_hebrew_around_it() -> None:
    assert not reads_left_to_right(list("(12)"), kinds("(12)"))


def test_digits_of_a_mirrored_layer_are_turned_back() -> None:
    chars, found = turn_mirrored_runs("2991A תנש", kinds("2991A תנש"))
    assert ("".join(chars), found) == ("A1992 תנש", kinds("A1992 תנש"))
