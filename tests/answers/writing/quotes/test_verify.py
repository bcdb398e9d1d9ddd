"""A quote leaves only as the slice of a passage that it is."""

import pytest

from answers.writing.protocol import Claim
from answers.writing.quotes.verify import MAX_QUOTE_LENGTH, find_words, passage_label, shortened, verified_quote
from tests.answers.asking.passages import passage

FINE = passage("המאחר בהחזרת ספר ישלם\nדמי איחור של שקל ליום.", chunk_id=7)
PIER = passage("The pier closes at nine. The keeper may open it again.", chunk_id=8)


@pytest.mark.parametrize("quote", ["ישלם דמי איחור", "ישלם\nדמי איחור", "  ישלם  דמי\tאיחור "])
def test_white_space_may_differ_and_the_stored_one_is_given(quote: str) -> None:
    assert verified_quote(Claim(0, quote), [FINE, PIER]) == (FINE, "ישלם\nדמי איחור")


@pytest.mark.parametrize(
    "claim",
    [
        Claim(1, "The pier closes at ten."),
        Claim(1, "The Pier closes at nine."),
        Claim(1, "The pier closes ... The keeper may open it again."),
        Claim(0, "The pier closes at nine."),
        Claim(1, "The pier closes at nine.", label=passage_label(FINE)),
        Claim(2, "The pier closes at nine."),
        Claim(-1, "The pier closes at nine."),
        Claim(1, ""),
        Claim(1, ". "),
        Claim(1, "at"),
    ],
)
def test_what_is_not_there_word_for_word_is_refused(claim: Claim) -> None:
    assert verified_quote(claim, [FINE, PIER]) is None


def test_a_label_that_names_the_passage_is_believed() -> None:
    claim = Claim(1, "closes at nine", label=passage_label(PIER))
    assert verified_quote(claim, [FINE, PIER]) == (PIER, "closes at nine")


def test_words_are_found_whole_and_one_after_another() -> None:
    text = "a pier,  a\nquay and a dock"
    assert find_words("a quay and", text) == (9, 19)
    assert find_words("pier quay", text) is None
    assert find_words("quay  a", text) is None


def test_quote_over_line_break_may_begin_and_end_beside_a_sign() -> None:
    text = "(א) (המאחר\nבהחזרת ספר); ישלם\nדמי איחור."
    assert find_words("המאחר בהחזרת ספר", text) == (5, 21)
    assert find_words("ישלם דמי איחור", text) == (24, 38)
    assert find_words("זרת ספר", text) is None


def test_a_quote_is_given_without_letters_joined_to_its_word() -> None:
    text = "ובשובו לקריאה\nישלם, ובלבד ששילם."
    assert verified_quote(Claim(0, "קריאה ישלם"), [passage(text, chunk_id=9)]) is not None
    assert find_words("לקריאה ישלם", text) == (7, 18)
    assert find_words("קריאה ישלם", text) == (7, 18)
    assert find_words("שובו לקריאה", text) == (0, 13)
    assert find_words("ריאה ישלם", text) is None
    assert find_words("לם, ובלבד", text) is None


def test_a_long_quote_is_cut_at_a_word_and_stays_verbatim() -> None:
    text = "anchor " * 1000
    cut = shortened(text)
    assert MAX_QUOTE_LENGTH - len("anchor ") <= len(cut) <= MAX_QUOTE_LENGTH
    assert text.startswith(cut)
    assert cut.endswith("anchor")
    assert len(shortened("x" * 3000)) == MAX_QUOTE_LENGTH


@pytest.mark.parametrize(
    ("quote", "text"), [("able to pay the debt", "He was unable to pay the debt."), ("3% a year", "13% a year")]
)
def test_a_quote_that_begins_inside_a_word_does_not_stand(quote: str, text: str) -> None:
    assert find_words(quote, text) is None


def test_later_whole_place_is_found_behind_one_that_cuts_a_word() -> None:
    text = "unable to pay; able to pay"
    assert find_words("able to pay", text) == (15, 26)
