"""Codes of two bits a dimension, by which the nearest of many vectors are found without reading them.

A vector is rotated at random, after which its coordinates are spread alike, and of each only the level is kept on which
it lies: -3, -1, 1 or 3. The query keeps its own coordinates, so its product with a code, scaled by how well the code
fits its vector, comes close to that with the vector. Most are ruled out before by their signs alone.

RaBitQ (Gao and Long 2024, https://arxiv.org/abs/2405.12497) with two bits. Levels as Max (1960) has them for a normal
distribution, "Quantizing for Minimum Distortion". Rotation by random signs and Hadamard transforms.
"""

import hashlib
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

BORDER = 0.98  # of a coordinate's standard deviation, between the levels 1 and 3
ROUNDS = 4  # of signs and transforms
_WORD = np.dtype("<u8")
_SCALE = np.dtype("<f4")
_BITS = np.unpackbits(np.arange(256, dtype=np.uint8)[:, None], axis=1, bitorder="little").astype(np.float32)

Vectors = NDArray[np.float32]


class QuantizedVectors(NamedTuple):
    """The codes of `n` vectors of `d` dimensions.

    `levels` (n, 2 * words of 64 bits that hold d): of each level, counted from 0, the higher bits, which are the signs
    of the coordinates, then the lower. `scales` (n): what the product with a code is multiplied by. `signs` (words, n):
    the first of the levels once more, lying as they are all compared.
    """

    levels: NDArray[np.uint64]
    scales: NDArray[np.float32]
    signs: NDArray[np.uint64]

    def __len__(self) -> int:
        return len(self.scales)

    @property
    def nbytes(self) -> int:
        return self.levels.nbytes + self.scales.nbytes + self.signs.nbytes

    def stored(self) -> bytes:
        return self.levels.tobytes() + self.scales.tobytes()


def read(stored: bytes, *, dimension: int) -> QuantizedVectors:
    """What `Codes.stored` wrote of vectors with this dimension."""
    width = 2 * _words(dimension)
    count = len(stored) // stored_size(dimension)
    levels = np.frombuffer(stored, _WORD, width * count).reshape(count, width)
    return _codes(levels, np.frombuffer(stored, _SCALE, count, offset=levels.nbytes))


def stored_size(dimension: int) -> int:
    """How many bytes `Codes.stored` writes of each vector."""
    return 2 * _words(dimension) * _WORD.itemsize + _SCALE.itemsize


def joined(parts: Sequence[QuantizedVectors]) -> QuantizedVectors:
    """The codes of all, in order. There is at least one."""
    return _codes(np.concatenate([part.levels for part in parts]), np.concatenate([part.scales for part in parts]))


def encode(vectors: Vectors) -> QuantizedVectors:
    """The codes of vectors (n, d)."""
    rotated = _rotated(vectors)
    lengths = np.einsum("ij,ij->i", rotated, rotated)
    border = BORDER * np.sqrt(lengths / max(1, rotated.shape[1]))
    higher = rotated > 0
    lower = (np.abs(rotated) > border[:, None]) == higher
    products = np.einsum("ij,ij->i", rotated, 4.0 * higher + 2.0 * lower - 3.0)
    scales = np.divide(lengths, products, out=np.zeros_like(lengths), where=products > 0)  # a vector of zeros has none
    return _codes(np.hstack([_packed(higher), _packed(lower)]), scales.astype(np.float32))


