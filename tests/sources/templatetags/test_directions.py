"""Texts run as most of their letters do."""

import pytest
from django.utils import translation

from sources.templatetags.directions import direction, lang, law_lines


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The tenant pays.", "ltr"),
        ("השוכר ישלם.", "rtl"),
        ("GDPR: חוק הגנת הפרטיות והעברת מידע", "rtl"),
        ("סעיף 5 means section 5 of the Rental Deposit Protection Law", "ltr"),
        ("5.2.1", "ltr"),
        ("", "ltr"),
    ],
)
def test_a_text_runs_as_most_of_its_letters_do(text: str, expected: str) -> None:
    assert direction(text) == expected


@pytest.mark.parametrize(
    ("page", "text", "expected"),
    [
        ("en", "השוכר ישלם.", ' lang="he"'),
        ("he", "The tenant pays.", ' lang="en"'),
        ("en", "The tenant pays.", ""),
        ("he", "השוכר ישלם לפי GDPR.", ""),
        ("he", "5.2.1", ""),
        ("he", "", ""),
    ],
)
def test_a_text_in_another_language_than_the_page_says_so(page: str, text: str, expected: str) -> None:
    with translation.override(page):
        assert lang(text) == expected


def test_numbers_of_sections_and_of_clauses_hang() -> None:
    text = "7א. השבת <הפיקדון>\n(א) המשכיר ישיב.\n\n21 days later he pays.\n5.2: Fees"
    assert law_lines(text) == (
        '<p class="line hung"><b>7א.</b> השבת &lt;הפיקדון&gt;</p><p class="line hung">(א) המשכיר ישיב.</p>'
        '<p class="line">21 days later he pays.</p><p class="line hung"><b>5.2:</b> Fees</p>'
    )
