"""A kind that was forgotten in a table of kinds stops the start."""

import pytest

from kb_project.registries import complete
from keeping.models import WatchKind
from keeping.watches.kinds import KINDS


def test_a_table_of_all_kinds_is_returned() -> None:
    assert complete(WatchKind, KINDS) is KINDS


def test_a_kind_without_an_entry_stops_the_start() -> None:
    without = dict(KINDS)
    del without[WatchKind.SEARCH]
    with pytest.raises(AssertionError, match="WatchKind without an entry: SEARCH"):
        complete(WatchKind, without)
