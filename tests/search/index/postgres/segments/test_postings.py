"""Posting lists are stored and read without loss."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from search.index.postgres.segments.postings import (
    MAX_PLACES,
    NOTHING,
    Postings,
    concatenated,
    decode,
    decode_all,
    encode,
    moved,
)

ENTRY = st.tuples(
    st.integers(-(2**31), 2**31 - 1) | st.integers(0, 3), st.integers(0, MAX_PLACES - 1), st.integers(0, 255)
)


def postings(entries: list[tuple[int, int, int]]) -> Postings:
    terms, places, codes = zip(*entries, strict=True) if entries else ((), (), ())
    return Postings(np.array(terms, np.int32), np.array(places, np.int64), np.array(codes, np.uint8))


def entries(found: Postings) -> list[tuple[int, int, int]]:
    return sorted(zip(found.terms.tolist(), found.places.tolist(), found.codes.tolist(), strict=True))


@given(st.lists(ENTRY, max_size=60, unique_by=lambda entry: entry[:2]))
def test_what_is_stored_is_read_again(given_entries: list[tuple[int, int, int]]) -> None:
    lists = list(encode(postings(given_entries)))
    assert entries(decode_all(lists)) == sorted(given_entries)
    assert [term for term, _ in lists] == sorted({term for term, _, _ in given_entries})


def test_a_list_takes_three_bytes_an_entry_and_its_places_rise() -> None:
    [(term, stored)] = encode(postings([(7, 65_535, 1), (7, 0, 255), (7, 300, 9)]))
    assert (term, len(stored)) == (7, 9)
    places, codes = decode(stored)
    assert places.tolist() == [0, 300, 65_535]
    assert codes.tolist() == [255, 9, 1]


def test_entries_move_with_their_places_or_go_without_one() -> None:
    found = moved(postings([(1, 0, 5), (1, 2, 6), (2, 1, 7)]), np.array([-1, 0, 1]))
    assert entries(found) == [(1, 1, 6), (2, 0, 7)]


def test_nothing_is_stored_as_nothing() -> None:
    assert list(encode(NOTHING)) == []
    assert entries(decode_all([])) == entries(concatenated([])) == []
