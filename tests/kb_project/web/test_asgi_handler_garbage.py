"""The web process collects garbage seldom, but it does."""

import atexit
import gc
import weakref
from collections.abc import Iterator

import pytest

from kb_project.processes.beginning import COLLECTED_AFTER, begin
from kb_project.web.asgi_handler import get_application


@pytest.fixture(autouse=True)
def _as_before() -> Iterator[None]:
    before = gc.get_threshold()
    begin()  # as the entry point of the web process does
    yield
    gc.unfreeze()
    gc.set_threshold(*before)
    atexit.unregister(gc.freeze)


class Knot:
    """Refers to itself."""

    def __init__(self) -> None:
        self.itself = self


def test_web_process_collects_after_as_many_objects_as_it_says() -> None:
    get_application()
    assert gc.isenabled()
    assert gc.get_threshold()[0] == COLLECTED_AFTER


def test_what_a_web_process_loads_is_not_walked_again() -> None:
    get_application()
    assert gc.get_freeze_count() > 0


def test_what_a_request_leaves_tied_in_a_knot_is_collected() -> None:
    get_application()
    left = weakref.ref(Knot())
    made: list[list[int]] = []
    while left() is not None and len(made) < 3 * COLLECTED_AFTER:
        made.append([])
    assert left() is None
