"""What is known of the characters of a page."""

import pytest

from extraction.pdf.text.page_text import HEBREW_LETTER, IMPLAUSIBLE, JUNK, LETTER, PageText


@pytest.mark.parametrize(
    ("flag", "text", "count"),
    [
        (LETTER, "שלום and 12, כ״ב", 9),
        (HEBREW_LETTER, "שלום and ﬡ 12", 5),
        (JUNK, "a\x01\ue000\x0b b\ufffd", 3),  # a vertical tab is white space
        (IMPLAUSIBLE, "é 漢字\t(ב) “x”", 2),
    ],
)
def test_characters_of_a_sort_are_counted(flag: int, text: str, count: int) -> None:
    assert PageText(text).count(flag) == count


def test_white_space_is_not_printed() -> None:
    assert PageText("a \u00a0\r\n\tב.").printed == 3


def test_hebrew_under_latin_names_gets_its_own() -> None:
    text = PageText("הוראות אלה חלות".encode("cp1255").decode("latin-1"))
    assert text.is_disguised
    assert text.undisguised().text == "הוראות אלה חלות"


@pytest.mark.parametrize("text", ["", "état, déjà vu", "שלום àáâãäå"])
def test_other_text_stays_as_it_is(text: str) -> None:
    assert PageText(text).undisguised().text == text
