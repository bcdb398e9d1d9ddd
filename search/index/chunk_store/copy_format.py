"""Values in PostgreSQL's binary COPY format, in which pgvector's types load fastest.

https://www.postgresql.org/docs/18/sql-copy.html#SQL-COPY-FILE-FORMATS, sparsevec and halfvec as their send functions
in pgvector 0.8 write them. Every function returns one field: its length, then its bytes.
"""

import datetime as dt
import json
import struct
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from kb_project.database.rows import storable
from law.words.stored import DIMENSIONS
from law.words.term_weights import SparseVector

HEADER = b"PGCOPY\n\xff\r\n\0" + struct.pack(">ii", 0, 0)
TRAILER = struct.pack(">h", -1)
NULL = struct.pack(">i", -1)
_FIRST_DAY = dt.date(2000, 1, 1)
_INT4_OID = 23
_TEXT_OID = 25


def row_start(columns: int) -> bytes:
    return struct.pack(">h", columns)


def int8(value: int) -> bytes:
    return struct.pack(">iq", 8, value)


def int4(value: int | None) -> bytes:
    return NULL if value is None else struct.pack(">ii", 4, value)


def date(value: dt.date | None) -> bytes:
    """Days since 2000-01-01."""
    return NULL if value is None else struct.pack(">ii", 4, (value - _FIRST_DAY).days)


def bytea(content: bytes) -> bytes:
    return struct.pack(">i", len(content)) + content


def text(value: str) -> bytes:
    encoded = storable(value).encode()
    return struct.pack(">i", len(encoded)) + encoded


def text_array(values: Sequence[str]) -> bytes:
    return bytea(_array_header(len(values), _TEXT_OID) + b"".join(map(text, values)))


def jsonb(value: object) -> bytes:
    """What `json` can write. The first byte is the format's version."""
    return bytea(b"\1" + storable(json.dumps(value, ensure_ascii=False).replace("\\u0000", " ")).encode())


def int4_array(values: NDArray[np.int32]) -> bytes:
    elements = np.empty((len(values), 2), dtype=">i4")
    elements[:, 0] = 4
    elements[:, 1] = values
    return bytea(_array_header(len(values), _INT4_OID) + elements.tobytes())


def sent_int4_array(sent: bytes) -> NDArray[np.int32]:
    """What `array_send` gives for an `int[]` of one dimension without NULLs."""
    # Dimensions, flags, the type, length and lower bound; then each element behind its length.
    return np.frombuffer(sent, ">i4")[6::2].astype(np.int32)


def sparsevec(vector: SparseVector) -> bytes:
    head = struct.pack(">iii", DIMENSIONS, len(vector.indices), 0)
    return bytea(head + vector.indices.astype(">i4").tobytes() + vector.values.astype(">f4").tobytes())


def halfvec(vector: NDArray[np.float32]) -> bytes:
    return bytea(struct.pack(">hh", len(vector), 0) + vector.astype(">f2").tobytes())


def sent_halfvecs(sent: Sequence[bytes]) -> NDArray[np.float32]:
    """What `halfvec_send` gives for vectors of one dimension, as rows."""
    rows = np.frombuffer(b"".join(sent), ">f2").reshape(len(sent), -1)
    return rows[:, 2:].astype(np.float32)  # after the dimension and a number that is not used


def _array_header(length: int, oid: int) -> bytes:
    if not length:
        return struct.pack(">iii", 0, 0, oid)
    return struct.pack(">iiiii", 1, 0, oid, length, 1)


def vector_text(vector: NDArray[np.float32]) -> str:
    """A dense vector in pgvector's text notation, for plain statements."""
    return "[" + ",".join(f"{value:.6g}" for value in vector.tolist()) + "]"
