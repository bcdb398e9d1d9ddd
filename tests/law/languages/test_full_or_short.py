"""Hebrew words that are the same in full and in short spelling, and words that only look so."""

import pytest

from law.languages.hebrew.morphology import full_or_short


@pytest.mark.parametrize(
    ("full", "short"),
    [
        ("רישיון", "רשיון"),
        ("ברישיונות", "ברשיונות"),
        ("והפיקדון", "והפקדון"),
        ("ניסיונו", "נסיונו"),
        ("ביטחון", "בטחון"),
        ("פירעון", "פרעון"),
        ("היריון", "הריון"),
        ("תוכנית", "תכנית"),
        ("בתוכניות", "בתכניות"),
        ("עניין", "ענין"),
        ("לעניינים", "לענינים"),
        ("הבניין", "הבנין"),
        ("הקניין", "הקנין"),
        ("מעוניין", "מעונין"),
    ],
)
def test_each_leads_to_the_other(full: str, short: str) -> None:
    assert full_or_short(full) == [short]
    assert full_or_short(short) == [full]


@pytest.mark.parametrize(
    "word", ["שוכר", "שכר", "הדין", "דיין", "דירה", "דיירת", "חתום", "חיתום", "רשום", "רישום", "חוזה", "נכון", "תקנות"]
)
def test_words_that_may_be_others_are_left_alone(word: str) -> None:
    assert full_or_short(word) == []
