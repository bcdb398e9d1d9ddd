"""Single values: within their limits, or cut, or dropped."""

import pytest

from ingest.stages.classify.suggestions import clean_date, clean_identifier, clean_summary
from law.metadata.summary import cut_at_word


def text_of(length: int) -> str:
    words = "word " * 60
    return words[: length - 1] + "x"


@pytest.mark.parametrize("length", [80, 81, 199, 200])
def test_a_summary_of_80_to_200_characters_is_kept_as_it_is(length: int) -> None:
    assert clean_summary(f"  {text_of(length)}\n") == text_of(length)


def test_a_summary_of_79_characters_is_dropped() -> None:
    assert clean_summary(text_of(79)) is None
    assert clean_summary("   " + text_of(79) + "     ") is None


def test_a_summary_of_201_characters_is_cut_at_a_word() -> None:
    summary = clean_summary(text_of(201))
    assert summary is not None
    assert len(summary) <= 200
    assert text_of(201).startswith(summary)
    assert summary.endswith("word")


def test_word_that_is_as_long_as_a_summary_is_cut_in_the_middle() -> None:
    assert clean_summary("x" * 300) == "x" * 200
    assert clean_summary("Short " + "x" * 300) == "Short " + "x" * 194


def test_nothing_and_controls_are_no_summary() -> None:
    assert clean_summary(None) is None
    assert clean_summary("\x00" * 100) is None


def test_text_is_cut_before_a_word_that_does_not_fit() -> None:
    assert cut_at_word("one two three", 13) == "one two three"
    assert cut_at_word("one two three", 12) == "one two"
    assert cut_at_word("one two, three", 9) == "one two"


@pytest.mark.parametrize("text", ["2024-02-29", "1949-02-17"])
def test_a_day_that_exists_is_a_date(text: str) -> None:
    assert clean_date(f" {text} ") == text


@pytest.mark.parametrize("text", ["2023-02-29", "2024", "2024-13-01", "20240101", "2024-W01-1", "17.2.1949", "", None])
def test_anything_else_is_no_date(text: str | None) -> None:
    assert clean_date(text) is None


def test_identifier_that_is_too_long_is_dropped_rather_than_cut() -> None:
    assert clean_identifier(' ע"א \n 1234/05 ') == 'ע"א 1234/05'
    assert clean_identifier("9" * 81) is None
