"""Texts run as most of their letters do."""

import pytest

from sources.templatetags.directions import direction


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
