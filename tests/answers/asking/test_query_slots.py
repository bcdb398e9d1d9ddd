"""Taking turns: never more at once than agreed, and a turn is given back whatever happens in it."""

import threading
from concurrent.futures import ThreadPoolExecutor

import pytest

from answers.asking.ask import AT_ONCE, query_slot


def test_no_more_have_a_turn_than_agreed_and_all_get_one() -> None:
    lock = threading.Lock()
    full = threading.Event()
    inside = most = 0

    def work(_: int) -> None:
        nonlocal inside, most
        with query_slot():
            with lock:
                inside += 1
                most = max(most, inside)
                if inside == AT_ONCE:
                    full.set()
            assert full.wait(60)  # so as many as may are inside together
            with lock:
                inside -= 1

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(8)))
    assert most == AT_ONCE


def test_a_turn_is_given_back_after_a_failure() -> None:
    for _ in range(AT_ONCE + 1):
        with pytest.raises(ValueError, match="gone"), query_slot():
            raise ValueError("gone")
