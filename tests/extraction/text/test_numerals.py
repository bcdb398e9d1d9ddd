"""Numerals as lists print them."""

import pytest

from extraction.text.numerals import (
    hebrew_letters,
    hebrew_number,
    latin_letters,
    number_in_words,
    ordinal,
    ordinal_in_words,
    roman,
)


@pytest.mark.parametrize(
    ("number", "written"),
    [(1, "א"), (10, "י"), (11, "יא"), (15, "טו"), (16, "טז"), (17, "יז"), (99, "צט"), (116, "קטז"), (500, "תק")],
)
def test_hebrew_numbers_are_gematria(number: int, written: str) -> None:
    assert hebrew_number(number) == written


def test_letters_double_after_the_last() -> None:
    assert [hebrew_letters(number) for number in (1, 22, 23)] == ["א", "ת", "אא"]
    assert [latin_letters(number) for number in (1, 26, 27, 28)] == ["a", "z", "aa", "bb"]


def test_roman_numbers_subtract() -> None:
    assert [roman(number) for number in (4, 9, 14, 40, 1994)] == ["iv", "ix", "xiv", "xl", "mcmxciv"]


def test_damaged_counters_do_not_print_without_end() -> None:
    assert all(len(write(32_767)) <= 40 for write in (hebrew_number, hebrew_letters, latin_letters, roman))
    assert hebrew_number(-1) == "-1"


def test_numbers_are_written_in_english_words() -> None:
    assert [number_in_words(number) for number in (1, 13, 42, 100)] == ["one", "thirteen", "forty-two", "100"]
    assert [ordinal(number) for number in (1, 2, 3, 11, 112, 23)] == ["1st", "2nd", "3rd", "11th", "112th", "23rd"]
    wanted = {1: "first", 8: "eighth", 12: "twelfth", 20: "twentieth", 31: "thirty-first", 100: "100th"}
    assert {number: ordinal_in_words(number) for number in wanted} == wanted
