"""Which standbys may be read, by what they and the primary say of themselves."""

import time
from typing import Any

import pytest

from kb_project.database.standbys import watching
from kb_project.database.standbys.positions import Position
from kb_project.database.standbys.watching import Standby, StandbyWatch

CLUSTER = 7_000
STREAMING = (True, 500, CLUSTER, 1, 3)


@pytest.fixture
def watch() -> StandbyWatch:
    """A primary at byte 500 of timeline 3, and a standby that nobody has looked at yet."""
    watch = StandbyWatch(["replica1"])
    watch._cluster = CLUSTER
    watch._samples.append((time.monotonic(), Position(3, 500)))
    return watch


def seen(watch: StandbyWatch, row: Any) -> Standby:
    [standby] = watch.standbys
    standby.seen(row)
    watch._judge(standby)
    return standby


def test_one_that_has_all_is_read(watch: StandbyWatch) -> None:
    standby = seen(watch, STREAMING)
    assert watch.trouble(standby) == ""
    assert watch.lag_s(standby) == 0


def test_one_that_did_not_answer_is_not_read(watch: StandbyWatch) -> None:
    [standby] = watch.standbys
    assert watch.trouble(standby) == watching.SILENT
    seen(watch, STREAMING).failed()
    assert watch.trouble(standby) == watching.SILENT
    assert not standby.has(Position(1, 1))


@pytest.mark.parametrize(
    ("row", "trouble"),
    [
        ((False, 500, CLUSTER, 0, None), watching.PROMOTED),
        ((True, 500, CLUSTER, 0, None), watching.NO_RECEIVER),
        ((True, 500, CLUSTER, 1, None), watching.HIDDEN),
        ((True, 500, CLUSTER + 1, 1, 3), watching.STRANGER),
        ((True, 500, CLUSTER, 1, 2), watching.OTHER_TIMELINE),
        ((True, 499, CLUSTER, 1, 3), watching.STALE),
    ],
)
def test_others_are_not_read(watch: StandbyWatch, row: Any, trouble: str) -> None:
    assert watch.trouble(seen(watch, row)) == trouble


def test_one_that_is_a_little_behind_is_read(watch: StandbyWatch) -> None:
    now = time.monotonic()
    watch._samples.clear()
    watch._samples.extend([(now - 2, Position(3, 400)), (now - 1, Position(3, 450)), (now, Position(3, 500))])
    standby = seen(watch, (True, 460, CLUSTER, 1, 3))
    assert watch.trouble(standby) == ""
    assert watch.lag_s(standby) == pytest.approx(1)
    standby = seen(watch, (True, 399, CLUSTER, 1, 3))
    assert watch.trouble(standby) == watching.STALE
    assert watch.lag_s(standby) is None


def test_after_a_crash_one_may_have_come_less_far(watch: StandbyWatch) -> None:
    standby = seen(watch, STREAMING)
    assert standby.has(Position(3, 500))
    standby.seen((True, 480, CLUSTER, 1, 3))
    assert not standby.has(Position(3, 500))


def test_without_a_primary_none_is_read(watch: StandbyWatch) -> None:
    watch._samples.clear()
    watch._samples.append((time.monotonic() - 6, Position(3, 500)))
    assert watch.trouble(seen(watch, STREAMING)) == watching.STALE
