"""The spelling gate."""

import pytest

from extraction.pdf.page_reader import is_misspelt, misspelt_lines

RIGHT = [
    "בעל רישיון ידווח למפקח בתוך שלושים ימים מיום קבלת ההחלטה.",
    'תקנות בדבר שמירת מסמכים, התשפ"ד-2024',
    "(א) לא ישנה אדם את תנאי ההיתר, אלא באישור.",
    "This line has no Hebrew at all.",
]


@pytest.mark.parametrize("line", RIGHT)
def test_correct_lines_pass(line: str) -> None:
    assert not is_misspelt(line)


@pytest.mark.parametrize("line", [line for line in RIGHT if "ם" in line])
def test_reversed_lines_are_caught(line: str) -> None:
    assert is_misspelt(line[::-1])


def test_a_final_letter_inside_a_word_is_caught() -> None:
    assert is_misspelt("הםפקח הורה על כך")


def test_scattered_letters_are_caught() -> None:
    assert is_misspelt("בע ל ר ישיון ידו ו ח למפ ק ח בתו ך שלושי ם ימים")


def test_list_letters_are_no_scattered_letters() -> None:
    assert not is_misspelt("חלק א של התוספת חל על בעל רישיון ועל מי שפועל מטעמו")


def test_lines_are_counted() -> None:
    assert misspelt_lines([RIGHT[0], RIGHT[0][::-1]]) == 1
