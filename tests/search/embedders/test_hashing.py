"""The built-in embedder."""

import numpy as np

from search.embedders.hashing import HashingEmbedder

EMBEDDER = HashingEmbedder(dimension=256)


def similarity(one: str, other: str) -> float:
    vectors = EMBEDDER.embed([one, other], "document")
    return float(vectors[0] @ vectors[1])


def test_every_vector_has_length_one() -> None:
    assert np.allclose(np.linalg.norm(EMBEDDER.embed(["בנק", "a longer text about banks"], "query"), axis=1), 1)


def test_a_text_without_words_is_the_zero_vector() -> None:
    assert not EMBEDDER.embed(["", "?!"], "query").any()


def test_the_same_text_always_has_the_same_vector() -> None:
    text = "הבנק ישיב את הפיקדון"
    assert np.array_equal(EMBEDDER.embed([text], "query"), HashingEmbedder(dimension=256).embed([text], "document"))


def test_texts_that_share_words_are_nearer_than_others() -> None:
    assert similarity("the bank repays deposits", "deposits at a bank") > similarity(
        "the bank repays deposits", "a bridge"
    )


def test_other_forms_of_a_word_are_near() -> None:
    assert similarity("פיקדונות", "הפיקדון") > 0.5
