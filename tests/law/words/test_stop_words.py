"""Which words of a query say what it is about."""

import pytest

from law.words.analysis import terms
from law.words.impact_vectors import field_vector
from law.words.stop_words import ASKING_WORTH, query_term_weight
from law.words.term_weights import BODY, WeightedTerms, query_vector


@pytest.mark.parametrize("word", ["what", "should", "the", "מהו", "של"])
def test_words_that_only_ask_or_join_count_for_little(word: str) -> None:
    assert query_term_weight(word) == ASKING_WORTH < 1


@pytest.mark.parametrize("word", ["fine", "regulator", "5", "קנס", "2024", "שפה", "ועד"])
def test_other_words_count_in_full(word: str) -> None:
    assert query_term_weight(word) == 1.0


def order(query: str, *texts: str) -> list[str]:
    """The texts by their scores for a query whose words are all equally rare."""
    asked = terms(query)
    wanted = query_vector(WeightedTerms(asked, {term.stem_hash: 5.0 for term in asked}))
    weights = dict(zip(wanted.indices.tolist(), wanted.values.tolist(), strict=True))

    def score(text: str) -> float:
        vector = field_vector(BODY, terms(text))
        held = zip(vector.indices.tolist(), vector.values.tolist(), strict=True)
        return sum(weights.get(index, 0.0) * value for index, value in held)

    return sorted(texts, key=score, reverse=True)


def test_a_passage_of_what_is_asked_about_goes_before_one_that_asks() -> None:
    asks, tells = "What can we do, and how could you know?", "A trustee keeps the ledger of every deposit in order."
    assert order("What can you do with the ledger of a trustee?", asks, tells) == [tells, asks]
    asks, tells = "איפה? מתי?", "הפיקדון של הנאמן נרשם בפנקס הבנק בכל חודש"
    assert order("מתי, איפה וכמה פעמים נרשם הפיקדון?", asks, tells) == [tells, asks]


def test_a_query_of_asking_words_alone_still_finds_them() -> None:
    assert order("what can we do", "The lamps are green.", "What can we do?")[0] == "What can we do?"
