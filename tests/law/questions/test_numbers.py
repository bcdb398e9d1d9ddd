"""Which numbers of a text count something."""

import pytest

from law.questions.numbers import find_numbers, has_number


@pytest.mark.parametrize(
    ("text", "has"),
    [
        ("בתוך שלושים ימים", True),
        ("קנס של 250 שקלים", True),
        ("at least fourteen days", True),
        ("an amount of US$150,000", True),
        ("הם מהווים כ-96 ממסת הגוף", True),
        ("הוקמה ב-1998 על פי סעיפים 5 ו-6", False),
        ("(2) המנהל רשאי לסרב", False),
        ("7. על פי סעיף 12(א) לחוק הבנקים, התשכ״ח–1968", False),
        ("3.2.1 A person under Rule 3.3.4 may refuse", False),
        ("a school within the meaning of 42 U.S.C. § 1751", False),
    ],
)
def test_a_number_is_not_that_of_a_section_or_a_year(text: str, has: bool) -> None:
    assert has_number(text) is has


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("Under sections 3, 4 and 5 the fee is 9 euros.", ["9"]),
        ("Under section 5, 30 euros are due.", ["30"]),
        ("Under sections 3 and 5, 30 days are given.", ["30"]),
        ("The fee in Schedule 2 is 9 euros.", ["9"]),
        ("The Pier Act (Act No. 2 of 2010) has 9 sections.", ["9"]),
        ("לפי סעיפים 3, 4 או 5, האגרה היא 9 שקלים.", ["9"]),
        ("לפי סעיפים 3, 4או 5, האגרה היא 9 שקלים.", ["9"]),
    ],
)
def test_numbers_by_which_sections_and_acts_are_cited_count_nothing(text: str, numbers: list[str]) -> None:
    assert [digits for digits, _ in find_numbers(text)] == numbers


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("Under sections 3 and 5, 30 euros are due.", ["30"]),
        ("By rules 2, 3, 10 crowns are due.", ["10"]),
        ("By rules 2, 3 and 4, 10% of the dues are added.", ["10"]),
        ("Under sections 3 and 4, 5,000 crowns are due.", ["5,000"]),
        ("Under sections 4 to 6, 12 lanterns are lit.", ["12"]),
        ("Under Chapter 5, 12 crowns are due.", ["12"]),
        ("The keeper pays in part 50 crowns.", ["50"]),
        ("Sections 3 and 5: 30 crowns.", ["30"]),
        ("לפי סעיפים 3 ו-5, 30 שקלים ישולמו.", ["30"]),
        ("לפי פרק 3, 40 שקלים ישולמו.", ["40"]),
    ],
)
def test_numbers_behind_cited_sections_count_what_they_stand_before(text: str, numbers: list[str]) -> None:
    assert [digits for digits, _ in find_numbers(text)] == numbers
