"""What a process remembers is what was used last, and never more than so many bytes."""

import random
from concurrent.futures import ThreadPoolExecutor

import pytest

from search.index.postgres.segments.lru_cache import LruCache

MOST = 1_000


def texts() -> LruCache[int, str]:
    return LruCache(most_bytes=MOST, size=len)


def test_what_was_used_longest_ago_goes_first() -> None:
    kept = texts()
    kept.keep(1, "a" * 400)
    kept.keep(2, "b" * 400)
    assert set(kept.of([1])) == {1}
    kept.keep(3, "c" * 400)
    assert set(kept.of([1, 2, 3])) == {1, 3}


def test_a_value_that_replaces_another_takes_its_room() -> None:
    kept = texts()
    kept.keep(2, "b" * 400)
    for number in range(10):
        kept.keep(1, str(number) * 400)
    assert kept.of([1, 2]) == {1: "9" * 400, 2: "b" * 400}


def test_an_oversized_value_is_not_kept_and_later_ones_are() -> None:
    kept = texts()
    kept.keep(1, "a" * (MOST + 1))
    assert kept.of([1]) == {}
    kept.keep(2, "b" * 400)
    assert set(kept.of([1, 2])) == {2}


def test_what_is_not_kept_is_read_once() -> None:
    kept, asked = texts(), []

    def read(keys: list[int]) -> list[tuple[int, str]]:
        asked.append(keys)
        return [(key, str(key)) for key in keys if key < 10]

    assert kept.read_through([2, 1], read, missing="no texts") == ["2", "1"]
    assert kept.read_through([1, 3, 2], read, missing="no texts") == ["1", "3", "2"]
    assert asked == [[2, 1], [3]]
    with pytest.raises(LookupError, match="no texts: 11, 12"):
        kept.read_through([1, 11, 12], read, missing="no texts")


def test_threads_that_keep_at_same_time_keep_no_more_than_most() -> None:
    kept = texts()

    def work(seed: int) -> None:
        dice = random.Random(seed)
        for _ in range(100):
            kept.keep(dice.randrange(50), "x" * dice.randrange(100))
            kept.of(dice.sample(range(50), 10))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(8)))
    found = kept.of(range(50))
    assert found
    assert sum(map(len, found.values())) <= MOST
