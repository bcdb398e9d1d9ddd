"""The light Hebrew stem."""

import pytest

from law.languages.hebrew.morphology import stem


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("חוזים", "חוזה"),
        ("ובמסמכים", "מסמך"),
        ("עבירות", "עבירה"),
        ("לעובדים", "עובדי"),
        ("ההסכמים", "הסכם"),
        ("חוקיו", "חוק"),
    ],
)
def test_forms_of_a_word_share_a_stem(one: str, other: str) -> None:
    assert stem(one) == stem(other)


@pytest.mark.parametrize("word", ["חוק", "של", "בית", "לא", ""])
def test_short_words_are_left_alone(word: str) -> None:
    assert stem(word) == word


def test_at_least_three_letters_remain() -> None:
    assert len(stem("ושבהמלכות")) >= 3
