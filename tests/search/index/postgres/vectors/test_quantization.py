"""Codes of vectors: they find the nearest, whatever the dimension, and stay what they were."""

import hashlib

import numpy as np
import pytest
from numpy.typing import NDArray

from search.index.postgres.vectors import quantization
from search.index.postgres.vectors.quantization import QuantizedQuery, QuantizedVectors, encode, joined, read

DIMENSIONS = [1, 2, 3, 8, 63, 64, 65, 100, 384, 768, 1000]


def unit(*shape: int, seed: int = 1) -> NDArray[np.float32]:
    vectors = np.random.default_rng(seed).standard_normal(shape).astype(np.float32)
    return np.asarray(vectors / np.linalg.norm(vectors, axis=-1, keepdims=True), np.float32)


def near(query: NDArray[np.float32], codes: QuantizedVectors) -> NDArray[np.float32]:
    return QuantizedQuery(query).similarities(codes.levels, codes.scales)


@pytest.mark.parametrize("dimension", DIMENSIONS)
def test_a_rotation_keeps_lengths_and_angles(dimension: int) -> None:
    rotated = quantization._rotated(np.eye(dimension, dtype=np.float32))
    assert np.allclose(rotated @ rotated.T, np.eye(dimension), atol=1e-5)


def test_a_rotation_spreads_what_lies_in_one_coordinate() -> None:
    rotated = quantization._rotated(np.eye(384, dtype=np.float32))
    assert np.abs(rotated).max() < 0.3


def test_rotation_is_same_on_every_machine_and_in_every_version() -> None:
    """Codes are stored, and compared with queries that are rotated years later."""
    signs = quantization._signs(384)
    assert set(np.unique(signs)) == {-1, 1}
    assert hashlib.sha256(signs.astype("<i1").tobytes()).hexdigest()[:16] == "3b1dcdcd518a95ba"


@pytest.mark.parametrize("dimension", DIMENSIONS)
def test_what_was_stored_is_read_again(dimension: int) -> None:
    codes = encode(unit(7, dimension))
    again = read(codes.stored(), dimension=dimension)
    assert len(again) == 7
    assert np.array_equal(again.levels, codes.levels)
    assert np.array_equal(again.scales, codes.scales)


def test_no_vectors_have_no_codes() -> None:
    codes = encode(np.empty((0, 384), np.float32))
    assert codes.stored() == b""
    assert len(read(b"", dimension=384)) == len(near(unit(384), codes)) == 0


def test_codes_may_be_made_in_parts_and_compared_in_any_order() -> None:
    vectors = unit(50, 100)
    whole, parts = encode(vectors), joined([encode(vectors[:20]), encode(vectors[20:])])
    assert np.array_equal(whole.levels, parts.levels)
    assert np.array_equal(whole.signs, parts.signs)
    order = np.random.default_rng(2).permutation(50)
    asked = QuantizedQuery(unit(100, seed=3))
    assert np.array_equal(
        asked.similarities(whole.levels[order], whole.scales[order]),
        asked.similarities(whole.levels, whole.scales)[order],
    )


@pytest.mark.parametrize("dimension", [64, 100, 384, 1000])
def test_about_the_inner_product_comes_out(dimension: int) -> None:
    vectors, query = unit(2_000, dimension), unit(dimension, seed=3)
    error = near(query, encode(vectors)) - vectors @ query
    assert abs(float(error.mean())) < 0.1 / dimension**0.5  # neither too high nor too low on the whole
    assert float(error.std()) < 0.5 / dimension**0.5


@pytest.mark.parametrize("dimension", [64, 100, 384, 1000])
def test_signs_alone_put_vectors_in_about_the_order_of_their_products(dimension: int) -> None:
    vectors, query = unit(2_000, dimension), unit(dimension, seed=3)
    about = QuantizedQuery(query).by_signs(encode(vectors).levels)
    # The sign of a normal variable says (2 / pi) ** 0.5 of it.
    assert np.corrcoef(about, vectors @ query)[0, 1] == pytest.approx(0.798, abs=0.04)


def test_a_vector_is_as_near_to_itself_as_it_is_long() -> None:
    vectors = unit(20, 384) * np.linspace(0.5, 2, 20, dtype=np.float32)[:, None]
    found = [near(vector, encode(vector[None]))[0] for vector in vectors]
    assert np.allclose(found, (vectors**2).sum(axis=1), rtol=1e-3)


def test_signs_differ_in_none_from_ones_own_and_in_all_from_the_opposite() -> None:
    [vector] = unit(1, 100)
    assert QuantizedQuery(vector).unlike(encode(np.stack([vector, -vector]))).tolist() == [0, 100]


def test_a_vector_of_zeros_is_near_to_nothing() -> None:
    codes = encode(np.zeros((1, 100), np.float32))
    assert near(unit(100), codes).tolist() == [0.0]
    assert near(np.zeros(100, np.float32), encode(unit(3, 100))).tolist() == [0.0, 0.0, 0.0]


def test_four_hundred_of_twenty_thousand_hold_the_nearest_fifty() -> None:
    """Of vectors that lie in clusters, as texts do."""
    dice = np.random.default_rng(5)
    centres = unit(200, 384, seed=6)
    vectors = centres[dice.integers(0, 200, 20_000)] + 0.6 * unit(20_000, 384, seed=7)
    vectors /= np.linalg.norm(vectors, axis=1, keepdims=True)
    codes = encode(vectors)
    shares = []
    for query in vectors[:40] + 0.5 * unit(40, 384, seed=8):
        nearest = np.argsort(-(vectors @ query))[:50]
        chosen = np.argsort(-near(query, codes))[:400]
        shares.append(np.isin(nearest, chosen).mean())
    assert np.mean(shares) > 0.97
