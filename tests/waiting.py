"""Waiting for what another process or thread is about to do."""

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

PATIENCE_S = 120.0  # a machine may be so busy that seconds of work take a minute
STEP_S = 0.05
SHARE = 10  # so many times as long as asking took: what is waited for needs the processor
PASSING_STEP_S = 0.01
BREATH_S = 0.05  # after each request of one that asks all the while, for the same reason


def wait_until(condition: Callable[[], T | None], *, within_s: float = PATIENCE_S, passing: bool = False) -> T:
    """Return what the condition gives as soon as that is true; fail when it never is.

    Wait for what stays: a count that goes on may be past the one that is waited for at the next look.

    What is `passing` does not stay, and is looked for more often.
    """
    deadline = time.monotonic() + within_s
    while True:
        asked_at = time.monotonic()
        if value := condition():
            return value
        answered_at = time.monotonic()
        if answered_at > deadline:
            raise AssertionError(f"{condition} did not come true within {within_s:g} s")
        time.sleep(PASSING_STEP_S if passing else max(STEP_S, min(SHARE * (answered_at - asked_at), 1.0)))
