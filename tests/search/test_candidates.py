"""Which combinations of a query's stems bring the chunks that are scored."""

from __future__ import annotations

from itertools import combinations

import pytest

from search import candidates
from search.candidates import COMBINED, Combination, broadened, budget, differ
from search.term_weights import idf

CHUNKS = 200_000


def choose(frequencies: dict[int, int], *, chunks: int, expected: float) -> list[Combination]:
    """Of stems that tell as much as they are rare."""
    worths = {stem: idf(frequency, chunks) for stem, frequency in frequencies.items()}
    return candidates.choose(frequencies, worths=worths, chunks=chunks, expected=expected)


def sets_of(chosen: list[Combination]) -> set[frozenset[int]]:
    return {frozenset([*one.all_of, last]) for one in chosen for last in one.any_of}


def test_rare_stems_bring_their_chunks_alone() -> None:
    assert sets_of(choose({1: 20, 2: 300, 3: 90}, chunks=CHUNKS, expected=1000)) == {
        frozenset([1]),
        frozenset([2]),
        frozenset([3]),
    }


def test_a_common_stem_beside_rare_ones_brings_nothing_alone() -> None:
    chosen = sets_of(choose({1: 20, 2: 300, 3: 90_000}, chunks=CHUNKS, expected=1000))
    assert {frozenset([1]), frozenset([2])} <= chosen
    assert frozenset([3]) not in chosen


def test_common_stems_bring_chunks_only_together() -> None:
    chosen = sets_of(choose({1: 20_000, 2: 30_000, 3: 40_000}, chunks=CHUNKS, expected=1000))
    assert chosen
    assert all(len(stems) >= 2 for stems in chosen)


def test_a_stem_that_tells_little_brings_nothing_alone_however_rare() -> None:
    frequencies = {1: 700, 2: 700, 3: 20_000}
    chosen = candidates.choose(frequencies, worths={1: 1.0, 2: 6.0, 3: 3.0}, chunks=CHUNKS, expected=1000)
    assert frozenset([2]) in sets_of(chosen)
    assert frozenset([1]) not in sets_of(chosen)


def test_a_single_common_stem_is_taken_whatever_it_brings() -> None:
    assert sets_of(choose({1: 150_000}, chunks=CHUNKS, expected=1000)) == {frozenset([1])}


@pytest.mark.parametrize("frequency", [50, 2_000, 30_000, 199_999])
def test_no_combination_is_taken_in_by_another(frequency: int) -> None:
    frequencies = {stem: frequency + stem for stem in range(10)}
    chosen = sets_of(choose(frequencies, chunks=CHUNKS, expected=2000))
    assert chosen
    assert not any(one < other for one, other in combinations(sorted(chosen, key=len), 2))
    assert len(set().union(*chosen)) <= COMBINED


def test_a_stem_that_was_not_counted_yet_brings_its_chunks() -> None:
    assert frozenset([7]) in sets_of(choose({7: 0, 1: 20_000, 2: 30_000}, chunks=CHUNKS, expected=1000))


def test_statistics_of_more_chunks_than_there_are_do_no_harm() -> None:
    assert choose({1: 12, 2: 9}, chunks=0, expected=800)
    assert choose({}, chunks=0, expected=800) == []


def test_the_most_telling_stems_come_in_alone_until_they_bring_enough() -> None:
    frequencies, worths = {1: 3, 2: 8, 3: 900}, {1: 1.0, 2: 3.0, 3: 2.0}
    assert broadened([], frequencies, worths=worths, least=8) == [Combination((), (2,))]
    assert broadened([], frequencies, worths=worths, least=10) == [Combination((), (2, 3))]
    assert broadened([], frequencies, worths=worths, least=1000) == [Combination((), (2, 3, 1))]
    assert broadened([], {}, worths={}, least=10) == []


def test_what_was_chosen_stays_when_more_is_let_in() -> None:
    chosen = [Combination((1,), (3,)), Combination((2,), (3,)), Combination((), (4,))]
    frequencies = {1: 900, 2: 900, 3: 9_000, 4: 20}
    found = broadened(chosen, frequencies, worths={1: 2.0, 2: 1.5, 3: 1.0, 4: 1.2}, least=100)
    assert sets_of(found) == {frozenset([1]), frozenset([2, 3]), frozenset([4])}


def test_the_order_of_stems_makes_no_difference() -> None:
    assert not differ([Combination((1,), (2, 3))], [Combination((1,), (3, 2))])
    assert differ([Combination((1,), (2, 3))], [Combination((1,), (2,))])


def test_a_longer_question_may_bring_more_within_bounds() -> None:
    assert budget(1) < budget(7) < budget(30) == budget(300)
