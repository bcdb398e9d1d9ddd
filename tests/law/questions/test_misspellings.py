"""Words that are one slip away."""

import pytest

from law.questions.spellings import LIKELY, near_words


@pytest.mark.parametrize(
    ("word", "meant", "likely"),
    [
        ("tenent", "tenant", 1.0),
        ("teannt", "tenant", LIKELY),
        ("tenantt", "tenant", LIKELY),
        ("acomodate", "accomodate", LIKELY),
        ("depost", "deposit", 1.0),
        ("פיקדום", "פיקדון", 1.0),
        ("מקרקיען", "מקרקעין", LIKELY),
        ("שכירותת", "שכירות", LIKELY),
    ],
)
def test_a_slip_leads_to_the_word_that_was_meant(word: str, meant: str, likely: float) -> None:
    assert near_words(word)[meant] == likely


@pytest.mark.parametrize("word", ["bank", "section5", "שר", "a" * 21, "1234567", "co-op"])
def test_short_and_long_words_and_numbers_are_left_alone(word: str) -> None:
    assert near_words(word) == {}


def test_the_first_letter_stays_and_final_letters_end_words() -> None:
    assert {word[0] for word in near_words("tenant")} == {"t"}
    for word in near_words("פיקדון"):
        assert not set("ךםןףץ") & set(word[:-1])
        assert word[-1] not in "כמנפצ"
