"""Waiting for what another process or thread is about to do."""

from __future__ import annotations

import time
from collections.abc import Callable


def wait_until(condition: Callable[[], object], *, within_s: float = 30.0) -> None:
    """Return as soon as the condition holds; fail when it never does."""
    deadline = time.monotonic() + within_s
    while not condition():
        if time.monotonic() > deadline:
            raise AssertionError(f"{condition} did not come true within {within_s:g} s")
        time.sleep(0.02)
