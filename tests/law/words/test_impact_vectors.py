"""The vectors of many chunks at once are those of each on its own."""

import random
from collections.abc import Sequence

import numpy as np
import pytest

from law.words.analysis import Term, terms
from law.words.impact_vectors import field_entries, field_vector, same_entries, stem_impacts, texts_of, vectors
from law.words.stored import MAX_NONZERO
from law.words.term_weights import BODY, HEADING, IMPACTS, TITLE, Hashes, SparseVector, add, bm25_tf, term_ids

TITLE_TERMS = terms('חוק הבנקאות (רישוי), התשמ"א–1981')
TITLE_VECTOR = field_vector(TITLE, TITLE_TERMS)


def passages(*, seed: int, count: int) -> list[str]:
    words = ["הבנק", "ישלם", "ריבית", "על", "הפיקדון", "the", "bank", "pays", "5(א)", "1,000", "צה״ל"]
    chooser = random.Random(seed)
    return [" ".join(chooser.choices(words, k=chooser.randrange(0, 60))) for _ in range(count)]


def stems(*fields: Sequence[Term]) -> Hashes:
    return np.unique(np.array([term.stem_hash for field in fields for term in field], np.uint64))


def same(one: SparseVector, other: SparseVector) -> bool:
    return np.array_equal(one.indices, other.indices) and np.array_equal(one.values, other.values)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_each_vector_is_the_sum_of_its_own_fields(seed: int) -> None:
    bodies = [terms(text) for text in passages(seed=seed, count=40)]
    headings = [terms(text) for text in passages(seed=-seed, count=40)]
    titled = range(0, 40, 3)
    found = vectors(
        [
            field_entries(BODY, texts_of(bodies)),
            field_entries(HEADING, texts_of(headings)),
            same_entries(TITLE_VECTOR, titled),
        ],
        40,
    )
    for row, (body, heading, vector) in enumerate(zip(bodies, headings, found, strict=True)):
        title = [TITLE_VECTOR] if row in titled else []
        assert same(vector, add(field_vector(BODY, body), field_vector(HEADING, heading), *title))


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_each_chunk_has_the_ids_of_its_own_stems(seed: int) -> None:
    bodies = [terms(text) for text in passages(seed=seed, count=40)]
    fields = [(BODY, texts_of(bodies)), (TITLE, texts_of([TITLE_TERMS] * 40))]
    for body, (ids, codes) in zip(bodies, stem_impacts(fields, 40, topic_id=7), strict=True):
        assert np.array_equal(ids, term_ids(stems(body, TITLE_TERMS), 7))
        assert len(codes) == len(ids)
        assert codes.min() > 0


def test_an_impact_is_what_the_stem_says_in_all_fields_together() -> None:
    body, heading = terms("bank pays bank interest"), terms("bank deposits")
    fields = [(BODY, texts_of([body])), (HEADING, texts_of([heading]))]
    [(ids, codes)] = stem_impacts(fields, 1, topic_id=7)
    [bank] = np.flatnonzero(ids == term_ids(stems(terms("bank")), 7))
    both = np.array([2.0, 1.0])
    lengths = np.array([4 / BODY.average_length, 2 / HEADING.average_length])
    saturations = [bm25_tf(both[i : i + 1], lengths[i])[0] for i in range(2)]
    expected = saturations[0] * (1.0 + 0.5 * 0.3) + saturations[1] * (2.0 + 0.5 * 4.0)
    assert IMPACTS[codes[bank]] == pytest.approx(expected, rel=0.012)


def test_chunks_without_a_word_have_empty_vectors() -> None:
    assert [len(vector.indices) for vector in vectors([field_entries(BODY, texts_of([[], []]))], 2)] == [0, 0]
    assert [len(ids) for ids, _ in stem_impacts([(BODY, texts_of([[], []]))], 2, topic_id=7)] == [0, 0]


def test_a_vector_that_is_too_long_is_cut_as_on_its_own() -> None:
    long = terms(" ".join(f"word{number}" for number in range(MAX_NONZERO)))
    found = vectors([field_entries(BODY, texts_of([terms("short"), long]))], 2)
    assert same(found[0], field_vector(BODY, terms("short")))
    assert same(found[1], field_vector(BODY, long))
    assert len(found[1].indices) == MAX_NONZERO
