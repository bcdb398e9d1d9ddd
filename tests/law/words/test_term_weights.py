"""Term weights as vectors."""

import numpy as np
import pytest

from law.words.analysis import terms
from law.words.impact_vectors import field_vector
from law.words.stored import DIMENSIONS, MAX_NONZERO
from law.words.term_weights import BODY, TITLE, SparseVector, WeightedTerms, add, idf, query_vector, term_ids


def product(one: SparseVector, other: SparseVector) -> float:
    values = dict(zip(other.indices.tolist(), other.values.tolist(), strict=True))
    return sum(
        value * values.get(index, 0.0) for index, value in zip(one.indices.tolist(), one.values.tolist(), strict=True)
    )


def query(text: str) -> SparseVector:
    found = terms(text)
    return query_vector(WeightedTerms(found, {term.stem_hash: 1.0 for term in found}))


def score(query_text: str, body: str) -> float:
    return product(query(query_text), field_vector(BODY, terms(body)))


def test_a_repeated_word_counts_more_but_ever_less() -> None:
    filler = " filler" * 20
    once, twice, thrice = (score("bank", "bank " * times + filler) for times in (1, 2, 3))
    assert once < twice < thrice
    assert thrice - twice < twice - once


def test_a_passage_with_both_words_beats_one_that_repeats() -> None:
    filler = " filler" * 35
    both = score("bank interest", f"bank{filler} interest{filler}" + " filler" * 18)
    assert both > score("bank interest", "bank " * 20 + " filler" * 70)


def test_a_word_counts_more_in_a_short_passage() -> None:
    assert score("bank", "the bank pays") > score("bank", "the bank pays" + " and so on" * 50)


def test_the_exact_form_counts_more_than_another_form() -> None:
    assert score("regulation", "a regulation here") > score("regulation", "a regulated here") > 0


def test_neighbouring_words_count_more_than_scattered_ones() -> None:
    assert score("credit risk", "credit risk of banks") > score("credit risk", "risk of banks credit")


def test_match_in_title_is_another_dimension_than_one_in_body() -> None:
    found = terms("bank")
    assert not set(field_vector(BODY, found).indices) & set(field_vector(TITLE, found).indices)


def test_indices_rise_and_stay_below_the_dimension() -> None:
    vector = add(field_vector(BODY, terms("a b c d e f g")), field_vector(TITLE, terms("a b c")))
    assert (np.diff(vector.indices) > 0).all()
    assert vector.indices.min() >= 0
    assert vector.indices.max() < DIMENSIONS


def test_a_very_long_text_keeps_its_heaviest_terms() -> None:
    text = " ".join(f"word{number}" for number in range(MAX_NONZERO)) + " bank" * 50
    vector = field_vector(BODY, terms(text))
    assert len(vector.indices) == MAX_NONZERO
    assert product(query("bank"), vector) > 0


def test_no_terms_make_an_empty_vector() -> None:
    assert len(field_vector(BODY, []).indices) == 0
    assert query_vector(WeightedTerms([], {})).as_text() == f"{{}}/{DIMENSIONS}"


def test_topics_have_different_ids_for_the_same_stem() -> None:
    stems = np.array([term.stem_hash for term in terms("bank credit risk")], np.uint64)
    assert not set(term_ids(stems, 1).tolist()) & set(term_ids(stems, 2).tolist())


@pytest.mark.parametrize("documents", [0, 1, 1000])
def test_idf_is_never_negative_and_falls_with_frequency(documents: int) -> None:
    values = [idf(frequency, documents) for frequency in range(documents + 2)]
    assert all(value >= 0 for value in values)
    assert values == sorted(values, reverse=True)
