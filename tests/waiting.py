"""Waiting for what another process or thread is about to do."""

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def wait_until(condition: Callable[[], T | None], *, within_s: float = 60.0) -> T:
    """Return what the condition gives as soon as that is true; fail when it never is."""
    deadline = time.monotonic() + within_s
    while not (value := condition()):
        if time.monotonic() > deadline:
            raise AssertionError(f"{condition} did not come true within {within_s:g} s")
        time.sleep(0.03)
    return value
