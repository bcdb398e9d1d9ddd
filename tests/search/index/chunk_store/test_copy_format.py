"""Binary COPY fields, read back by the database."""

import numpy as np
import pytest
from django.db import connection

from law.words.stored import DIMENSIONS
from law.words.term_weights import SparseVector
from search.index.chunk_store import copy_format

pytestmark = pytest.mark.django_db


def read_back(column_type: str, field: bytes, shown: str = "value::text") -> str | None:
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE TEMPORARY TABLE copied (value {column_type}) ON COMMIT DROP")
        with cursor.copy("COPY copied FROM STDIN (FORMAT BINARY)") as copy:
            copy.write(copy_format.HEADER + copy_format.row_start(1) + field + copy_format.TRAILER)
        cursor.execute(f"SELECT {shown} FROM copied")
        return cursor.fetchone()[0]


def test_sparse_vectors_keep_dimensions_and_values() -> None:
    vector = SparseVector(np.array([0, 7, DIMENSIONS - 1]), np.array([0.5, 1.25, 2.0]))
    assert read_back(f"sparsevec({DIMENSIONS})", copy_format.sparsevec(vector)) == vector.as_text()
    assert vector.as_text() == f"{{1:0.5,8:1.25,{DIMENSIONS}:2}}/{DIMENSIONS}"


def test_half_vectors_keep_their_values() -> None:
    assert read_back("halfvec", copy_format.halfvec(np.array([0.5, -1, 0], dtype=np.float32))) == "[0.5,-1,0]"


@pytest.mark.parametrize("values", [[], [1], [-(2**31), 0, 2**31 - 1]])
def test_integer_arrays_keep_their_elements(values: list[int]) -> None:
    field = copy_format.int4_array(np.array(values, dtype=np.int32))
    assert read_back("int[]", field, "value") == values


def test_text_arrays_keep_their_elements() -> None:
    assert read_back("text[]", copy_format.text_array(["פרק א'", ""]), "value") == ["פרק א'", ""]


def test_characters_that_the_database_cannot_hold_are_replaced() -> None:
    assert read_back("text", copy_format.text("a\0b\ud800c")) == "a b?c"


def test_a_missing_number_is_null() -> None:
    assert read_back("int", copy_format.int4(None)) is None