def _codes(levels: NDArray[np.uint64], scales: NDArray[np.float32]) -> QuantizedVectors:
    return QuantizedVectors(levels, scales, np.ascontiguousarray(levels[:, : levels.shape[1] // 2].T))


class QuantizedQuery:
    """A query's vector, made ready to be compared with codes."""

    def __init__(self, vector: Vectors) -> None:
        [rotated] = _rotated(vector[None, :])
        self._signs = _packed(rotated[None, :] > 0)[0]
        padded = np.zeros(len(self._signs) * 64, np.float32)
        padded[: len(rotated)] = rotated
        # What each value of a byte comes to: 256 numbers for each byte of the levels.
        of_plane = padded.reshape(-1, 8) @ _BITS.T
        self._tables = np.concatenate([4 * of_plane, 2 * of_plane])
        self._lowest = 3 * float(rotated.sum())

    def unlike(self, codes: QuantizedVectors) -> NDArray[np.uint16]:
        """For each vector in how many coordinates its sign is not the query's: fewest for the nearest, roughly."""
        counts = np.zeros(len(codes), np.uint16)
        for theirs, ours in zip(codes.signs, self._signs, strict=True):
            counts += np.bitwise_count(theirs ^ ours)
        return counts

    def by_signs(self, levels: NDArray[np.uint64]) -> NDArray[np.float32]:
        """What puts vectors in about the order of their inner products, by their signs alone: (n) for (n, words)."""
        return self._products(levels[:, : len(self._signs)])

    def similarities(self, levels: NDArray[np.uint64], scales: NDArray[np.float32]) -> NDArray[np.float32]:
        """About the inner product with each of the vectors that have these levels and scales."""
        return (self._products(levels) - np.float32(self._lowest)) * scales

    def _products(self, levels: NDArray[np.uint64]) -> NDArray[np.float32]:
        """The products with levels, or with as many of their first words as are given."""
        words = np.ascontiguousarray(levels.T)
        octets = words.view(np.uint8).reshape(*words.shape, 8)
        products = np.zeros(len(levels), np.float32)
        for number, table in enumerate(self._tables[: 8 * len(words)]):
            products += table.take(octets[number // 8, :, number % 8], mode="clip")
        return products


def _words(dimension: int) -> int:
    return -(-dimension // 64)


def _packed(bits: NDArray[np.bool_]) -> NDArray[np.uint64]:
    """Rows of bits as words, the last filled up with zeros."""
    packed = np.zeros((len(bits), _words(bits.shape[1]) * 8), np.uint8)
    packed[:, : -(-bits.shape[1] // 8)] = np.packbits(bits, axis=1, bitorder="little")
    return packed.view(_WORD)


def _rotated(vectors: Vectors) -> Vectors:
    """The vectors after the rotation of their dimension, always the same.

    A Hadamard transform takes a power of two: it goes over the first coordinates and the last by turns.
    """
    dimension = vectors.shape[1]
    size = 1 << (dimension.bit_length() - 1)
    rotated = vectors.astype(np.float32)
    for place, signs in enumerate(_signs(dimension)):
        rotated *= signs
        part = rotated[:, :size] if place % 2 == 0 else rotated[:, dimension - size :]
        part[:] = _transformed(part)
    return rotated


def _transformed(vectors: Vectors) -> Vectors:
    """The Hadamard transform, as the product of two small ones."""
    size = vectors.shape[1]
    left, right = _hadamard(1 << (size.bit_length() // 2)), _hadamard(1 << ((size.bit_length() - 1) // 2))
    return np.asarray((left @ vectors.reshape(-1, len(left), len(right)) @ right).reshape(vectors.shape), np.float32)


@lru_cache
def _hadamard(size: int) -> NDArray[np.float32]:
    """The orthogonal matrix (size, size). `size` is a power of two."""
    matrix = np.ones((1, 1), np.float32)
    while len(matrix) < size:
        matrix = np.concatenate([np.hstack([matrix, matrix]), np.hstack([matrix, -matrix])]) * np.float32(0.5**0.5)
    return matrix


@lru_cache
def _signs(dimension: int) -> NDArray[np.float32]:
    """(rounds, dimension) of 1 and -1. Codes are stored, so they are never drawn anew."""
    drawn = hashlib.shake_256(b"signs of the rotation").digest(-(-ROUNDS * dimension // 8))
    bits = np.unpackbits(np.frombuffer(drawn, np.uint8))[: ROUNDS * dimension]
    return (2.0 * bits.reshape(ROUNDS, dimension) - 1.0).astype(np.float32)
