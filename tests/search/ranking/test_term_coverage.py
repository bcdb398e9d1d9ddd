"""How much of a question a text holds."""

import pytest

from law.words.analysis import terms
from law.words.spellings import SpelledWords
from law.words.stop_words import content_terms
from search.ranking.term_coverage import OTHER_FORM, Weights, query_weights


def weights(question: str, *, common: str = "", chunks: int = 100) -> Weights:
    often = {term.stem_hash: chunks for term in terms(common)}
    return query_weights(SpelledWords(terms(question)), frequencies=often, chunks=chunks)


def words(question: str) -> list[str]:
    return [term.word for term in content_terms(terms(question))]


def test_words_that_only_ask_are_left_out() -> None:
    assert words("כמה ספרים זכאי תושב לשאול?") == ["ספרים", "זכאי", "תושב", "לשאול"]
    assert words("How many books may a resident borrow?") == ["books", "resident", "borrow"]


def test_a_question_of_nothing_else_keeps_what_it_has() -> None:
    assert words("מתי וכמה?")
    assert words("who and when") == ["who", "and", "when"]


def test_a_text_with_all_words_holds_the_whole_question() -> None:
    question = weights("What fine is paid for mooring a boat?")
    assert question.share(terms("A fine was paid; the boat was mooring.")) == pytest.approx(1.0)
    assert question.share(terms("The lamps are green.")) == 0.0
    assert question.share([]) == 0.0


def test_a_hebrew_form_counts_less_and_an_english_one_as_much() -> None:
    assert weights("הספרן").share(terms("ספרן")) == pytest.approx(OTHER_FORM)
    assert weights("הספרן").share(terms("ספרן הספרן")) == pytest.approx(1.0)
    assert weights("mooring").share(terms("moored")) == pytest.approx(1.0)


def test_a_rare_word_weighs_more_than_a_common_one() -> None:
    question = weights("the fine of the harbour", common="fine", chunks=5_000)
    assert question.share(terms("harbour")) > 0.7 > 0.3 > question.share(terms("fine"))


def test_in_a_tiny_topic_words_weigh_almost_as_unknown_ones() -> None:
    question = weights("the fine of Jupiter", common="fine", chunks=1)
    assert 0.4 < question.share(terms("fine")) < 0.5


def test_no_weights_hold_nothing() -> None:
    assert Weights().share(terms("fine")) == 0.0
